/* SPDX-License-Identifier: MIT
 * Memory of the traced program that also exists in the replay: mapped buffers. Addresses inside a region are
 * translated. Other addresses have no meaning in the replay.
 */
#ifndef RETRACE_MEMORY_REGIONS_H
#define RETRACE_MEMORY_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#include "call/memory_blocks.h"

struct memory_region {
    uint64_t traced; /* address in the traced program */
    uint64_t size;   /* in bytes */
    uint8_t *real;
    const void *owner;   /* share group of the buffer */
    uint64_t buffer;     /* name of the buffer in the replay */
    uint64_t block_size; /* of the memory of memory_regions_allocate(), in bytes; 0 if it is none */
};

/* Zero-initialise it before use. */
struct memory_regions {
    void *by_address; /* of struct memory_region, owned, not overlapping; see tsearch() */
    void *by_buffer;  /* of the same */
    size_t count;
    struct memory_blocks blocks; /* memory of memory_regions_allocate() */
};

void memory_regions_fini(struct memory_regions *m);

/* Adds a region of one byte or more, and removes older ones that it overlaps, and that of the same buffer,
 * since their memory must have been unmapped. Returns 0 or TRACE_ERR_MEMORY. */
int memory_regions_add(struct memory_regions *m, const struct memory_region *region);

/* Makes memory for region, which is zero and lasts until the region is removed, and adds it. Errors:
 * TRACE_ERR_FORMAT if that is more than a gigabyte in total. */
int memory_regions_allocate(struct memory_regions *m, struct memory_region *region);

/* Returns the memory for the traced address. *available receives the number of bytes from there to the
 * region's end. Returns NULL if the address is in no region. */
uint8_t *memory_regions_find(const struct memory_regions *m, uint64_t traced, uint64_t *available);

/* Removes the region of a buffer. */
void memory_regions_remove_buffer(struct memory_regions *m, const void *owner, uint64_t buffer);
/* Removes the regions of all buffers of a share group. */
void memory_regions_remove_owner(struct memory_regions *m, const void *owner);

#endif
