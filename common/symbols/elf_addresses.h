/* SPDX-License-Identifier: MIT
 * The addresses in an ELF file's data as the dynamic linker leaves them, for a file that is loaded where it
 * says. In a position-independent program they are in relocations, and what stands in their place is mostly
 * 0.
 */
#ifndef SYMBOLS_ELF_ADDRESSES_H
#define SYMBOLS_ELF_ADDRESSES_H

#include "symbols/elf_file.h"

struct elf_address {
    uint64_t place;
    uint64_t value;
};

/* Zero-initialise it before use. */
struct elf_addresses {
    struct elf_address *items; /* by ascending places, after reading */
    size_t count;
    size_t room;
};

/* Reads what relocations store in a range of addresses, where they do not take it from its place. Errors:
 * TRACE_ERR_MEMORY. */
int elf_addresses_read(struct elf_addresses *a, const struct elf_file *f, uint64_t from, uint64_t to);
void elf_addresses_fini(struct elf_addresses *a);

/* Returns what is stored at a place, or `stored`, what stands there in the file. */
uint64_t elf_addresses_get(const struct elf_addresses *a, uint64_t place, uint64_t stored);

/* Reads an address of the file's size and order of bytes. */
uint64_t elf_address_decode(const struct elf_file *f, const uint8_t *bytes);

#endif
