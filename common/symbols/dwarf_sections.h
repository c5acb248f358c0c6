/* SPDX-License-Identifier: MIT
 * What libdwarf sees of an ELF file: the sections of debug information alone, by its own interface to object
 * files.
 */
#ifndef SYMBOLS_DWARF_SECTIONS_H
#define SYMBOLS_DWARF_SECTIONS_H

#include "symbols/elf_file.h"

#include <libdwarf/libdwarf.h>

#define DWARF_SECTIONS_MAX 32

/* Must not be moved while libdwarf uses it. */
struct dwarf_sections {
    struct elf_file *file;
    size_t indexes[DWARF_SECTIONS_MAX]; /* in the ELF file; the first is 0, as libdwarf wants it */
    size_t count;
    Dwarf_Obj_Access_Interface access; /* for dwarf_object_init_b() */
};

/* file must outlive s. Loads the sections. TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int dwarf_sections_init(struct dwarf_sections *s, struct elf_file *file);

/* NULL: there is none of this name, or it is empty. Lent by the file. */
const struct elf_section *dwarf_sections_find(const struct dwarf_sections *s, const char *name);

#endif
