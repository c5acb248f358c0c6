/* SPDX-License-Identifier: MIT */
#include "objects/bindless_handles.h"

#include <string.h>

#include "objects/replay_names.h"
#include "spec_ids.h"

enum { MIN_BITS = 33 };

bool bindless_handles_moved(const struct replayer *r)
{
    return r->current != NULL && r->current->group->handles_moved;
}

uint64_t bindless_handles_map(struct replayer *r, uint64_t number)
{
    if (number >> (MIN_BITS - 1) == 0 || !bindless_handles_moved(r))
        return number;
    return replay_map_name(r, SPEC_OBJECT_texture_handle, number, 0);
}

/* Finds the next handle at or after *at that is another one here. */
static bool find_next(struct replayer *r, const uint8_t *bytes, uint64_t size, uint64_t *at, uint64_t *real)
{
    for (; *at + sizeof *real <= size; *at += 4) {
        uint64_t traced;
        memcpy(&traced, bytes + *at, sizeof traced);
        *real = bindless_handles_map(r, traced);
        if (*real != traced)
            return true;
    }
    return false;
}

const void *bindless_handles_map_bytes(struct replayer *r, const void *bytes, uint64_t size)
{
    uint64_t at = 0, real;
    if (!bindless_handles_moved(r) || !find_next(r, bytes, size, &at, &real))
        return bytes;
    uint8_t *copy = arena_alloc(&r->scratch, size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, bytes, size);
    do {
        memcpy(copy + at, &real, sizeof real);
        at += sizeof real;
    } while (find_next(r, bytes, size, &at, &real));
    return copy;
}
