/* SPDX-License-Identifier: MIT
 * A .dwo file, with the DIEs of a unit of which the program has only a skeleton (split DWARF, DWARF
 * 5, 7.3.2).
 */
#ifndef SYMBOLS_DWARF_SPLIT_H
#define SYMBOLS_DWARF_SPLIT_H

#include "symbols/dwarf_index.h"
#include "symbols/dwarf_sections.h"

struct dwarf_split {
    struct elf_file *elf;
    struct dwarf_sections sections;
    struct dwarf_index index;
    size_t number; /* of the unit in the index */
};

/* Opens the .dwo file of a skeleton unit. file: the path of the file with the skeleton, whose sections are
 * data; head, first: the skeleton's. data must outlive *out. The caller owns *out and closes it with
 * dwarf_split_close(). Errors: TRACE_ERR_IO, TRACE_ERR_FORMAT (also if the .dwo file is of another build),
 * TRACE_ERR_MEMORY. */
int dwarf_split_open(struct dwarf_split **out, const char *file, const struct dwarf_data *data,
                     const struct dwarf_head *head, const struct dwarf_die *first);
void dwarf_split_close(struct dwarf_split *s); /* s may be NULL */

#endif
