/* SPDX-License-Identifier: MIT
 * Memory in place of what the traced program allocated. Blocks that it has freed stay readable, because a
 * driver may still have their addresses. They are used again, and until then, their pages belong to the
 * system.
 */
#ifndef RETRACE_MEMORY_BLOCKS_H
#define RETRACE_MEMORY_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct memory_block {
    uint8_t *bytes;
    uint64_t size; /* in bytes */
};

/* Zero-initialise it before use. */
struct memory_blocks {
    struct memory_block *unused; /* ascending by size; all zero */
    size_t unused_count, used_count, cap;
    uint64_t used_size; /* of all that are in use, in bytes */
};

/* Frees the unused blocks. The others have to be returned before. */
void memory_blocks_fini(struct memory_blocks *b);

/* *out receives a block of at least `size` bytes, at least one, which are zero. Errors: TRACE_ERR_FORMAT if
 * more than a gigabyte would be in use, TRACE_ERR_MEMORY. */
int memory_blocks_take(struct memory_blocks *b, uint64_t size, struct memory_block *out);

/* Takes a block back that memory_blocks_take() gave. */
void memory_blocks_return(struct memory_blocks *b, struct memory_block block);

#endif
