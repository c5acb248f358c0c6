/* SPDX-License-Identifier: MIT */
#include "symbols/address_map.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NO_VALUE UINT32_MAX

void address_map_fini(struct address_map *m)
{
    free(m->ranges);
    free(m->segments);
    *m = (struct address_map){0};
}

int address_map_add(struct address_map *m, uint64_t low, uint64_t high, uint32_t value)
{
    if (low >= high)
        return 0;
    if (m->range_count >= UINT32_MAX)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "too many address ranges");
    if (ARRAY_RESERVE(m->ranges, m->range_count, m->range_room) != 0)
        return TRACE_ERR_MEMORY;
    uint32_t order = (uint32_t)m->range_count;
    m->ranges[m->range_count++] = (struct address_range){low, high, order, value};
    return 0;
}

/* Outer ranges come before inner ones with the same start. */
static int compare_ranges(const void *a, const void *b)
{
    const struct address_range *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high > y->high ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static int add_segment(struct address_map *m, uint64_t low, uint32_t value)
{
    struct address_segment *last = m->segment_count > 0 ? &m->segments[m->segment_count - 1] : NULL;
    if (last != NULL && last->low == low) { /* there is nothing between them */
        last->value = value;
        return 0;
    }
    if (last != NULL && last->value == value)
        return 0;
    if (ARRAY_RESERVE(m->segments, m->segment_count, m->segment_room) != 0)
        return TRACE_ERR_MEMORY;
    m->segments[m->segment_count++] = (struct address_segment){low, value};
    return 0;
}

/* Ends the open ranges that end at or before this address. open: indexes of ranges, the innermost last. */
static int end_ranges(struct address_map *m, uint32_t *open, size_t *open_count, uint64_t here)
{
    while (*open_count > 0 && m->ranges[open[*open_count - 1]].high <= here) {
        uint64_t end = m->ranges[open[--*open_count]].high;
        /* A range that extends beyond the range around it also ends that range. */
        while (*open_count > 0 && m->ranges[open[*open_count - 1]].high <= end)
            --*open_count;
        uint32_t value = *open_count > 0 ? m->ranges[open[*open_count - 1]].value : NO_VALUE;
        int rc = add_segment(m, end, value);
        if (rc != 0)
            return rc;
    }
    return 0;
}

static int make_segments(struct address_map *m, uint32_t *open)
{
    size_t open_count = 0;
    int rc = 0;
    for (size_t i = 0; i < m->range_count && rc == 0; ++i) {
        rc = end_ranges(m, open, &open_count, m->ranges[i].low);
        open[open_count++] = (uint32_t)i;
        if (rc == 0)
            rc = add_segment(m, m->ranges[i].low, m->ranges[i].value);
    }
    return rc == 0 ? end_ranges(m, open, &open_count, UINT64_MAX) : rc;
}

int address_map_finish(struct address_map *m)
{
    if (m->range_count == 0)
        return 0;
    qsort(m->ranges, m->range_count, sizeof *m->ranges, compare_ranges);
    uint32_t *open = malloc(m->range_count * sizeof *open);
    int rc = open != NULL ? make_segments(m, open) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    free(open);
    free(m->ranges);
    m->ranges = NULL;
    m->range_count = m->range_room = 0;
    return rc;
}

bool address_map_find(const struct address_map *m, uint64_t address, uint32_t *value)
{
    size_t from = 0, to = m->segment_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (m->segments[middle].low <= address)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == 0 || m->segments[from - 1].value == NO_VALUE)
        return false;
    *value = m->segments[from - 1].value;
    return true;
}

size_t address_map_memory(const struct address_map *m)
{
    return m->range_room * sizeof *m->ranges + m->segment_room * sizeof *m->segments;
}
