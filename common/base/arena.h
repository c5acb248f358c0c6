/* SPDX-License-Identifier: MIT
 * A region allocator: many small allocations, freed all at once.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *first;
    struct arena_block *current;
    size_t used; /* bytes used in current */
};

void arena_init(struct arena *a);
void arena_fini(struct arena *a);

/* Returns size bytes aligned to 16, uninitialised, valid until arena_reset(); NULL (message set) when memory
 * is out. */
void *arena_alloc(struct arena *a, size_t size);

/* Copies size bytes into the arena. */
void *arena_copy(struct arena *a, const void *bytes, size_t size);

/* Frees every allocation, keeping up to one block of at most 64 KiB for reuse. */
void arena_reset(struct arena *a);

#endif
