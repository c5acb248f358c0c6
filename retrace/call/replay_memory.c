/* SPDX-License-Identifier: MIT */
#include "call/replay_memory.h"

#include <string.h>

#include "base/error.h"

void *replay_copy(struct replayer *r, const void *bytes, uint64_t count, uint64_t total)
{
    if (total > REPLAY_MAX_BYTES) {
        trace_error_set(TRACE_ERR_FORMAT, "an array of %llu bytes is too large", (unsigned long long)total);
        return NULL;
    }
    uint8_t *copy = arena_alloc(&r->scratch, total + REPLAY_PADDING);
    if (copy == NULL)
        return NULL;
    if (count > 0)
        memcpy(copy, bytes, count);
    memset(copy + count, 0, total + REPLAY_PADDING - count);
    return copy;
}

void *replay_output_memory(struct replayer *r, uint64_t size)
{
    bool inverted = r->current != NULL && r->current->has_inverted_rows;
    uint64_t below = inverted ? (size + REPLAY_PADDING - 1) / REPLAY_PADDING * REPLAY_PADDING : 0;
    uint8_t *memory = replay_copy(r, NULL, 0, below + size);
    return memory != NULL ? memory + below : NULL;
}
