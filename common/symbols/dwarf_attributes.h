/* SPDX-License-Identifier: MIT
 * Attributes of a DIE. One that is missing or cannot be read is not there: debug information says less than
 * it could more often than it is wrong, and what it says elsewhere is still good.
 */
#ifndef SYMBOLS_DWARF_ATTRIBUTES_H
#define SYMBOLS_DWARF_ATTRIBUTES_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdbool.h>
#include <stdint.h>

/* False: not there. */
bool dwarf_get_number(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute, uint64_t *out);

/* An offset in a section; form: DW_FORM_…. *out is an index where the form is DW_FORM_rnglistx. */
bool dwarf_get_offset(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute, uint64_t *out,
                      Dwarf_Half *form);

/* A string, lent by the section that it is in, or NULL. */
const char *dwarf_get_text(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute);

/* The attributes DW_AT_low_pc and DW_AT_high_pc as addresses. The second may be missing: *high is 0. */
bool dwarf_get_addresses(Dwarf_Debug debug, Dwarf_Die die, uint64_t *low, uint64_t *high);

/* Frees the error of a libdwarf function. True if its result is DW_DLV_OK. */
bool dwarf_succeeded(Dwarf_Debug debug, int result, Dwarf_Error error);

#endif
