/* SPDX-License-Identifier: MIT */
#include "call/memory_regions.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

static bool overlap(const struct memory_region *a, const struct memory_region *b)
{
    return a->traced < b->traced ? b->traced - a->traced < a->size : a->traced - b->traced < b->size;
}

/* Regions that overlap are the same for the tree, which has none that do. */
static int compare_addresses(const void *a, const void *b)
{
    const struct memory_region *first = a, *second = b;
    if (overlap(first, second))
        return 0;
    return first->traced < second->traced ? -1 : 1;
}

static int compare_owners(const void *a, const void *b)
{
    const struct memory_region *first = a, *second = b;
    uintptr_t x = (uintptr_t)first->owner, y = (uintptr_t)second->owner;
    return x < y ? -1 : x > y;
}

static int compare_buffers(const void *a, const void *b)
{
    const struct memory_region *first = a, *second = b;
    int order = compare_owners(a, b);
    return order != 0 ? order : first->buffer < second->buffer ? -1 : first->buffer > second->buffer;
}

/* Returns a region that is the same for compare(), or NULL. */
static struct memory_region *find(void *tree, const struct memory_region *key,
                                  int (*compare)(const void *, const void *))
{
    struct memory_region **node = tfind(key, &tree, compare);
    return node != NULL ? *node : NULL;
}

static void remove_region(struct memory_regions *m, struct memory_region *region)
{
    if (region == NULL)
        return;
    tdelete(region, &m->by_address, compare_addresses);
    tdelete(region, &m->by_buffer, compare_buffers);
    if (region->block_size > 0)
        memory_blocks_return(&m->blocks, (struct memory_block){region->real, region->block_size});
    free(region);
    m->count--;
}

void memory_regions_fini(struct memory_regions *m)
{
    while (m->by_address != NULL)
        remove_region(m, *(struct memory_region **)m->by_address);
    memory_blocks_fini(&m->blocks);
    *m = (struct memory_regions){0};
}

static int add(struct memory_regions *m, struct memory_region *region)
{
    if (tsearch(region, &m->by_address, compare_addresses) == NULL)
        return TRACE_ERR_MEMORY;
    if (tsearch(region, &m->by_buffer, compare_buffers) != NULL)
        return 0;
    tdelete(region, &m->by_address, compare_addresses);
    return TRACE_ERR_MEMORY;
}

int memory_regions_add(struct memory_regions *m, const struct memory_region *region)
{
    struct memory_region *old, *added;
    while ((old = find(m->by_address, region, compare_addresses)) != NULL)
        remove_region(m, old);
    remove_region(m, find(m->by_buffer, region, compare_buffers));
    added = malloc(sizeof *added);
    if (added != NULL)
        *added = *region;
    if (added == NULL || add(m, added) != 0) {
        free(added);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for mapped buffers");
    }
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
    const struct memory_region key = {.traced = traced, .size = 1};
    const struct memory_region *region = find(m->by_address, &key, compare_addresses);
    if (region == NULL)
        return NULL;
    uint64_t offset = traced - region->traced;
    *available = region->size - offset;
    return region->real + offset;
}

void memory_regions_remove_buffer(struct memory_regions *m, const void *owner, uint64_t buffer)
{
    const struct memory_region key = {.owner = owner, .buffer = buffer};
    remove_region(m, find(m->by_buffer, &key, compare_buffers));
}

void memory_regions_remove_owner(struct memory_regions *m, const void *owner)
{
    const struct memory_region key = {.owner = owner};
    struct memory_region *region;
    while ((region = find(m->by_buffer, &key, compare_owners)) != NULL)
        remove_region(m, region);
}
