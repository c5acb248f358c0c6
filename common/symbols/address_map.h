/* SPDX-License-Identifier: MIT
 * Which of many address ranges, nested ones among them, is the innermost around an address.
 */
#ifndef SYMBOLS_ADDRESS_MAP_H
#define SYMBOLS_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Private, as are the members of a map. */
struct address_range {
    uint64_t low;
    uint64_t high; /* behind the last byte */
    uint32_t order;
    uint32_t value;
};

struct address_segment {
    uint64_t low; /* it ends where the next one begins */
    uint32_t value;
};

/* Zero-initialise before use. */
struct address_map {
    struct address_range *ranges; /* until address_map_finish() */
    size_t range_count;
    size_t range_room;
    struct address_segment *segments; /* afterwards */
    size_t segment_count;
    size_t segment_room;
};

void address_map_fini(struct address_map *m);

/* The value of [low, high) is `value`, below UINT32_MAX. An empty range is ignored. TRACE_ERR_MEMORY. */
int address_map_add(struct address_map *m, uint64_t low, uint64_t high, uint32_t value);

/* To be called once, behind the last range and before the first address_map_find(). Of equal ranges the one
 * that was added last counts as the innermost. TRACE_ERR_MEMORY. */
int address_map_finish(struct address_map *m);

/* False: the address is in no range. */
bool address_map_find(const struct address_map *m, uint64_t address, uint32_t *value);

/* Bytes on the heap. */
size_t address_map_memory(const struct address_map *m);

#endif
