/* SPDX-License-Identifier: MIT
 * The addresses of a DIE's code: low and high, or a list of ranges in .debug_ranges or .debug_rnglists. The
 * lists are read here and not by libdwarf 20210528, which trusts offsets in them.
 */
#ifndef SYMBOLS_DWARF_RANGES_H
#define SYMBOLS_DWARF_RANGES_H

#include "symbols/dwarf_sections.h"

#include <stdint.h>

/* What the lists of a unit are relative to. */
struct dwarf_range_bases {
    uint16_t version; /* of DWARF */
    uint8_t address_size;
    uint8_t offset_size;
    uint64_t low;      /* the unit's DW_AT_low_pc, or 0 */
    uint64_t addr;     /* of its part of .debug_addr */
    uint64_t rnglists; /* of its part of .debug_rnglists */
    uint64_t ranges;   /* of .debug_ranges, in split units of GNU's kind */
    uint64_t lowest;   /* code below this was left out by the linker */
};

struct dwarf_range {
    uint64_t low;
    uint64_t high; /* behind the last byte */
};

/* Zero-initialise before use. */
struct dwarf_range_list {
    struct dwarf_range *items; /* owned */
    size_t count;
    size_t room;
};

/* The bases of the unit whose DIE this is. */
void dwarf_range_bases_read(struct dwarf_range_bases *out, Dwarf_Debug debug, Dwarf_Die unit);

/* Puts the ranges of the DIE into list, in place of what it held. None where there are none, or where they
 * make no sense. sections: of the file with the lists and addresses. TRACE_ERR_MEMORY. */
int dwarf_range_list_read(struct dwarf_range_list *list, const struct dwarf_range_bases *bases,
                          const struct dwarf_sections *sections, Dwarf_Debug debug, Dwarf_Die die);

#endif
