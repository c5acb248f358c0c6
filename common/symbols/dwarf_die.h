/* SPDX-License-Identifier: MIT
 * Reads DIEs, the entries of .debug_info, and the values of their attributes. A DIE may be its own sibling in
 * a damaged file.
 */
#ifndef SYMBOLS_DWARF_DIE_H
#define SYMBOLS_DWARF_DIE_H

#include "symbols/dwarf_abbreviations.h"

/* The sections that contain DIEs and what they refer to. All are lent; NULL: the file does not have it. */
struct dwarf_data {
    bool little_endian;
    const struct elf_section *info;
    const struct elf_section *abbrev;
    const struct elf_section *str;
    const struct elf_section *line;
    const struct elf_section *line_str;
    const struct elf_section *str_offsets;
    const struct elf_section *addr;
    const struct elf_section *ranges;
    const struct elf_section *rnglists;
    const struct dwarf_data *alternate; /* of the file that .gnu_debugaltlink names; NULL: none */
    uint64_t lowest; /* lowest address of code; code at lower addresses was removed by the linker */
};

/* The head of a unit, and the bases of the offsets and indexes in its DIEs. */
struct dwarf_head {
    uint64_t offset; /* of the unit */
    uint64_t die;    /* from its first DIE: */
    uint64_t end;
    uint64_t abbrev; /* of its abbreviations */
    struct dwarf_sizes sizes;
    bool split; /* in a .dwo file; low, addr_base and ranges_base are those of its skeleton */
    /* of its first DIE */
    uint64_t low;
    uint64_t addr_base;
    uint64_t ranges_base;
    uint64_t rnglists_base;
    uint64_t str_offsets_base;
    uint64_t id; /* DW_AT_dwo_id, or the id in the head; 0: none */
};

struct dwarf_value {
    uint64_t number;
    uint16_t form; /* DW_FORM_…; 0: the DIE does not have the attribute */
};

struct dwarf_die {
    uint64_t offset;
    uint64_t next; /* offset of the next DIE, which is its first child if it has children */
    uint16_t tag;  /* DW_TAG_…; 0: this ends a list of siblings */
    bool has_children;
    struct dwarf_value values[DWARF_WANTED_COUNT];
};

/* Reads the head of the unit at this offset, without what comes from its first DIE. *next receives the offset
 * of the next unit. A unit of an unknown kind has no DIEs: die is end. Returns false if there is no unit, or
 * if the rest makes no sense. */
bool dwarf_head_read(struct dwarf_head *out, const struct dwarf_data *data, uint64_t offset, uint64_t *next);

/* Completes the head with the attributes of the first DIE. */
void dwarf_head_complete(struct dwarf_head *head, const struct dwarf_data *data,
                         const struct dwarf_die *first);

/* Reads the DIE at this offset. Returns false if it is not in the unit, or makes no sense. */
bool dwarf_die_read(struct dwarf_die *out, const struct dwarf_data *data, const struct dwarf_head *head,
                    const struct dwarf_abbreviations *abbreviations, uint64_t offset);

/* Like dwarf_die_read(), but reads only offset, next, tag and has_children. */
bool dwarf_die_skip(struct dwarf_die *out, const struct dwarf_data *data, const struct dwarf_head *head,
                    const struct dwarf_abbreviations *abbreviations, uint64_t offset);

/* Reads a value of this form: a number or an offset. That of a DW_FORM_string is where it begins, and a block
 * is passed over. Fails for unknown forms. */
uint64_t dwarf_form_read(struct section_bytes *r, uint16_t form, const struct dwarf_sizes *sizes);

/* Return false if the value is missing, or of another kind. */
bool dwarf_value_address(const struct dwarf_value *value, const struct dwarf_data *data,
                         const struct dwarf_head *head, uint64_t *out);
bool dwarf_value_number(const struct dwarf_value *value, uint64_t *out);

/* Returns the text, lent by its section, or NULL if it is missing. */
const char *dwarf_value_text(const struct dwarf_value *value, const struct dwarf_data *data,
                             const struct dwarf_head *head);

/* Reads the offset of the DIE that the value refers to. *alternate receives true if the DIE is in the
 * alternate file. Returns false if the value is missing or not a reference that we follow. */
bool dwarf_value_reference(const struct dwarf_value *value, const struct dwarf_head *head, uint64_t *out,
                           bool *alternate);

/* Reads the address with this index in the unit's part of .debug_addr. Returns false if there is none. */
bool dwarf_indexed_address(const struct dwarf_data *data, const struct dwarf_head *head, uint64_t index,
                           uint64_t *out);

#endif
