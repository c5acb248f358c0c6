/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_abbreviations.h"

#include "base/array.h"
#include "base/error.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#define ATTRIBUTES_MAX 4096 /* of an abbreviation */

void dwarf_abbreviations_fini(struct dwarf_abbreviations *a)
{
    free(a->items);
    free(a->attributes);
    *a = (struct dwarf_abbreviations){0};
}

static uint8_t wanted_attribute(uint64_t name)
{
    static const struct {
        uint16_t name;
        uint8_t wanted;
    } known[] = {
        {DW_AT_low_pc, DWARF_LOW_PC},
        {DW_AT_high_pc, DWARF_HIGH_PC},
        {DW_AT_ranges, DWARF_RANGES},
        {DW_AT_name, DWARF_NAME},
        {DW_AT_linkage_name, DWARF_LINKAGE_NAME},
        {DW_AT_MIPS_linkage_name, DWARF_LINKAGE_NAME},
        {DW_AT_abstract_origin, DWARF_ORIGIN},
        {DW_AT_specification, DWARF_ORIGIN},
        {DW_AT_call_file, DWARF_CALL_FILE},
        {DW_AT_call_line, DWARF_CALL_LINE},
        {DW_AT_comp_dir, DWARF_COMP_DIR},
        {DW_AT_stmt_list, DWARF_STMT_LIST},
        {DW_AT_dwo_name, DWARF_DWO_NAME},
        {DW_AT_GNU_dwo_name, DWARF_DWO_NAME},
        {DW_AT_GNU_dwo_id, DWARF_DWO_ID},
        {DW_AT_addr_base, DWARF_ADDR_BASE},
        {DW_AT_GNU_addr_base, DWARF_ADDR_BASE},
        {DW_AT_GNU_ranges_base, DWARF_RANGES_BASE},
        {DW_AT_rnglists_base, DWARF_RNGLISTS_BASE},
        {DW_AT_str_offsets_base, DWARF_STR_OFFSETS_BASE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (known[i].name == name)
            return known[i].wanted;
    return DWARF_UNWANTED;
}

int dwarf_form_size(uint16_t form, const struct dwarf_sizes *sizes)
{
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
        return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8:
        return 8;
    case DW_FORM_data16:
        return 16;
    case DW_FORM_addr:
        return sizes->address;
    case DW_FORM_ref_addr:
        return sizes->version <= 2 ? sizes->address : sizes->offset;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_sec_offset:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return sizes->offset;
    default:
        return -1;
    }
}

/* Reads the attributes that follow the head of an abbreviation. */
static int read_attributes(struct dwarf_abbreviations *a, struct dwarf_abbreviation *abbreviation,
                           struct section_bytes *r, const struct dwarf_sizes *sizes)
{
    int64_t size = 0;
    for (;;) {
        uint64_t name = section_bytes_unsigned(r), form = section_bytes_unsigned(r);
        int64_t constant = form == DW_FORM_implicit_const ? section_bytes_signed(r) : 0;
        if (r->failed || abbreviation->count > ATTRIBUTES_MAX)
            return trace_error_set(TRACE_ERR_FORMAT, "damaged abbreviations of debug information");
        if (name == 0 && form == 0)
            break;
        if (ARRAY_RESERVE(a->attributes, a->attribute_count, a->attribute_room) != 0)
            return TRACE_ERR_MEMORY;
        uint16_t known_form = form <= UINT16_MAX ? (uint16_t)form : 0;
        a->attributes[a->attribute_count++] =
            (struct dwarf_attribute){known_form, wanted_attribute(name), constant};
        int more = dwarf_form_size(known_form, sizes);
        size = size < 0 || more < 0 ? -1 : size + more;
        ++abbreviation->count;
    }
    abbreviation->size = size > 0 ? (uint32_t)size : 0;
    return 0;
}

static int compare_codes(const void *a, const void *b)
{
    const struct dwarf_abbreviation *x = a, *y = b;
    return x->code < y->code ? -1 : x->code > y->code;
}

int dwarf_abbreviations_read(struct dwarf_abbreviations *out, struct section_bytes r,
                             const struct dwarf_sizes *sizes, uint64_t code)
{
    bool sorted = true, done = false;
    int rc = 0;
    *out = (struct dwarf_abbreviations){0};
    while (rc == 0 && !done) {
        struct dwarf_abbreviation next = {.code = section_bytes_unsigned(&r)};
        if (r.failed || next.code == 0)
            break;
        uint64_t tag = section_bytes_unsigned(&r);
        next.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
        next.has_children = section_bytes_number(&r, 1) != 0;
        next.first = (uint32_t)out->attribute_count;
        rc = read_attributes(out, &next, &r, sizes);
        if (rc == 0)
            rc = ARRAY_RESERVE(out->items, out->count, out->room);
        if (rc != 0)
            break;
        sorted = sorted && (out->count == 0 || out->items[out->count - 1].code < next.code);
        out->items[out->count++] = next;
        done = next.code == code;
    }
    if (rc != 0)
        dwarf_abbreviations_fini(out);
    else if (!sorted)
        qsort(out->items, out->count, sizeof *out->items, compare_codes);
    return rc;
}

size_t dwarf_abbreviations_memory(const struct dwarf_abbreviations *a)
{
    return a->room * sizeof *a->items + a->attribute_room * sizeof *a->attributes;
}

const struct dwarf_abbreviation *dwarf_abbreviations_find(const struct dwarf_abbreviations *a, uint64_t code)
{
    if (code - 1 < a->count && a->items[code - 1].code == code) /* compilers number them from 1 on */
        return &a->items[code - 1];
    const struct dwarf_abbreviation key = {.code = code};
    return a->count > 0 ? bsearch(&key, a->items, a->count, sizeof *a->items, compare_codes) : NULL;
}
