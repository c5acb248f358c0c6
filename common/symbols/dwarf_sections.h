/* SPDX-License-Identifier: MIT
 * The sections of an ELF file that hold debug information.
 */
#ifndef SYMBOLS_DWARF_SECTIONS_H
#define SYMBOLS_DWARF_SECTIONS_H

#include "symbols/dwarf_die.h"

#define DWARF_SECTIONS_MAX 14

struct dwarf_sections {
    struct elf_file *file;
    size_t indexes[DWARF_SECTIONS_MAX]; /* in the ELF file */
    size_t count;
};

/* Loads the sections of file, which must outlive s. Errors: TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED,
 * TRACE_ERR_MEMORY. */
int dwarf_sections_init(struct dwarf_sections *s, struct elf_file *file);

/* Fills in the sections of *out, which are lent by the file. The other members are 0. */
void dwarf_sections_data(const struct dwarf_sections *s, struct dwarf_data *out);

/* Fills in *out for a .dwo file. It takes from the skeleton's file what .dwo files do not have. */
void dwarf_sections_split_data(const struct dwarf_sections *s, const struct dwarf_data *skeleton,
                               struct dwarf_data *out);

#endif
