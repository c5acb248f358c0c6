/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_ranges.h"

#include "base/array.h"
#include "base/error.h"

#include <libdwarf/dwarf.h>

static int add_range(struct dwarf_range_list *list, const struct dwarf_data *data, uint64_t low,
                     uint64_t high)
{
    /* Linkers move removed code to address 0 or 1, or to the end of the address space. */
    if (low >= high || low < data->lowest)
        return 0;
    if (ARRAY_RESERVE(list->items, list->count, list->room) != 0)
        return TRACE_ERR_MEMORY;
    list->items[list->count++] = (struct dwarf_range){low, high};
    return 0;
}

/* DWARF 2 to 4, 2.17.3. */
static int read_ranges(struct dwarf_range_list *list, const struct dwarf_data *data,
                       const struct dwarf_head *head, uint64_t offset)
{
    struct section_bytes r = section_bytes_at(data->ranges, data->little_endian, offset);
    uint64_t select = head->sizes.address == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = head->low;
    int rc = 0;
    while (rc == 0) {
        uint64_t low = section_bytes_number(&r, head->sizes.address);
        uint64_t high = section_bytes_number(&r, head->sizes.address);
        if (r.failed || (low == 0 && high == 0))
            break;
        if (low == select)
            base = high;
        else
            rc = add_range(list, data, base + low, base + high);
    }
    return rc;
}

static uint64_t read_index(struct section_bytes *r, const struct dwarf_data *data,
                           const struct dwarf_head *head)
{
    uint64_t address = 0;
    if (!dwarf_indexed_address(data, head, section_bytes_unsigned(r), &address))
        r->failed = true;
    return address;
}

/* Reads an entry (DWARF 5, 2.17.3 and 7.25). Returns false if it is the last one or is invalid. */
static bool read_entry(struct section_bytes *r, const struct dwarf_data *data, const struct dwarf_head *head,
                       uint64_t *base, struct dwarf_range *out)
{
    uint64_t kind = section_bytes_number(r, 1);
    *out = (struct dwarf_range){0, 0};
    switch (r->failed ? DW_RLE_end_of_list : kind) {
    case DW_RLE_base_addressx:
        *base = read_index(r, data, head);
        break;
    case DW_RLE_startx_endx:
        out->low = read_index(r, data, head);
        out->high = read_index(r, data, head);
        break;
    case DW_RLE_startx_length:
        out->low = read_index(r, data, head);
        out->high = out->low + section_bytes_unsigned(r);
        break;
    case DW_RLE_offset_pair:
        out->low = *base + section_bytes_unsigned(r);
        out->high = *base + section_bytes_unsigned(r);
        break;
    case DW_RLE_base_address:
        *base = section_bytes_number(r, head->sizes.address);
        break;
    case DW_RLE_start_end:
        out->low = section_bytes_number(r, head->sizes.address);
        out->high = section_bytes_number(r, head->sizes.address);
        break;
    case DW_RLE_start_length:
        out->low = section_bytes_number(r, head->sizes.address);
        out->high = out->low + section_bytes_unsigned(r);
        break;
    default:
        return false;
    }
    return !r->failed;
}

static int read_rnglist(struct dwarf_range_list *list, const struct dwarf_data *data,
                        const struct dwarf_head *head, uint64_t offset)
{
    struct section_bytes r = section_bytes_at(data->rnglists, data->little_endian, offset);
    uint64_t base = head->low;
    struct dwarf_range range;
    int rc = 0;
    while (rc == 0 && read_entry(&r, data, head, &base, &range))
        rc = add_range(list, data, range.low, range.high);
    return rc;
}

/* Returns the offset of a list by its index in the unit's table. */
static uint64_t indexed_list(const struct dwarf_data *data, const struct dwarf_head *head, uint64_t index)
{
    struct section_bytes r = section_bytes_at(data->rnglists, data->little_endian, head->rnglists_base);
    if (index > r.size)
        return UINT64_MAX;
    section_bytes_skip(&r, index * head->sizes.offset);
    uint64_t offset = section_bytes_number(&r, head->sizes.offset);
    return r.failed ? UINT64_MAX : head->rnglists_base + offset;
}

int dwarf_range_list_read(struct dwarf_range_list *list, const struct dwarf_data *data,
                          const struct dwarf_head *head, const struct dwarf_die *die)
{
    const struct dwarf_value *high_value = &die->values[DWARF_HIGH_PC];
    uint64_t offset, low, high;
    list->count = 0;
    if (dwarf_value_number(&die->values[DWARF_RANGES], &offset)) {
        if (die->values[DWARF_RANGES].form == DW_FORM_rnglistx)
            offset = indexed_list(data, head, offset);
        return head->sizes.version >= 5
                   ? read_rnglist(list, data, head, offset)
                   : read_ranges(list, data, head, offset + (head->split ? head->ranges_base : 0));
    }
    if (!dwarf_value_address(&die->values[DWARF_LOW_PC], data, head, &low))
        return 0;
    if (dwarf_value_number(high_value, &high)) /* a size, since DWARF 4 */
        high += low;
    else if (!dwarf_value_address(high_value, data, head, &high))
        return 0;
    return add_range(list, data, low, high);
}
