/* SPDX-License-Identifier: MIT */
#include "xray/xray_runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program's file in memory. */
struct image {
    const uint8_t *bytes;
    size_t size;
    const ElfW(Shdr) * sections;
    size_t section_count;
    const char *names; /* of the sections */
    size_t names_size;
};

static const struct {
    const char *name;
    size_t member; /* of struct xray_runtime */
} wanted[] = {
    {"__xray_init", offsetof(struct xray_runtime, init)},
    {"__xray_set_handler", offsetof(struct xray_runtime, set_handler)},
    {"__xray_set_handler_arg1", offsetof(struct xray_runtime, set_handler_arg1)},
    {"__xray_set_customevent_handler", offsetof(struct xray_runtime, set_customevent_handler)},
    {"__xray_set_typedevent_handler", offsetof(struct xray_runtime, set_typedevent_handler)},
    {"__xray_patch", offsetof(struct xray_runtime, patch)},
};
#define WANTED_COUNT (sizeof wanted / sizeof wanted[0])

static bool image_open(struct image *m)
{
    struct stat st;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    m->bytes = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof(ElfW(Ehdr))) {
        m->size = (size_t)st.st_size;
        m->bytes = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    return m->bytes != MAP_FAILED;
}

/* Returns the section's bytes, or NULL if they are not in the file. */
static const void *section_bytes(const struct image *m, const ElfW(Shdr) * s)
{
    return s->sh_type != SHT_NOBITS && s->sh_offset <= m->size && s->sh_size <= m->size - s->sh_offset
               ? m->bytes + s->sh_offset
               : NULL;
}

static bool find_sections(struct image *m)
{
    const ElfW(Ehdr) *header = (const void *)m->bytes;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof(ElfW(Shdr)) ||
        header->e_shoff % _Alignof(ElfW(Shdr)) != 0 || header->e_shoff > m->size ||
        header->e_shnum > (m->size - header->e_shoff) / sizeof(ElfW(Shdr)) ||
        header->e_shstrndx >= header->e_shnum)
        return false;
    m->sections = (const void *)(m->bytes + header->e_shoff);
    m->section_count = header->e_shnum;
    m->names = section_bytes(m, &m->sections[header->e_shstrndx]);
    m->names_size = m->sections[header->e_shstrndx].sh_size;
    return m->names != NULL && m->names_size > 0 && m->names[m->names_size - 1] == '\0';
}

static bool has_sleds(const struct image *m)
{
    for (size_t i = 0; i < m->section_count; ++i)
        if (m->sections[i].sh_name < m->names_size && m->sections[i].sh_size > 0 &&
            strcmp(m->names + m->sections[i].sh_name, "xray_instr_map") == 0)
            return true;
    return false;
}

static int take_base(struct dl_phdr_info *object, size_t size, void *base)
{
    (void)size;
    *(ElfW(Addr) *)base = object->dlpi_addr;
    return 1; /* the first one is the program */
}

static void take_symbol(struct xray_runtime *out, const char *name, uintptr_t address)
{
    for (size_t i = 0; i < WANTED_COUNT; ++i)
        if (strcmp(wanted[i].name, name) == 0)
            memcpy((char *)out + wanted[i].member, &address, sizeof address);
}

static void take_symbols(struct xray_runtime *out, const struct image *m, const ElfW(Shdr) * table)
{
    ElfW(Addr) base = 0;
    if (table->sh_link >= m->section_count)
        return;
    const ElfW(Shdr) *names_section = &m->sections[table->sh_link];
    const ElfW(Sym) *symbols = section_bytes(m, table);
    const char *names = section_bytes(m, names_section);
    if (symbols == NULL || names == NULL || table->sh_offset % _Alignof(ElfW(Sym)) != 0 ||
        names_section->sh_size == 0 || names[names_section->sh_size - 1] != '\0')
        return;
    dl_iterate_phdr(take_base, &base);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; ++i)
        if (symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_name < names_section->sh_size &&
            names[symbols[i].st_name] == '_')
            take_symbol(out, names + symbols[i].st_name, (uintptr_t)(base + symbols[i].st_value));
}

static bool is_complete(const struct xray_runtime *r)
{
    for (size_t i = 0; i < WANTED_COUNT; ++i) {
        uintptr_t address;
        memcpy(&address, (const char *)r + wanted[i].member, sizeof address);
        if (address == 0)
            return false;
    }
    return true;
}

enum xray_runtime_state xray_runtime_find(struct xray_runtime *out)
{
    struct image m;
    enum xray_runtime_state state = XRAY_RUNTIME_ABSENT;
    *out = (struct xray_runtime){.init = NULL};
    if (!image_open(&m))
        return state;
    if (find_sections(&m) && has_sleds(&m)) {
        for (size_t i = 0; i < m.section_count; ++i)
            if (m.sections[i].sh_type == SHT_SYMTAB)
                take_symbols(out, &m, &m.sections[i]);
        state = is_complete(out) ? XRAY_RUNTIME_FOUND : XRAY_RUNTIME_STRIPPED;
    }
    munmap((void *)m.bytes, m.size);
    return state;
}
