/* SPDX-License-Identifier: MIT
 * A region allocator: many small allocations, freed all at once.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <string.h>

#define ARENA_ALIGNMENT 16
#define ARENA_KEPT      65536

/* Private, like the members of an arena. */
struct arena_block {
    struct arena_block *next;
    size_t size; /* payload bytes, a multiple of the alignment */
    _Alignas(ARENA_ALIGNMENT) unsigned char payload[];
};

struct arena {
    struct arena_block *first;
    struct arena_block *current;
    unsigned char *free; /* the unused part of `current` */
    size_t left;         /* its size in bytes; a multiple of the alignment */
};

void arena_init(struct arena *a);
void arena_fini(struct arena *a);

/* The slow path of arena_alloc(). */
void *arena_alloc_block(struct arena *a, size_t size);

/* Returns size bytes, uninitialised and aligned to ARENA_ALIGNMENT, which are valid until arena_reset().
 * Returns NULL, with the message set, if there is no memory. */
static inline void *arena_alloc(struct arena *a, size_t size)
{
    /* If size is below left, it still fits when rounded up, because left is a multiple. */
    if (size >= a->left)
        return arena_alloc_block(a, size);
    size = (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    void *p = a->free;
    a->free += size;
    a->left -= size;
    return p;
}

/* Copies size bytes into the arena. Returns the copy, or NULL if there is no memory. */
static inline void *arena_copy(struct arena *a, const void *bytes, size_t size)
{
    void *p = arena_alloc(a, size);
    if (p != NULL && size > 0)
        memcpy(p, bytes, size);
    return p;
}

/* The slow path of arena_reset(). */
void arena_reset_blocks(struct arena *a);

/* Frees all allocations. The first block is kept for reuse if it has at most ARENA_KEPT bytes. */
static inline void arena_reset(struct arena *a)
{
    if (a->first == NULL)
        return;
    if (a->first->next != NULL || a->first->size > ARENA_KEPT) {
        arena_reset_blocks(a);
        return;
    }
    a->free = a->first->payload;
    a->left = a->first->size;
}

#endif
