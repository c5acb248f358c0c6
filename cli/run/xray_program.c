/* SPDX-License-Identifier: MIT */
#include "run/xray_program.h"

#include "run/program_file.h"

#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool has_interpreter(Elf *elf)
{
    size_t count = 0;
    GElf_Phdr segment;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; ++i)
        if (gelf_getphdr(elf, (int)i, &segment) != NULL && segment.p_type == PT_INTERP)
            return true;
    return false;
}

static enum xray_program examine(Elf *elf)
{
    bool has_sleds = false, has_symbols = false;
    size_t names;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return XRAY_PROGRAM_UNKNOWN;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        const char *name = gelf_getshdr(s, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        has_sleds |= name != NULL && strcmp(name, "xray_instr_map") == 0 && header.sh_size > 0;
        has_symbols |= name != NULL && header.sh_type == SHT_SYMTAB;
    }
    if (!has_sleds)
        return XRAY_PROGRAM_PLAIN;
    if (!has_interpreter(elf))
        return XRAY_PROGRAM_STATIC;
    return has_symbols ? XRAY_PROGRAM_INSTRUMENTED : XRAY_PROGRAM_STRIPPED;
}

enum xray_program xray_program_examine(const char *program)
{
    enum xray_program result = XRAY_PROGRAM_UNKNOWN;
    int fd = program_file_open(program);
    if (fd < 0)
        return result;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
        result = examine(elf);
    elf_end(elf);
    close(fd);
    return result;
}
