/* SPDX-License-Identifier: MIT
 * The functions of an ELF file's symbol table, by address.
 */
#ifndef SYMBOLS_ELF_SYMBOLS_H
#define SYMBOLS_ELF_SYMBOLS_H

#include "symbols/address_map.h"
#include "symbols/elf_file.h"

struct elf_symbol {
    uint64_t address;
    uint64_t size;    /* bytes; 0: as far as the next symbol */
    const char *name; /* lent by the file */
    uint8_t rank;     /* of several at one address the highest counts */
};

/* Zero-initialise before use. */
struct elf_symbols {
    struct elf_symbol *items; /* by address, and from low to high rank */
    size_t count;
    size_t room;
    struct address_map map;
};

void elf_symbols_fini(struct elf_symbols *s);

/* Reads .symtab (type SHT_SYMTAB) or .dynsym (SHT_DYNSYM) of f, which must outlive s. A file without one has
 * no symbols. TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int elf_symbols_load(struct elf_symbols *s, struct elf_file *f, uint32_t type);

/* The innermost function around the address, or NULL. Lent. */
const struct elf_symbol *elf_symbols_find(const struct elf_symbols *s, uint64_t address);

#endif
