/* SPDX-License-Identifier: MIT
 * A compilation unit: its functions, those that were inlined among them, and its lines, by address.
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
    uint64_t entry;  /* lowest address */
    uint32_t parent; /* the function that it is inlined into, or DWARF_NO_FUNCTION */
    bool inlined;
    bool named;         /* the names below have been looked for */
    uint32_t call_file; /* where it is inlined: a number of the unit's files; 0: unknown, as is a line 0 */
    uint32_t call_line;
    const char *name; /* as the source has it; NULL: unknown; lent, as is the next */
    const char *linkage_name;
};

struct dwarf_unit {
    Dwarf_Debug debug; /* of the file that it is in; borrowed */
    struct dwarf_function *functions;
    size_t function_count;
    size_t function_room;
    struct address_map map; /* to the index of a function */
    struct dwarf_lines lines;
    size_t memory; /* bytes */
};

/* Reads the unit whose DIE is at this offset of .debug_info. lowest: code below it is ignored. The caller
 * owns *out (dwarf_unit_close). sections and debug must outlive it. TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int dwarf_unit_open(struct dwarf_unit **out, const struct dwarf_sections *sections, Dwarf_Debug debug,
                    uint64_t die, uint64_t lowest);
void dwarf_unit_close(struct dwarf_unit *u); /* NULL is fine */

/* The innermost function around the address, with its names; NULL: none. Lent. */
const struct dwarf_function *dwarf_unit_find_function(struct dwarf_unit *u, uint64_t address);

/* The function into which f is inlined, with its names; NULL: it is not inlined. Lent. */
const struct dwarf_function *dwarf_unit_parent(struct dwarf_unit *u, const struct dwarf_function *f);

#endif
