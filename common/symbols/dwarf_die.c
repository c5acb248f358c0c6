/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_die.h"

#include <libdwarf/dwarf.h>

/* --- heads of units -------------------------------------------------------------------------------- */

/* DWARF 5, 7.5.1. In older versions there is no type, and the size of addresses comes last. */
static bool read_head_fields(struct dwarf_head *h, struct section_bytes *r)
{
    uint64_t type = DW_UT_compile;
    h->sizes.version = (uint16_t)section_bytes_number(r, 2);
    if (h->sizes.version >= 5) {
        type = section_bytes_number(r, 1);
        h->sizes.address = (uint8_t)section_bytes_number(r, 1);
        h->abbrev = section_bytes_number(r, h->sizes.offset);
    } else {
        h->abbrev = section_bytes_number(r, h->sizes.offset);
        h->sizes.address = (uint8_t)section_bytes_number(r, 1);
    }
    if (type == DW_UT_skeleton || type == DW_UT_split_compile)
        h->id = section_bytes_number(r, 8);
    h->die = r->at;
    bool known = type == DW_UT_compile || type == DW_UT_partial || type == DW_UT_skeleton ||
                 type == DW_UT_split_compile;
    return !r->failed && known && h->sizes.version >= 2 && h->sizes.version <= 5 &&
           (h->sizes.address == 4 || h->sizes.address == 8);
}

bool dwarf_head_read(struct dwarf_head *out, const struct dwarf_data *data, uint64_t offset, uint64_t *next)
{
    struct section_bytes r = section_bytes_at(data->info, data->little_endian, offset);
    *out = (struct dwarf_head){.offset = offset, .sizes.offset = 4};
    uint64_t length = section_bytes_number(&r, 4);
    if (length == UINT32_MAX) {
        out->sizes.offset = 8;
        length = section_bytes_number(&r, 8);
    }
    if (r.failed || length > r.size - r.at)
        return false;
    out->end = *next = r.at + length;
    r.size = out->end;
    if (!read_head_fields(out, &r))
        out->die = out->end;
    return true;
}

void dwarf_head_complete(struct dwarf_head *head, const struct dwarf_data *data,
                         const struct dwarf_die *first)
{
    const struct dwarf_value *values = first->values;
    if (head->split &&
        head->sizes.version >= 5) { /* DWARF 5, 7.26 and 7.28: after the header of the only table */
        head->str_offsets_base = head->sizes.offset == 8 ? 16 : 8;
        head->rnglists_base = head->sizes.offset == 8 ? 20 : 12;
    }
    dwarf_value_number(&values[DWARF_ADDR_BASE], &head->addr_base);
    dwarf_value_number(&values[DWARF_RANGES_BASE], &head->ranges_base);
    dwarf_value_number(&values[DWARF_RNGLISTS_BASE], &head->rnglists_base);
    dwarf_value_number(&values[DWARF_STR_OFFSETS_BASE], &head->str_offsets_base);
    dwarf_value_number(&values[DWARF_DWO_ID], &head->id);
    dwarf_value_address(&values[DWARF_LOW_PC], data, head, &head->low);
}

/* --- DIEs ------------------------------------------------------------------------------------------ */

uint64_t dwarf_form_read(struct section_bytes *r, uint16_t form, const struct dwarf_sizes *sizes)
{
    int size = dwarf_form_size(form, sizes);
    if (size > 8) {
        section_bytes_skip(r, (uint64_t)size);
        return 0;
    }
    if (size >= 0)
        return section_bytes_number(r, (unsigned)size);
    uint64_t from = r->at;
    switch (form) {
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_rnglistx:
    case DW_FORM_loclistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        return section_bytes_unsigned(r);
    case DW_FORM_sdata:
        return (uint64_t)section_bytes_signed(r);
    case DW_FORM_string:
        section_bytes_text(r);
        return from;
    case DW_FORM_block1:
        section_bytes_skip(r, section_bytes_number(r, 1));
        return 0;
    case DW_FORM_block2:
        section_bytes_skip(r, section_bytes_number(r, 2));
        return 0;
    case DW_FORM_block4:
        section_bytes_skip(r, section_bytes_number(r, 4));
        return 0;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        section_bytes_skip(r, section_bytes_unsigned(r));
        return 0;
    default:
        r->failed = true; /* its size is unknown */
        return 0;
    }
}

/* With DW_FORM_indirect, the form precedes the value. */
static struct dwarf_value read_attribute(struct section_bytes *r, const struct dwarf_attribute *attribute,
                                         const struct dwarf_sizes *sizes)
{
    struct dwarf_value value = {.form = attribute->form};
    if (value.form == DW_FORM_indirect) {
        uint64_t form = section_bytes_unsigned(r);
        value.form = form <= UINT16_MAX && form != DW_FORM_implicit_const ? (uint16_t)form : 0;
    }
    value.number = value.form == DW_FORM_implicit_const ? (uint64_t)attribute->constant
                                                        : dwarf_form_read(r, value.form, sizes);
    return value;
}

/* Reads a DIE up to its attributes. Returns its abbreviation, or NULL if it has none. */
static const struct dwarf_abbreviation *read_die_head(struct dwarf_die *out, struct section_bytes *r,
                                                      const struct dwarf_abbreviations *abbreviations)
{
    out->offset = r->at;
    out->tag = 0;
    out->has_children = false;
    uint64_t code = section_bytes_unsigned(r);
    out->next = r->at;
    const struct dwarf_abbreviation *a =
        code != 0 && !r->failed ? dwarf_abbreviations_find(abbreviations, code) : NULL;
    if (a == NULL) {
        r->failed = r->failed || code != 0;
        return NULL;
    }
    out->tag = a->tag != 0 ? a->tag : DW_TAG_hi_user;
    out->has_children = a->has_children;
    return a;
}

static struct section_bytes read_unit_at(const struct dwarf_data *data, const struct dwarf_head *head,
                                         uint64_t offset)
{
    struct section_bytes r = section_bytes_at(data->info, data->little_endian, offset);
    if (head->end < r.size)
        r.size = head->end;
    r.failed = offset < head->die || offset >= r.size;
    return r;
}

bool dwarf_die_read(struct dwarf_die *out, const struct dwarf_data *data, const struct dwarf_head *head,
                    const struct dwarf_abbreviations *abbreviations, uint64_t offset)
{
    struct section_bytes r = read_unit_at(data, head, offset);
    const struct dwarf_abbreviation *a = read_die_head(out, &r, abbreviations);
    memset(out->values, 0, sizeof out->values);
    for (uint32_t i = 0; a != NULL && i < a->count && !r.failed; ++i) {
        const struct dwarf_attribute *attribute = &abbreviations->attributes[a->first + i];
        struct dwarf_value value = read_attribute(&r, attribute, &head->sizes);
        if (attribute->wanted != DWARF_UNWANTED)
            out->values[attribute->wanted] = value;
    }
    out->next = r.at;
    return !r.failed;
}

bool dwarf_die_skip(struct dwarf_die *out, const struct dwarf_data *data, const struct dwarf_head *head,
                    const struct dwarf_abbreviations *abbreviations, uint64_t offset)
{
    struct section_bytes r = read_unit_at(data, head, offset);
    const struct dwarf_abbreviation *a = read_die_head(out, &r, abbreviations);
    if (a != NULL && a->size > 0)
        section_bytes_skip(&r, a->size);
    for (uint32_t i = 0; a != NULL && a->size == 0 && i < a->count && !r.failed; ++i)
        read_attribute(&r, &abbreviations->attributes[a->first + i], &head->sizes);
    out->next = r.at;
    return !r.failed;
}

/* --- values ---------------------------------------------------------------------------------------- */

bool dwarf_indexed_address(const struct dwarf_data *data, const struct dwarf_head *head, uint64_t index,
                           uint64_t *out)
{
    struct section_bytes r = section_bytes_at(data->addr, data->little_endian, head->addr_base);
    if (index > r.size)
        return false;
    section_bytes_skip(&r, index * head->sizes.address);
    *out = section_bytes_number(&r, head->sizes.address);
    return !r.failed;
}

bool dwarf_value_address(const struct dwarf_value *value, const struct dwarf_data *data,
                         const struct dwarf_head *head, uint64_t *out)
{
    switch (value->form) {
    case DW_FORM_addr:
        *out = value->number;
        return true;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        return dwarf_indexed_address(data, head, value->number, out);
    default:
        return false;
    }
}

bool dwarf_value_number(const struct dwarf_value *value, uint64_t *out)
{
    switch (value->form) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_implicit_const:
    case DW_FORM_sec_offset:
    case DW_FORM_rnglistx:
        *out = value->number;
        return true;
    default:
        return false;
    }
}

static const char *text_at(const struct elf_section *section, uint64_t offset)
{
    struct section_bytes r = section_bytes_at(section, true, offset);
    return section_bytes_text(&r);
}

/* Returns the text with this index in the unit's part of .debug_str_offsets. */
static const char *indexed_text(const struct dwarf_data *data, const struct dwarf_head *head, uint64_t index)
{
    struct section_bytes r = section_bytes_at(data->str_offsets, data->little_endian, head->str_offsets_base);
    if (index > r.size)
        return NULL;
    section_bytes_skip(&r, index * head->sizes.offset);
    uint64_t offset = section_bytes_number(&r, head->sizes.offset);
    return r.failed ? NULL : text_at(data->str, offset);
}

const char *dwarf_value_text(const struct dwarf_value *value, const struct dwarf_data *data,
                             const struct dwarf_head *head)
{
    switch (value->form) {
    case DW_FORM_string:
        return text_at(data->info, value->number);
    case DW_FORM_strp:
        return text_at(data->str, value->number);
    case DW_FORM_line_strp:
        return text_at(data->line_str, value->number);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
        return data->alternate != NULL ? text_at(data->alternate->str, value->number) : NULL;
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        return indexed_text(data, head, value->number);
    default:
        return NULL;
    }
}

bool dwarf_value_reference(const struct dwarf_value *value, const struct dwarf_head *head, uint64_t *out,
                           bool *alternate)
{
    *alternate = false;
    *out = value->number;
    switch (value->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        *out += head->offset;
        return true;
    case DW_FORM_ref_addr:
        return true;
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_GNU_ref_alt:
        *alternate = true;
        return true;
    default:
        return false;
    }
}
