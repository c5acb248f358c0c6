/* SPDX-License-Identifier: MIT
 * The addresses of a DIE's code: a low and a high address, or a list of ranges in .debug_ranges or
 * .debug_rnglists. The lists are not read with libdwarf 20210528, which does not check the offsets in them.
 */
#ifndef SYMBOLS_DWARF_RANGES_H
#define SYMBOLS_DWARF_RANGES_H

#include "symbols/dwarf_sections.h"

#include <stdint.h>

/* The base addresses and offsets for the lists of a unit. */
struct dwarf_range_bases {
    uint16_t version; /* DWARF version */
    uint8_t address_size;
    uint8_t offset_size;
    uint64_t low;      /* the unit's DW_AT_low_pc, or 0 */
    uint64_t addr;     /* start of its part of .debug_addr */
    uint64_t rnglists; /* start of its part of .debug_rnglists */
    uint64_t ranges;   /* offset in .debug_ranges, for GNU's split units */
    uint64_t lowest;   /* code at lower addresses was removed by the linker */
};

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

/* Reads the bases of the unit with this DIE. */
void dwarf_range_bases_read(struct dwarf_range_bases *out, Dwarf_Debug debug, Dwarf_Die unit);

/* Replaces the contents of list by the ranges of the DIE. The list is empty if there are none, or if they are
 * invalid. sections: of the file that contains the lists and addresses. Errors: TRACE_ERR_MEMORY. */
int dwarf_range_list_read(struct dwarf_range_list *list, const struct dwarf_range_bases *bases,
                          const struct dwarf_sections *sections, Dwarf_Debug debug, Dwarf_Die die);

#endif
