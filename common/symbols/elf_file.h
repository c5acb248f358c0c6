/* SPDX-License-Identifier: MIT
 * An ELF file: its sections, segments and build-id. What libelf and libdwarf are given has been checked here
 * before: every section lies in the file, and none grows beyond reason when it is decompressed.
 */
#ifndef SYMBOLS_ELF_FILE_H
#define SYMBOLS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;

struct elf_segment { /* one that is loaded */
    uint64_t address;
    uint64_t offset; /* in the file */
    uint64_t file_size;
    uint64_t memory_size;
};

struct elf_section {
    const char *name; /* lent, as is data */
    uint32_t type;    /* SHT_… */
    uint64_t flags;   /* SHF_… */
    uint64_t address;
    uint64_t size;       /* bytes of data, decompressed once that is loaded */
    const uint8_t *data; /* NULL: not loaded, or there is none */
    uint32_t link;
    bool loaded;
};

struct elf_file {
    char *path;
    struct Elf *elf;
    uint64_t size;
    bool little_endian;
    uint8_t pointer_size; /* 4 or 8 */
    uint16_t type;        /* ET_EXEC, ET_DYN, ET_REL */
    struct elf_section *sections;
    size_t section_count;
    struct elf_segment *segments;
    size_t segment_count;
    const uint8_t *build_id; /* in the file's memory */
    size_t build_id_size;    /* bytes; 0: it has none */
};

/* The caller owns *out (elf_file_close). The file must stay as it is while it is open. TRACE_ERR_IO: it
 * cannot be opened; TRACE_ERR_FORMAT: it is no ELF file of the kind, or a damaged one; the message names it.
 */
int elf_file_open(struct elf_file **out, const char *path);
void elf_file_close(struct elf_file *f); /* NULL is fine */

/* The index of the section called so, 0 if there is none. A section .zdebug_NAME has .debug_NAME's name. */
size_t elf_file_find_section(const struct elf_file *f, const char *name);

/* Makes data and size of a section those of its contents, decompressed. data stays NULL where the file has
 * none of it. TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int elf_file_load(struct elf_file *f, size_t section);

/* The address at which the file's first page is mapped, in its own address space: 0 but in programs that are
 * linked to fixed addresses. */
uint64_t elf_file_base(const struct elf_file *f);

/* The address of a place in the file. False: it is not loaded. */
bool elf_file_address_of(const struct elf_file *f, uint64_t offset, uint64_t *address);

#endif
