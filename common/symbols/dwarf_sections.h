/* SPDX-License-Identifier: MIT
 * The sections that libdwarf gets of an ELF file: only those with debug information, through its interface
 * for object files.
 */
#ifndef SYMBOLS_DWARF_SECTIONS_H
#define SYMBOLS_DWARF_SECTIONS_H

#include "symbols/dwarf_die.h"

#include <libdwarf/libdwarf.h>

#define DWARF_SECTIONS_MAX 32

/* Must not be moved while libdwarf uses it. */
struct dwarf_sections {
    struct elf_file *file;
    size_t indexes[DWARF_SECTIONS_MAX]; /* indexes in the ELF file; the first is 0, as libdwarf requires */
    size_t shown;                       /* number of the sections that libdwarf sees; they come first */
    size_t count;
    Dwarf_Obj_Access_Interface access; /* for dwarf_object_init_b() */
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
