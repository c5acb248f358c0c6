/* SPDX-License-Identifier: MIT
 * A compilation unit: its functions, including inlined ones, and its lines, by address.
 */
#ifndef SYMBOLS_DWARF_UNIT_H
#define SYMBOLS_DWARF_UNIT_H

#include "base/arena.h"
#include "symbols/address_map.h"
#include "symbols/dwarf_lines.h"
#include "symbols/dwarf_ranges.h"

#define DWARF_NO_FUNCTION UINT32_MAX

struct dwarf_function {
    uint64_t die;    /* offset in .debug_info */
    uint64_t entry;  /* lowest address of the function */
    uint32_t parent; /* the function into which it is inlined, or DWARF_NO_FUNCTION */
    bool inlined;
    bool named;         /* the names below have been looked up */
    uint32_t call_file; /* place of the inlined call: a file number of the unit; 0: unknown. A line of 0 is
                           unknown, too */
    uint32_t call_line;
    const char *name; /* name in the source; NULL: unknown; lent, like the next member */
    const char *linkage_name;
};

struct dwarf_unit {
    Dwarf_Debug debug; /* of the unit's file; borrowed */
    struct dwarf_function *functions;
    size_t function_count;
    size_t function_room;
    struct address_map map; /* maps addresses to indexes of functions */
    struct dwarf_lines lines;
    size_t memory; /* bytes */
};

/* Reads the unit whose DIE is at this offset of .debug_info. Code below `lowest` is ignored. sections and
 * debug must outlive the unit. The caller owns *out and closes it with dwarf_unit_close(). Errors:
 * TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int dwarf_unit_open(struct dwarf_unit **out, const struct dwarf_sections *sections, Dwarf_Debug debug,
                    uint64_t die, uint64_t lowest);
void dwarf_unit_close(struct dwarf_unit *u); /* u may be NULL */

/* Returns the innermost function that contains the address, with its names, or NULL if there is none. Lent.
 */
const struct dwarf_function *dwarf_unit_find_function(struct dwarf_unit *u, uint64_t address);

/* Returns the function into which f is inlined, with its names, or NULL if f is not inlined. Lent. */
const struct dwarf_function *dwarf_unit_parent(struct dwarf_unit *u, const struct dwarf_function *f);

#endif
