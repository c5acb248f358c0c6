/* SPDX-License-Identifier: MIT */
#include "call/memory_regions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static void remove_at(struct memory_regions *m, size_t index)
{
    const struct memory_region *region = &m->items[index];
    if (region->block_size > 0)
        memory_blocks_return(&m->blocks, (struct memory_block){region->real, region->block_size});
    m->count--;
    memmove(&m->items[index], &m->items[index + 1], (m->count - index) * sizeof *m->items);
}

void memory_regions_fini(struct memory_regions *m)
{
    while (m->count > 0)
        remove_at(m, m->count - 1);
    memory_blocks_fini(&m->blocks);
    free(m->items);
    *m = (struct memory_regions){0};
}

static bool overlap(const struct memory_region *a, const struct memory_region *b)
{
    return a->traced < b->traced ? b->traced - a->traced < a->size : a->traced - b->traced < b->size;
}

int memory_regions_add(struct memory_regions *m, const struct memory_region *region)
{
    for (size_t i = m->count; i-- > 0;)
        if (overlap(&m->items[i], region))
            remove_at(m, i);
    if (ARRAY_RESERVE(m->items, m->count, m->cap) != 0)
        return TRACE_ERR_MEMORY;
    size_t at = 0;
    while (at < m->count && m->items[at].traced < region->traced)
        ++at;
    memmove(&m->items[at + 1], &m->items[at], (m->count - at) * sizeof *m->items);
    m->items[at] = *region;
    m->count++;
    return 0;
}

int memory_regions_allocate(struct memory_regions *m, struct memory_region *region)
{
    struct memory_block block;
    int rc = memory_blocks_take(&m->blocks, region->size, &block);
    if (rc != 0)
        return rc;
    region->real = block.bytes;
    region->block_size = block.size;
    rc = memory_regions_add(m, region);
    if (rc != 0)
        memory_blocks_return(&m->blocks, block);
    return rc;
}

uint8_t *memory_regions_find(const struct memory_regions *m, uint64_t traced, uint64_t *available)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->items[middle].traced <= traced)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct memory_region *region = &m->items[low - 1];
    uint64_t offset = traced - region->traced;
    if (offset >= region->size)
        return NULL;
    *available = region->size - offset;
    return region->real + offset;
}

void memory_regions_remove_buffer(struct memory_regions *m, const void *owner, uint64_t buffer)
{
    for (size_t i = m->count; i-- > 0;)
        if (m->items[i].owner == owner && m->items[i].buffer == buffer)
            remove_at(m, i);
}

void memory_regions_remove_owner(struct memory_regions *m, const void *owner)
{
    for (size_t i = m->count; i-- > 0;)
        if (m->items[i].owner == owner)
            remove_at(m, i);
}
