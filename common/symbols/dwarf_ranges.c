/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_ranges.h"

#include "base/array.h"
#include "base/error.h"
#include "symbols/dwarf_attributes.h"

/* --- bytes of a section ---------------------------------------------------------------------------- */

/* A position in a section. Reading beyond its end returns 0 and sets failed. */
struct section_reader {
    const uint8_t *data;
    uint64_t size;
    uint64_t at;
    bool little_endian;
    bool failed;
};

static struct section_reader read_at(const struct dwarf_sections *sections, const char *name, uint64_t at)
{
    const struct elf_section *section = dwarf_sections_find(sections, name);
    struct section_reader r = {.little_endian = sections->file->little_endian, .at = at};
    if (section != NULL) {
        r.data = section->data;
        r.size = section->size;
    }
    r.failed = at > r.size;
    return r;
}

static uint64_t read_number(struct section_reader *r, unsigned size)
{
    if (r->failed || size > 8 || r->size - r->at < size) {
        r->failed = true;
        return 0;
    }
    const uint8_t *p = r->data + r->at;
    uint64_t number = 0;
    for (unsigned i = 0; i < size; ++i)
        number = number << 8 | p[r->little_endian ? size - 1 - i : i];
    r->at += size;
    return number;
}

static uint64_t read_leb128(struct section_reader *r)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = read_number(r, 1);
        number |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return number;
    }
    r->failed = true;
    return 0;
}

/* --- lists ----------------------------------------------------------------------------------------- */

static int add_range(struct dwarf_range_list *list, const struct dwarf_range_bases *bases, uint64_t low,
                     uint64_t high)
{
    /* Linkers move removed code to address 0 or 1, or to the end of the address space. */
    if (low >= high || low < bases->lowest)
        return 0;
    if (ARRAY_RESERVE(list->items, list->count, list->room) != 0)
        return TRACE_ERR_MEMORY;
    list->items[list->count++] = (struct dwarf_range){low, high};
    return 0;
}

/* DWARF 2 to 4, 2.17.3. */
static int read_ranges(struct dwarf_range_list *list, const struct dwarf_range_bases *bases,
                       const struct dwarf_sections *sections, uint64_t offset)
{
    struct section_reader r = read_at(sections, ".debug_ranges", offset + bases->ranges);
    uint64_t select = bases->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = bases->low;
    int rc = 0;
    while (rc == 0) {
        uint64_t low = read_number(&r, bases->address_size);
        uint64_t high = read_number(&r, bases->address_size);
        if (r.failed || (low == 0 && high == 0))
            break;
        if (low == select)
            base = high;
        else
            rc = add_range(list, bases, base + low, base + high);
    }
    return rc;
}

static uint64_t indexed_address(const struct dwarf_range_bases *bases, const struct dwarf_sections *sections,
                                uint64_t index, bool *failed)
{
    struct section_reader r = read_at(sections, ".debug_addr", bases->addr);
    if (index > r.size / bases->address_size) {
        *failed = true;
        return 0;
    }
    r.at += index * bases->address_size;
    r.failed = r.failed || r.at > r.size;
    uint64_t address = read_number(&r, bases->address_size);
    *failed = *failed || r.failed;
    return address;
}

/* Reads an entry (DWARF 5, 2.17.3 and 7.25). Returns false if it is the last one or is invalid. */
static bool read_entry(struct section_reader *r, const struct dwarf_range_bases *bases,
                       const struct dwarf_sections *sections, uint64_t *base, struct dwarf_range *out)
{
    uint64_t kind = read_number(r, 1);
    *out = (struct dwarf_range){0, 0};
    switch (r->failed ? DW_RLE_end_of_list : kind) {
    case DW_RLE_base_addressx:
        *base = indexed_address(bases, sections, read_leb128(r), &r->failed);
        break;
    case DW_RLE_startx_endx:
        out->low = indexed_address(bases, sections, read_leb128(r), &r->failed);
        out->high = indexed_address(bases, sections, read_leb128(r), &r->failed);
        break;
    case DW_RLE_startx_length:
        out->low = indexed_address(bases, sections, read_leb128(r), &r->failed);
        out->high = out->low + read_leb128(r);
        break;
    case DW_RLE_offset_pair:
        out->low = *base + read_leb128(r);
        out->high = *base + read_leb128(r);
        break;
    case DW_RLE_base_address:
        *base = read_number(r, bases->address_size);
        break;
    case DW_RLE_start_end:
        out->low = read_number(r, bases->address_size);
        out->high = read_number(r, bases->address_size);
        break;
    case DW_RLE_start_length:
        out->low = read_number(r, bases->address_size);
        out->high = out->low + read_leb128(r);
        break;
    default:
        return false;
    }
    return !r->failed;
}

static int read_rnglist(struct dwarf_range_list *list, const struct dwarf_range_bases *bases,
                        const struct dwarf_sections *sections, uint64_t offset)
{
    struct section_reader r = read_at(sections, ".debug_rnglists", offset);
    uint64_t base = bases->low;
    struct dwarf_range range;
    int rc = 0;
    while (rc == 0 && read_entry(&r, bases, sections, &base, &range))
        rc = add_range(list, bases, range.low, range.high);
    return rc;
}

/* Returns the offset of a list by its index in the unit's table. */
static uint64_t indexed_list(const struct dwarf_range_bases *bases, const struct dwarf_sections *sections,
                             uint64_t index)
{
    struct section_reader r = read_at(sections, ".debug_rnglists", bases->rnglists);
    if (index > r.size / bases->offset_size)
        return UINT64_MAX;
    r.at += index * bases->offset_size;
    r.failed = r.failed || r.at > r.size;
    uint64_t offset = read_number(&r, bases->offset_size);
    return r.failed ? UINT64_MAX : bases->rnglists + offset;
}

/* --- a DIE's --------------------------------------------------------------------------------------- */

void dwarf_range_bases_read(struct dwarf_range_bases *out, Dwarf_Debug debug, Dwarf_Die unit)
{
    Dwarf_Half version = 0, offset_size = 0, address_size = 0, form;
    Dwarf_Error error = NULL;
    uint64_t high;
    if (dwarf_get_version_of_die(unit, &version, &offset_size) != DW_DLV_OK)
        version = 0;
    if (!dwarf_succeeded(debug, dwarf_get_die_address_size(unit, &address_size, &error), error))
        address_size = 0;
    *out = (struct dwarf_range_bases){.version = version,
                                      .address_size = address_size == 4 ? 4 : 8,
                                      .offset_size = offset_size == 8 ? 8 : 4};
    dwarf_get_addresses(debug, unit, &out->low, &high);
    if (!dwarf_get_offset(debug, unit, DW_AT_addr_base, &out->addr, &form))
        dwarf_get_offset(debug, unit, DW_AT_GNU_addr_base, &out->addr, &form);
    dwarf_get_offset(debug, unit, DW_AT_rnglists_base, &out->rnglists, &form);
}

int dwarf_range_list_read(struct dwarf_range_list *list, const struct dwarf_range_bases *bases,
                          const struct dwarf_sections *sections, Dwarf_Debug debug, Dwarf_Die die)
{
    uint64_t offset, low, high;
    Dwarf_Half form;
    list->count = 0;
    if (dwarf_get_offset(debug, die, DW_AT_ranges, &offset, &form)) {
        if (form == DW_FORM_rnglistx)
            offset = indexed_list(bases, sections, offset);
        return bases->version >= 5 ? read_rnglist(list, bases, sections, offset)
                                   : read_ranges(list, bases, sections, offset);
    }
    if (dwarf_get_addresses(debug, die, &low, &high))
        return add_range(list, bases, low, high);
    return 0;
}
