/* SPDX-License-Identifier: MIT */
#include "call/memory_blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

#define MAX_USED ((uint64_t)1 << 30) /* in bytes */

void memory_blocks_fini(struct memory_blocks *b)
{
    for (size_t i = 0; i < b->unused_count; ++i)
        free(b->unused[i].bytes);
    free(b->unused);
    *b = (struct memory_blocks){0};
}

/* Returns the index of the first unused block that is at least so large. */
static size_t lower_bound(const struct memory_blocks *b, uint64_t size)
{
    size_t low = 0, high = b->unused_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->unused[middle].size < size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int too_much(uint64_t size)
{
    return trace_error_set(TRACE_ERR_FORMAT, "the program's memory of %llu more bytes is too much",
                           (unsigned long long)size);
}

/* Takes the block at this index out of the unused ones. */
static struct memory_block take_at(struct memory_blocks *b, size_t at)
{
    struct memory_block block = b->unused[at];
    b->unused_count--;
    memmove(&b->unused[at], &b->unused[at + 1], (b->unused_count - at) * sizeof *b->unused);
    return block;
}

int memory_blocks_take(struct memory_blocks *b, uint64_t size, struct memory_block *out)
{
    uint64_t wanted = size > 0 ? size : 1, left = MAX_USED - b->used_size;
    if (wanted > left)
        return too_much(size);
    if (ARRAY_RESERVE(b->unused, b->unused_count + b->used_count, b->cap) != 0)
        return TRACE_ERR_MEMORY; /* a place for each block when it is returned */
    size_t at = lower_bound(b, wanted);
    bool fits = at < b->unused_count && b->unused[at].size / 2 <= wanted && b->unused[at].size <= left;
    *out = fits ? take_at(b, at) : (struct memory_block){calloc(1, wanted), wanted};
    if (out->bytes == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for %llu bytes of the program",
                               (unsigned long long)size);
    b->used_count++;
    b->used_size += out->size;
    return 0;
}

/* Whole pages become the system's, which then are zero. */
static void clear(struct memory_block block)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)block.bytes;
    uintptr_t first = (start + page - 1) / page * page, end = (start + block.size) / page * page;
    bool is_given_back = end > first && madvise((void *)first, end - first, MADV_DONTNEED) == 0;
    if (!is_given_back) {
        memset(block.bytes, 0, block.size);
        return;
    }
    memset(block.bytes, 0, first - start);
    memset((void *)end, 0, start + block.size - end);
}

void memory_blocks_return(struct memory_blocks *b, struct memory_block block)
{
    size_t at = lower_bound(b, block.size);
    clear(block);
    memmove(&b->unused[at + 1], &b->unused[at], (b->unused_count - at) * sizeof *b->unused);
    b->unused[at] = block;
    b->unused_count++;
    b->used_count--;
    b->used_size -= block.size;
}
