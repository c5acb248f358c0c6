/* SPDX-License-Identifier: MIT
 * Memory of the traced program that exists in the replay too: mapped buffers.
 * Addresses inside a region are translated; all others have no meaning here.
 */
#ifndef RETRACE_MEMORY_REGIONS_H
#define RETRACE_MEMORY_REGIONS_H

#include <stddef.h>
#include <stdint.h>

struct memory_region {
    uint64_t traced; /* address in the traced program */
    uint64_t size;   /* bytes */
    uint8_t *real;
    const void *owner; /* share group of the buffer */
    uint64_t buffer;   /* real buffer name */
};

/* Zero-initialise before use. */
struct memory_regions {
    struct memory_region *items; /* ascending by traced, not overlapping */
    size_t count, cap;
};

void memory_regions_fini(struct memory_regions *m);

/* Adds a region; older ones that it overlaps are forgotten, since their memory must have been unmapped. */
int memory_regions_add(struct memory_regions *m, const struct memory_region *region);

/* The memory at traced, and in *available the bytes from there to the region's end; NULL outside of all. */
uint8_t *memory_regions_find(const struct memory_regions *m, uint64_t traced, uint64_t *available);

/* Forgets the regions of a buffer. */
void memory_regions_remove_buffer(struct memory_regions *m, const void *owner, uint64_t buffer);
/* Forgets the regions of all buffers of owner. */
void memory_regions_remove_owner(struct memory_regions *m, const void *owner);

#endif
