/* SPDX-License-Identifier: MIT
 * All units of a file's debug information, and the names of functions. The name may be in another unit than
 * the code.
 */
#ifndef SYMBOLS_DWARF_INDEX_H
#define SYMBOLS_DWARF_INDEX_H

#include "symbols/dwarf_die.h"

struct dwarf_entry {
    struct dwarf_head head;
    struct dwarf_abbreviations abbreviations; /* if has_abbreviations */
    bool has_abbreviations;
};

struct dwarf_index {
    struct dwarf_data data;
    struct dwarf_index *alternate; /* borrowed; NULL: none */
    struct dwarf_entry *units;     /* sorted by offset */
    size_t count;
    size_t room;
    uint64_t first_reads; /* abbreviations that were read to find those of first DIEs */
    size_t memory;        /* size in bytes of the abbreviations that have been read */
};

/* The names of a function, lent by their sections. NULL: unknown. */
struct dwarf_names {
    const char *name;         /* in the source */
    const char *linkage_name; /* mangled */
};

/* Finds the units. The sections of data must outlive *out. Reading stops at the first unit that makes no
 * sense. The caller owns *out and frees it with dwarf_index_fini(), also after an error. Errors:
 * TRACE_ERR_MEMORY. */
int dwarf_index_read(struct dwarf_index *out, const struct dwarf_data *data);
void dwarf_index_fini(struct dwarf_index *index);

/* Reads the first DIE of a unit, and completes the unit's head with it: call this before reading other DIEs
 * of the unit. Returns false if the DIE makes no sense. */
bool dwarf_index_first_die(struct dwarf_index *index, size_t unit, struct dwarf_die *out);

/* Reads the abbreviations of a unit. *out is lent until the next call of this function. Errors:
 * TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int dwarf_index_abbreviations(struct dwarf_index *index, size_t unit, const struct dwarf_abbreviations **out);

/* Finds the names of the function whose DIE is at this offset, following references to other DIEs. */
void dwarf_index_find_names(struct dwarf_index *index, uint64_t die, struct dwarf_names *out);

#endif
