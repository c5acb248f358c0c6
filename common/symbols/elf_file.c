/* SPDX-License-Identifier: MIT */
#include "symbols/elf_file.h"

#include "base/error.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTIONS_MAX     65000
#define SEGMENTS_MAX     65000
#define DECOMPRESSED_MAX (UINT64_C(4) << 30)
#define DEFLATE_RATIO    1040 /* Deflate expands data by a factor of at most 1032 */

static int damaged(const char *what)
{
    return trace_error_set(TRACE_ERR_FORMAT, "a damaged ELF file: %s", what);
}

static int out_of_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- sections and segments ------------------------------------------------------------------------- */

static bool lies_in_file(const struct elf_file *f, uint64_t offset, uint64_t size)
{
    return offset <= f->size && size <= f->size - offset;
}

static int read_section(struct elf_file *f, size_t index, size_t names)
{
    GElf_Shdr header;
    if (gelf_getshdr(elf_getscn(f->elf, index), &header) == NULL)
        return damaged("a section's header");
    if (header.sh_type != SHT_NOBITS && !lies_in_file(f, header.sh_offset, header.sh_size))
        return damaged("a section lies outside of the file");
    const char *name = elf_strptr(f->elf, names, header.sh_name);
    f->sections[index] = (struct elf_section){
        .name = name != NULL ? name : "",
        .type = header.sh_type,
        .flags = header.sh_flags,
        .address = header.sh_addr,
        .size = header.sh_size,
        .link = header.sh_link < f->section_count ? header.sh_link : 0,
    };
    return 0;
}

/* expected: the file's header says where the section headers are. */
static int read_sections(struct elf_file *f, bool expected)
{
    size_t names = 0;
    if (elf_getshdrnum(f->elf, &f->section_count) != 0)
        return damaged("the table of sections");
    if (expected && f->section_count == 0)
        return damaged("the table of sections lies outside of the file");
    if (f->section_count > SECTIONS_MAX)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "too many sections: %zu", f->section_count);
    if (f->section_count > 0 && elf_getshdrstrndx(f->elf, &names) != 0)
        return damaged("the table of sections' names");
    f->sections = calloc(f->section_count + 1, sizeof *f->sections);
    if (f->sections == NULL)
        return out_of_memory();
    f->sections[0].name = "";
    int rc = 0;
    for (size_t i = 1; i < f->section_count && rc == 0; ++i)
        rc = read_section(f, i, names);
    return rc;
}

static int read_segments(struct elf_file *f)
{
    size_t count;
    if (elf_getphdrnum(f->elf, &count) != 0 || count > SEGMENTS_MAX)
        return damaged("the table of segments");
    f->segments = calloc(count + 1, sizeof *f->segments);
    if (f->segments == NULL)
        return out_of_memory();
    for (size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(f->elf, (int)i, &header) == NULL)
            return damaged("a segment's header");
        if (header.p_type == PT_LOAD)
            f->segments[f->segment_count++] =
                (struct elf_segment){header.p_vaddr, header.p_offset, header.p_filesz, header.p_memsz};
    }
    return 0;
}

/* --- build-id -------------------------------------------------------------------------------------- */

static bool find_build_id(struct elf_file *f, Elf_Data *notes)
{
    GElf_Nhdr note;
    size_t at = 0, name, description;
    while (notes != NULL && notes->d_buf != NULL &&
           (at = gelf_getnote(notes, at, &note, &name, &description)) > 0) {
        const uint8_t *bytes = notes->d_buf;
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || memcmp(bytes + name, "GNU", 4) != 0 ||
            note.n_descsz == 0)
            continue;
        f->build_id = bytes + description;
        f->build_id_size = note.n_descsz;
        return true;
    }
    return false;
}

/* Files with only debug information have it in a section. Other files may have had their sections removed, so
 * it is taken from a segment. */
static void read_build_id(struct elf_file *f)
{
    size_t count = 0;
    for (size_t i = 1; i < f->section_count; ++i)
        if (f->sections[i].type == SHT_NOTE && find_build_id(f, elf_getdata(elf_getscn(f->elf, i), NULL)))
            return;
    if (elf_getphdrnum(f->elf, &count) != 0)
        return;
    for (size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(f->elf, (int)i, &header) == NULL || header.p_type != PT_NOTE ||
            !lies_in_file(f, header.p_offset, header.p_filesz))
            continue;
        Elf_Data *notes = elf_getdata_rawchunk(f->elf, (int64_t)header.p_offset, header.p_filesz,
                                               header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
        if (find_build_id(f, notes))
            return;
    }
}

/* --- opening --------------------------------------------------------------------------------------- */

static int read_head(struct elf_file *f)
{
    GElf_Ehdr header;
    if (elf_kind(f->elf) != ELF_K_ELF || gelf_getehdr(f->elf, &header) == NULL)
        return trace_error_set(TRACE_ERR_FORMAT, "not an ELF file");
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN && header.e_type != ET_REL)
        return trace_error_set(TRACE_ERR_FORMAT, "neither a program, nor a library, nor debug information");
    f->type = header.e_type;
    f->machine = header.e_machine;
    f->little_endian = header.e_ident[EI_DATA] == ELFDATA2LSB;
    f->pointer_size = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
    int rc = read_sections(f, header.e_shoff != 0);
    if (rc == 0)
        rc = read_segments(f);
    if (rc == 0)
        read_build_id(f);
    return rc;
}

/* Rejects pipes, which would block, and devices. */
static int open_regular(const char *path, uint64_t *size)
{
    struct stat st;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &st) != 0) {
        int error = errno;
        if (file >= 0)
            close(file);
        return trace_error_set_errno(TRACE_ERR_IO, error, "cannot be opened");
    }
    if (S_ISREG(st.st_mode)) {
        *size = (uint64_t)st.st_size;
        return file;
    }
    close(file);
    return trace_error_set(TRACE_ERR_FORMAT, "not a regular file");
}

/* The file is read, and not mapped: a mapped file that somebody shortens, such as a linker, would kill us by
 * SIGBUS. */
static int open_elf(struct elf_file *f, const char *path)
{
    f->path = strdup(path);
    if (f->path == NULL)
        return out_of_memory();
    elf_version(EV_CURRENT);
    f->file = open_regular(path, &f->size);
    if (f->file < 0)
        return f->file;
    f->elf = elf_begin(f->file, ELF_C_READ, NULL);
    return f->elf != NULL ? read_head(f) : trace_error_set(TRACE_ERR_FORMAT, "%s", elf_errmsg(-1));
}

int elf_file_open(struct elf_file **out, const char *path)
{
    struct elf_file *f = calloc(1, sizeof *f);
    if (f == NULL)
        return out_of_memory();
    f->file = -1;
    int rc = open_elf(f, path);
    if (rc != 0) {
        elf_file_close(f);
        return trace_error_prefix(rc, "%s", path);
    }
    *out = f;
    return 0;
}

void elf_file_close(struct elf_file *f)
{
    if (f == NULL)
        return;
    elf_end(f->elf);
    if (f->file >= 0)
        close(f->file);
    free(f->segments);
    free(f->sections);
    free(f->path);
    free(f);
}

/* --- contents -------------------------------------------------------------------------------------- */

size_t elf_file_find_section(const struct elf_file *f, const char *name)
{
    for (size_t i = 1; i < f->section_count; ++i) {
        const char *own = f->sections[i].name;
        if (strcmp(own, name) == 0 || (strncmp(own, ".zdebug_", 8) == 0 && strncmp(name, ".debug_", 7) == 0 &&
                                       strcmp(own + 8, name + 7) == 0))
            return i;
    }
    return 0;
}

static int check_decompressed(uint64_t size, uint64_t compressed)
{
    if (size > DECOMPRESSED_MAX || size / DEFLATE_RATIO > compressed)
        return damaged("a compressed section has no sensible size");
    return 0;
}

static int decompress(const struct elf_section *section, Elf_Scn *scn)
{
    GElf_Chdr header;
    if (gelf_getchdr(scn, &header) == NULL)
        return damaged("a compressed section's header");
    if (header.ch_type != ELFCOMPRESS_ZLIB)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "section %s is compressed in a way that is not supported", section->name);
    int rc = check_decompressed(header.ch_size, section->size);
    if (rc == 0 && elf_compress(scn, 0, 0) < 0)
        rc = damaged("a section cannot be decompressed");
    return rc;
}

/* The older GNU format: "ZLIB", the size as a big-endian number, and the data. */
static int decompress_gnu(const struct elf_section *section, Elf_Scn *scn)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    if (data == NULL || data->d_buf == NULL || data->d_size < 12 || memcmp(data->d_buf, "ZLIB", 4) != 0)
        return damaged("a compressed section's header");
    uint64_t size = 0;
    for (int i = 4; i < 12; ++i)
        size = size << 8 | ((const uint8_t *)data->d_buf)[i];
    int rc = check_decompressed(size, section->size);
    if (rc == 0 && elf_compress_gnu(scn, 0, 0) < 0)
        rc = damaged("a section cannot be decompressed");
    return rc;
}

int elf_file_load(struct elf_file *f, size_t index)
{
    struct elf_section *section = &f->sections[index];
    if (section->loaded || index == 0)
        return 0;
    Elf_Scn *scn = elf_getscn(f->elf, index);
    int rc = 0;
    if (section->type == SHT_NOBITS)
        section->size = 0;
    else if ((section->flags & SHF_COMPRESSED) != 0)
        rc = decompress(section, scn);
    else if (strncmp(section->name, ".zdebug_", 8) == 0)
        rc = decompress_gnu(section, scn);
    if (rc != 0)
        return trace_error_prefix(rc, "%s", f->path);
    section->loaded = true;
    Elf_Data *data = section->size > 0 ? elf_getdata(scn, NULL) : NULL;
    section->data = data != NULL ? data->d_buf : NULL;
    section->size = section->data != NULL ? data->d_size : 0;
    return 0;
}

uint64_t elf_file_base(const struct elf_file *f)
{
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 0; i < f->segment_count; ++i)
        if (f->segments[i].address < lowest)
            lowest = f->segments[i].address;
    return lowest != UINT64_MAX ? lowest & ~UINT64_C(0xfff) : 0;
}

bool elf_file_address_of(const struct elf_file *f, uint64_t offset, uint64_t *address)
{
    for (size_t i = 0; i < f->segment_count; ++i) {
        const struct elf_segment *s = &f->segments[i];
        if (offset >= s->offset && offset - s->offset < s->file_size) {
            *address = s->address + (offset - s->offset);
            return true;
        }
    }
    return false;
}
