/* SPDX-License-Identifier: MIT
 * The addresses of a DIE's code: low and high, or a list of ranges in .debug_ranges or .debug_rnglists.
 */
#ifndef SYMBOLS_DWARF_RANGES_H
#define SYMBOLS_DWARF_RANGES_H

#include "symbols/dwarf_die.h"

struct dwarf_range {
    uint64_t low;
    uint64_t high; /* the address after the last byte */
};

/* Zero-initialise it before use. */
struct dwarf_range_list {
    struct dwarf_range *items; /* owned */
    size_t count;
    size_t room;
};

/* Replaces the contents of list by the ranges of a DIE. The list is empty if the DIE has no code, or if its
 * ranges make no sense. Errors: TRACE_ERR_MEMORY. */
int dwarf_range_list_read(struct dwarf_range_list *list, const struct dwarf_data *data,
                          const struct dwarf_head *head, const struct dwarf_die *die);

#endif
