/* SPDX-License-Identifier: MIT */
#include "run/no_calls.h"

#include "run/program_file.h"

#include <elf.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_segment(Elf *elf, uint32_t type)
{
    size_t count = 0;
    GElf_Phdr segment;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; ++i)
        if (gelf_getphdr(elf, (int)i, &segment) != NULL && segment.p_type == type)
            return true;
    return false;
}

/* Returns true if the dynamic section needs a library whose name begins with `library`. */
static bool needs(Elf *elf, const char *library)
{
    GElf_Shdr header;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        if (gelf_getshdr(s, &header) == NULL || header.sh_type != SHT_DYNAMIC || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(s, NULL);
        GElf_Dyn entry;
        for (int i = 0; data != NULL && gelf_getdyn(data, i, &entry) != NULL; ++i) {
            const char *name =
                entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;
            if (name != NULL && strncmp(name, library, strlen(library)) == 0)
                return true;
        }
    }
    return false;
}

static const char *reason_in(Elf *elf)
{
    if (has_segment(elf, PT_LOAD) && !has_segment(elf, PT_INTERP))
        return "is statically linked: no library can be preloaded into it";
    if (needs(elf, "libvulkan."))
        return "uses Vulkan, which is not recorded";
    return NULL;
}

/* The loader does not preload anything from the user's directories into such a program (ld.so(8),
 * "Secure-execution mode"). */
static bool is_privileged(const struct stat *st)
{
    return ((st->st_mode & S_ISUID) != 0 && st->st_uid != geteuid()) ||
           ((st->st_mode & S_ISGID) != 0 && st->st_gid != getegid());
}

const char *no_calls_reason(const char *program)
{
    int fd = program_file_open(program);
    struct stat st;
    const char *reason = NULL;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && is_privileged(&st))
        reason = "is setuid or setgid: no library can be preloaded into it";
    elf_version(EV_CURRENT);
    Elf *elf = reason == NULL ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
        reason = reason_in(elf);
    elf_end(elf);
    close(fd);
    return reason;
}
