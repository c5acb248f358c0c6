/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT   16
#define FIRST_BLOCK 4096
#define KEPT_BLOCK  65536

struct arena_block {
    struct arena_block *next;
    size_t size; /* payload bytes */
    _Alignas(ALIGNMENT) unsigned char payload[];
};

void arena_init(struct arena *a)
{
    *a = (struct arena){NULL, NULL, 0};
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

static void *alloc_from_new_block(struct arena *a, size_t size)
{
    size_t payload = a->current != NULL ? a->current->size * 2 : FIRST_BLOCK;
    if (payload > (size_t)1 << 20)
        payload = (size_t)1 << 20;
    if (payload < size)
        payload = size;
    struct arena_block *block = payload > SIZE_MAX - sizeof *block ? NULL : malloc(sizeof *block + payload);
    if (block == NULL) {
        error_set(ERR_MEMORY, "out of memory: %zu bytes", size);
        return NULL;
    }
    block->next = NULL;
    block->size = payload;
    if (a->current != NULL)
        a->current->next = block;
    else
        a->first = block;
    a->current = block;
    a->used = size;
    return block->payload;
}

void *arena_alloc(struct arena *a, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT) {
        error_set(ERR_MEMORY, "out of memory: %zu bytes", size);
        return NULL;
    }
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (a->current != NULL && size <= a->current->size - a->used) {
        void *p = a->current->payload + a->used;
        a->used += size;
        return p;
    }
    return alloc_from_new_block(a, size);
}

void *arena_copy(struct arena *a, const void *bytes, size_t size)
{
    void *p = arena_alloc(a, size);
    if (p != NULL && size > 0)
        memcpy(p, bytes, size);
    return p;
}

void arena_reset(struct arena *a)
{
    struct arena_block *kept = a->first;
    if (kept == NULL)
        return;
    free_blocks(kept->next);
    kept->next = NULL;
    if (kept->size > KEPT_BLOCK) {
        free(kept);
        kept = NULL;
    }
    a->first = a->current = kept;
    a->used = 0;
}
