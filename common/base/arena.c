/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_BLOCK 1024
#define LARGE_BLOCK ((size_t)1 << 20)
#define LARGE_ITEM  (LARGE_BLOCK / 8) /* gets its own block, to fill up the current one */

void arena_init(struct arena *a)
{
    *a = (struct arena){NULL, NULL, NULL, 0};
}

static void free_blocks(struct arena_block *block)
{
    while (block != NULL) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
}

void arena_fini(struct arena *a)
{
    free_blocks(a->first);
    arena_init(a);
}

/* Makes a block of at least the payload that has room for an item of the size. */
static struct arena_block *make_block(size_t payload, size_t size)
{
    if (payload <= size)
        /* Larger than size, so that the block has room for it. */
        payload = (size | (ARENA_ALIGNMENT - 1)) + 1;
    struct arena_block *block =
        size > SIZE_MAX / 2 || payload > SIZE_MAX - sizeof *block ? NULL : malloc(sizeof *block + payload);
    if (block == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory: %zu bytes", size);
        return NULL;
    }
    block->next = NULL;
    block->size = payload;
    return block;
}

/* The current block stays the current one. */
static void *alloc_alone(struct arena *a, size_t size)
{
    struct arena_block *block = make_block(0, size);
    if (block == NULL)
        return NULL;
    block->next = a->first->next;
    a->first->next = block;
    return block->payload;
}

void *arena_alloc_block(struct arena *a, size_t size)
{
    if (a->current != NULL && size >= LARGE_ITEM)
        return alloc_alone(a, size);
    size_t payload = a->current != NULL ? a->current->size * 2 : FIRST_BLOCK;
    struct arena_block *block = make_block(payload < LARGE_BLOCK ? payload : LARGE_BLOCK, size);
    if (block == NULL)
        return NULL;
    if (a->first != NULL) {
        block->next = a->first->next;
        a->first->next = block;
    } else {
        a->first = block;
    }
    a->current = block;
    a->free = block->payload;
    a->left = block->size;
    return arena_alloc(a, size);
}

void arena_reset_blocks(struct arena *a)
{
    struct arena_block *kept = a->first;
    free_blocks(kept->next);
    kept->next = NULL;
    a->current = kept;
    if (kept->size > ARENA_KEPT)
        arena_fini(a);
    else
        arena_reset(a);
}
