/* SPDX-License-Identifier: MIT
 * The functions of an ELF file's symbol table, by address.
 */
#ifndef SYMBOLS_ELF_SYMBOLS_H
#define SYMBOLS_ELF_SYMBOLS_H

#include "base/hash_map.h"
#include "symbols/address_map.h"
#include "symbols/elf_file.h"

struct elf_symbol {
    uint64_t address;
    uint64_t size;    /* in bytes; 0: up to the next symbol */
    const char *name; /* lent by the file */
    uint8_t rank;     /* the highest one is used if several symbols have the same address */
};

/* Zero-initialise it before use. */
struct elf_symbols {
    struct elf_symbol *items; /* sorted by address, then by ascending rank */
    size_t count;
    size_t room;
    struct address_map map;
    struct string_map by_name; /* indexes of items; filled in when it is first needed */
    bool has_names;
};

void elf_symbols_fini(struct elf_symbols *s);

/* Reads .symtab (type SHT_SYMTAB) or .dynsym (SHT_DYNSYM) of f, which must outlive s. If the file does not
 * have the table, there are no symbols. Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int elf_symbols_load(struct elf_symbols *s, struct elf_file *f, uint32_t type);

/* Returns the innermost function that contains the address, or NULL. Lent. */
const struct elf_symbol *elf_symbols_find(const struct elf_symbols *s, uint64_t address);

/* Returns the function with this name, mangled or demangled, or NULL if there is none, or if there are
 * several. Lent.
 */
const struct elf_symbol *elf_symbols_find_name(struct elf_symbols *s, const char *name);

#endif
