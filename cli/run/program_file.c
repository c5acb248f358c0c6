/* SPDX-License-Identifier: MIT */
#include "run/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int program_file_open(const char *program)
{
    const char *path = getenv("PATH");
    char name[PATH_MAX];
    if (strchr(program, '/') != NULL || path == NULL)
        return open(program, O_RDONLY | O_CLOEXEC);
    for (const char *at = path;; ++at) {
        size_t n = strcspn(at, ":");
        int length = snprintf(name, sizeof name, "%.*s/%s", (int)n, n > 0 ? at : ".", program);
        if (length > 0 && (size_t)length < sizeof name && access(name, X_OK) == 0)
            return open(name, O_RDONLY | O_CLOEXEC);
        at += n;
        if (*at == '\0')
            return -1;
    }
}

/* Reads the beginning of an ELF file; it is the same for 32 and 64 bits. Returns false if the file is none.
 */
static bool read_header(int fd, Elf32_Ehdr *out)
{
    return read(fd, out, sizeof *out) == (ssize_t)sizeof *out && memcmp(out->e_ident, ELFMAG, SELFMAG) == 0;
}

enum program_kind program_file_kind(const char *program)
{
    Elf32_Ehdr own, header;
    int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), fd = program_file_open(program);
    enum program_kind kind = PROGRAM_NATIVE;
    if (self >= 0 && fd >= 0 && read_header(self, &own) && read_header(fd, &header) &&
        (header.e_machine != own.e_machine || header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS]))
        kind = header.e_machine == EM_386 && own.e_machine == EM_X86_64 ? PROGRAM_32_BIT : PROGRAM_FOREIGN;
    if (self >= 0)
        close(self);
    if (fd >= 0)
        close(fd);
    return kind;
}
