/* SPDX-License-Identifier: MIT
 * Reads attributes of a DIE. An attribute that cannot be read counts as missing: debug information is more
 * often incomplete than wrong, and the rest of it is still useful.
 */
#ifndef SYMBOLS_DWARF_ATTRIBUTES_H
#define SYMBOLS_DWARF_ATTRIBUTES_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads a number. Returns false if it is missing. */
bool dwarf_get_number(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute, uint64_t *out);

/* Reads an offset in a section. form receives its DW_FORM_…; for DW_FORM_rnglistx, *out is an index instead.
 */
bool dwarf_get_offset(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute, uint64_t *out,
                      Dwarf_Half *form);

/* Returns a string, lent by its section, or NULL if it is missing. */
const char *dwarf_get_text(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute);

/* Reads the attributes DW_AT_low_pc and DW_AT_high_pc as addresses. The second may be missing; *high is 0
 * then. */
bool dwarf_get_addresses(Dwarf_Debug debug, Dwarf_Die die, uint64_t *low, uint64_t *high);

/* Frees the error of a libdwarf function. Returns true if its result is DW_DLV_OK. */
bool dwarf_succeeded(Dwarf_Debug debug, int result, Dwarf_Error error);

#endif
