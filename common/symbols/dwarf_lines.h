/* SPDX-License-Identifier: MIT
 * The line table of a compilation unit.
 */
#ifndef SYMBOLS_DWARF_LINES_H
#define SYMBOLS_DWARF_LINES_H

#include "base/arena.h"
#include "symbols/address_map.h"
#include "symbols/dwarf_die.h"

struct dwarf_line {
    uint64_t address; /* start of the line's code; it ends where the next line begins */
    uint32_t file;
    uint32_t line; /* 0: the code belongs to no line */
};

struct dwarf_line_sequence { /* lines with ascending addresses */
    uint32_t first;
    uint32_t count;
};

/* Zero-initialise it before use. */
struct dwarf_lines {
    struct dwarf_line *lines;
    size_t line_count;
    size_t line_room;
    struct dwarf_line_sequence *sequences;
    size_t sequence_count;
    size_t sequence_room;
    struct address_map map; /* maps addresses to indexes of sequences */
    struct arena texts;
    const char **files; /* full paths by file number; NULL: there is none with this number */
    size_t file_count;
    size_t file_room;
    size_t memory; /* bytes */
};

/* Reads the table at this offset of data->line. directory: DW_AT_comp_dir of the unit; may be NULL. Code
 * below data->lowest is ignored. Of a damaged table, *out has what comes before the damage. Errors:
 * TRACE_ERR_MEMORY. */
int dwarf_lines_read(struct dwarf_lines *out, const struct dwarf_data *data, const struct dwarf_head *unit,
                     uint64_t table, const char *directory);
void dwarf_lines_fini(struct dwarf_lines *l);

/* Returns the line of an address, or NULL if it is unknown. Lent. */
const struct dwarf_line *dwarf_lines_find(const struct dwarf_lines *l, uint64_t address);

/* Returns the path of the file with this number, or NULL if it is unknown. Lent. */
const char *dwarf_lines_file(const struct dwarf_lines *l, uint64_t number);

#endif
