/* SPDX-License-Identifier: MIT
 * The debug information of an ELF file: its compilation units by address. Each unit is read when it is first
 * needed.
 */
#ifndef SYMBOLS_DWARF_FILE_H
#define SYMBOLS_DWARF_FILE_H

#include "symbols/address_map.h"
#include "symbols/dwarf_index.h"
#include "symbols/dwarf_sections.h"
#include "symbols/dwarf_unit.h"

/* What has been read of a unit. */
struct dwarf_loaded {
    struct dwarf_unit *unit; /* NULL: not read yet */
    size_t memory;           /* size of the unit in bytes */
    uint64_t last_use;
    bool failed; /* part of it cannot be read */
};

struct dwarf_file {
    struct elf_file *elf; /* lent */
    struct dwarf_sections sections;
    struct dwarf_index index;
    struct dwarf_sections alternate_sections; /* of what several files have in common */
    struct dwarf_index alternate;
    struct dwarf_loaded *loaded; /* one for each unit of the index */
    struct address_map map;      /* maps addresses to numbers of units in the index */
    size_t memory;               /* size in bytes of the units that have been read */
};

/* Opens the debug information of elf. alternate: the file that its .gnu_debugaltlink names; NULL: none. Both
 * must outlive *out. *out is NULL if there is no debug information; the caller owns it and closes it with
 * dwarf_file_close(). Errors: TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int dwarf_file_open(struct dwarf_file **out, struct elf_file *elf, struct elf_file *alternate);
void dwarf_file_close(struct dwarf_file *f); /* f may be NULL */

/* Finds the unit that contains the code at this address. *out is NULL if there is none; it is lent until
 * dwarf_file_forget_oldest(). now: a counter of uses, stored as the unit's last use. If only part of it can
 * be read, *out has that part. Errors: TRACE_ERR_MEMORY, and others, once for each unit that cannot be read
 * as a whole. */
int dwarf_file_find_unit(struct dwarf_file *f, uint64_t address, uint64_t now, struct dwarf_unit **out);

/* Returns the last use of the least recently used unit, or UINT64_MAX if no unit has been read. */
uint64_t dwarf_file_oldest_use(const struct dwarf_file *f);

/* Frees that unit. It is read again when it is needed. */
void dwarf_file_forget_oldest(struct dwarf_file *f);

#endif
