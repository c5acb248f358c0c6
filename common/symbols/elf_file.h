/* SPDX-License-Identifier: MIT
 * An ELF file: its sections, segments and build-id. Everything is checked here before it is passed to libelf:
 * every section is inside the file, and its decompressed size is plausible.
 */
#ifndef SYMBOLS_ELF_FILE_H
#define SYMBOLS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;

struct elf_segment { /* a loadable segment */
    uint64_t address;
    uint64_t offset; /* file offset */
    uint64_t file_size;
    uint64_t memory_size;
};

struct elf_section {
    const char *name; /* lent, like data */
    uint32_t type;    /* SHT_… */
    uint64_t flags;   /* SHF_… */
    uint64_t address;
    uint64_t size;       /* size of data in bytes; after loading, the decompressed size */
    const uint8_t *data; /* NULL: not loaded, or there is none */
    uint32_t link;
    bool loaded;
};

struct elf_file {
    char *path;
    int file;
    struct Elf *elf;
    uint64_t size;
    bool little_endian;
    uint8_t pointer_size; /* 4 or 8 */
    uint16_t type;        /* ET_EXEC, ET_DYN, ET_REL */
    uint16_t machine;     /* EM_… */
    struct elf_section *sections;
    size_t section_count;
    struct elf_segment *segments;
    size_t segment_count;
    const uint8_t *build_id; /* points into the file's memory */
    size_t build_id_size;    /* in bytes; 0: the file has none */
};

/* Opens the file at path. If the file changes while it is open, what is read from it makes no sense. The
 * caller owns *out and closes it with elf_file_close(). Errors: TRACE_ERR_IO (the file cannot be opened),
 * TRACE_ERR_FORMAT (it is not an ELF file of a supported kind, or it is damaged; the message names it),
 * TRACE_ERR_MEMORY. */
int elf_file_open(struct elf_file **out, const char *path);
void elf_file_close(struct elf_file *f); /* f may be NULL */

/* Returns the index of the section with this name, or 0 if there is none. A section .zdebug_NAME is found as
 * .debug_NAME. */
size_t elf_file_find_section(const struct elf_file *f, const char *name);

/* Loads a section: sets its data and size to the decompressed contents. data stays NULL if the file does not
 * contain the section's data. Errors: TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int elf_file_load(struct elf_file *f, size_t section);

/* Returns the address at which the file's first page is mapped, in the file's own address space. It is 0,
 * except for programs that are linked to fixed addresses. */
uint64_t elf_file_base(const struct elf_file *f);

/* Converts a file offset to an address. Returns false if it is not in a loadable segment. */
bool elf_file_address_of(const struct elf_file *f, uint64_t offset, uint64_t *address);

#endif
