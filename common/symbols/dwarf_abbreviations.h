/* SPDX-License-Identifier: MIT
 * The abbreviations of a unit, from .debug_abbrev: which attributes its DIEs have, and in which form.
 */
#ifndef SYMBOLS_DWARF_ABBREVIATIONS_H
#define SYMBOLS_DWARF_ABBREVIATIONS_H

#include "symbols/section_bytes.h"

/* The attributes that we use. */
enum dwarf_wanted {
    DWARF_LOW_PC,
    DWARF_HIGH_PC,
    DWARF_RANGES,
    DWARF_NAME,
    DWARF_LINKAGE_NAME,
    DWARF_ORIGIN, /* DW_AT_abstract_origin or DW_AT_specification: the DIE that has the name */
    DWARF_CALL_FILE,
    DWARF_CALL_LINE,
    DWARF_COMP_DIR,
    DWARF_STMT_LIST,
    DWARF_DWO_NAME,
    DWARF_DWO_ID,
    DWARF_ADDR_BASE,
    DWARF_RANGES_BASE,
    DWARF_RNGLISTS_BASE,
    DWARF_STR_OFFSETS_BASE,
    DWARF_WANTED_COUNT,
    DWARF_UNWANTED = DWARF_WANTED_COUNT,
};

struct dwarf_attribute {
    uint16_t form;    /* DW_FORM_…; 0: an unknown one above 65535 */
    uint8_t wanted;   /* enum dwarf_wanted */
    int64_t constant; /* of DW_FORM_implicit_const */
};

struct dwarf_abbreviation {
    uint64_t code;
    uint16_t tag; /* DW_TAG_…; 0: an unknown one above 65535 */
    bool has_children;
    uint32_t first; /* index of its first attribute */
    uint32_t count;
    uint32_t size; /* size of all attributes in bytes; 0: it varies */
};

struct dwarf_abbreviations {
    struct dwarf_abbreviation *items; /* sorted by code */
    size_t count;
    size_t room;
    struct dwarf_attribute *attributes;
    size_t attribute_count;
    size_t attribute_room;
};

/* The sizes of some forms depend on these. */
struct dwarf_sizes {
    uint16_t version; /* of DWARF */
    uint8_t address;  /* bytes */
    uint8_t offset;
};

/* Returns the size of a value of this form in bytes, or -1 if it is variable or unknown. */
int dwarf_form_size(uint16_t form, const struct dwarf_sizes *sizes);

/* Reads the table at r, up to the abbreviation with this code; 0: reads all. The caller owns *out and frees
 * it with dwarf_abbreviations_fini(). Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int dwarf_abbreviations_read(struct dwarf_abbreviations *out, struct section_bytes r,
                             const struct dwarf_sizes *sizes, uint64_t code);
void dwarf_abbreviations_fini(struct dwarf_abbreviations *a);

/* Returns the heap memory in bytes. */
size_t dwarf_abbreviations_memory(const struct dwarf_abbreviations *a);

/* Returns the abbreviation with this code, or NULL. Lent. */
const struct dwarf_abbreviation *dwarf_abbreviations_find(const struct dwarf_abbreviations *a, uint64_t code);

#endif
