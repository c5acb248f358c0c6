/* SPDX-License-Identifier: MIT
 * Finds the innermost of many address ranges that contains an address. Ranges may be nested.
 */
#ifndef SYMBOLS_ADDRESS_MAP_H
#define SYMBOLS_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Private, like the members of a map. */
struct address_range {
    uint64_t low;
    uint64_t high; /* the address after the last byte */
    uint32_t order;
    uint32_t value;
};

struct address_segment {
    uint64_t low; /* it ends where the next one begins */
    uint32_t value;
};

/* Zero-initialise it before use. */
struct address_map {
    struct address_range *ranges; /* until address_map_finish() */
    size_t range_count;
    size_t range_room;
    struct address_segment *segments; /* after address_map_finish() */
    size_t segment_count;
    size_t segment_room;
};

void address_map_fini(struct address_map *m);

/* Assigns `value`, below UINT32_MAX, to [low, high). Empty ranges are ignored. Errors: TRACE_ERR_MEMORY. */
int address_map_add(struct address_map *m, uint64_t low, uint64_t high, uint32_t value);

/* Call it once, after the last range was added and before the first address_map_find(). Of equal ranges, the
 * one that was added last is the innermost. Errors: TRACE_ERR_MEMORY. */
int address_map_finish(struct address_map *m);

/* Returns false if the address is in no range. */
bool address_map_find(const struct address_map *m, uint64_t address, uint32_t *value);

/* Returns the heap memory in bytes. */
size_t address_map_memory(const struct address_map *m);

#endif
