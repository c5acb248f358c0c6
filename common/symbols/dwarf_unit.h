/* SPDX-License-Identifier: MIT
 * A compilation unit: its functions, including inlined ones, and its lines, by address.
 */
#ifndef SYMBOLS_DWARF_UNIT_H
#define SYMBOLS_DWARF_UNIT_H

#include "symbols/address_map.h"
#include "symbols/dwarf_index.h"
#include "symbols/dwarf_lines.h"
#include "symbols/dwarf_split.h"

#define DWARF_NO_FUNCTION UINT32_MAX

struct dwarf_function {
    uint64_t die;       /* offset in .debug_info */
    uint64_t entry;     /* lowest address */
    uint32_t parent;    /* index of the function that contains this inlined one, or DWARF_NO_FUNCTION */
    uint32_t call_file; /* number of the file where it is inlined; 0: unknown; likewise call_line */
    uint32_t call_line;
    bool inlined;
    bool named; /* names has been filled in */
    struct dwarf_names names;
};

/* Zero-initialise before use. */
struct dwarf_unit {
    struct dwarf_split *split; /* the file that contains its DIEs, if it is a .dwo file; owned */
    struct dwarf_index *index; /* of the file that contains its DIEs; borrowed */
    struct dwarf_function *functions;
    size_t function_count;
    size_t function_room;
    struct address_map map; /* maps addresses to indexes of functions */
    struct dwarf_lines lines;
};

void dwarf_unit_fini(struct dwarf_unit *u);

/* Reads the functions of the unit with this number in the index, which must outlive u. Reading stops at the
 * first DIE that makes no sense. Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int dwarf_unit_read_functions(struct dwarf_unit *u, struct dwarf_index *index, size_t number);

/* Returns the innermost function that contains the address, with its names, or NULL if there is none. Lent.
 */
const struct dwarf_function *dwarf_unit_find_function(struct dwarf_unit *u, uint64_t address);

/* Returns the function into which f is inlined, with its names, or NULL if f is not inlined. Lent. */
const struct dwarf_function *dwarf_unit_parent(struct dwarf_unit *u, const struct dwarf_function *f);

/* Bytes on the heap. */
size_t dwarf_unit_memory(const struct dwarf_unit *u);

#endif
