/* SPDX-License-Identifier: MIT */
#include "objects/program_binaries.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static struct program_binary *find(const struct program_binaries *b, const void *traced, uint64_t size)
{
    for (size_t i = 0; i < b->count; ++i)
        if (b->items[i].traced_size == size && memcmp(b->items[i].traced, traced, size) == 0)
            return &b->items[i];
    return NULL;
}

/* Adds an empty item with a copy of the traced bytes. */
static struct program_binary *add(struct program_binaries *b, const void *traced, uint64_t size)
{
    uint8_t *copy = ARRAY_RESERVE(b->items, b->count, b->cap) == 0 ? malloc(size) : NULL;
    if (copy == NULL)
        return NULL;
    memcpy(copy, traced, size);
    b->items[b->count] = (struct program_binary){.traced = copy, .traced_size = size};
    return &b->items[b->count++];
}

int program_binaries_add(struct program_binaries *b, const void *traced, uint64_t traced_size, void *real,
                         uint32_t real_size, uint32_t real_format)
{
    struct program_binary *item = find(b, traced, traced_size);
    if (item == NULL)
        item = add(b, traced, traced_size);
    if (item == NULL) {
        free(real);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the binary of a program");
    }
    free(item->real);
    item->real = real;
    item->real_size = real_size;
    item->real_format = real_format;
    return 0;
}

const struct program_binary *program_binaries_find(const struct program_binaries *b, const void *traced,
                                                   uint64_t traced_size)
{
    return find(b, traced, traced_size);
}

void program_binaries_fini(struct program_binaries *b)
{
    for (size_t i = 0; i < b->count; ++i) {
        free(b->items[i].traced);
        free(b->items[i].real);
    }
    free(b->items);
    *b = (struct program_binaries){0};
}
