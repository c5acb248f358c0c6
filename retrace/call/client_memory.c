/* SPDX-License-Identifier: MIT */
#include "call/client_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { PADDING = 256 }; /* zero bytes after the contents, for draws that read slightly too far */

struct client_memory {
    struct client_memory *old; /* smaller: the driver may still use it, if it refused the new one */
    size_t cap;
    uint8_t bytes[];
};

void *client_memory_get(struct int_map *slots, uint64_t slot, size_t size)
{
    uint64_t value;
    struct client_memory *old = int_map_get(slots, slot, &value) ? (void *)(uintptr_t)value : NULL;
    if (old == NULL || old->cap < size) {
        /* Reserved first, so that the driver's pointer stays valid after a failure. */
        size_t cap = size + size / 2;
        struct client_memory *new = calloc(1, sizeof *new + cap + PADDING);
        if (new == NULL || int_map_set(slots, slot, (uintptr_t) new) != 0) {
            free(new);
            trace_error_set(TRACE_ERR_MEMORY, "out of memory for %zu bytes of client memory", size);
            return NULL;
        }
        new->cap = cap;
        new->old = old;
        old = new;
    }
    memset(old->bytes + size, 0, PADDING);
    return old->bytes;
}

static void free_all(struct client_memory *memory)
{
    while (memory != NULL) {
        struct client_memory *old = memory->old;
        free(memory);
        memory = old;
    }
}

void client_memory_fini(struct int_map *slots)
{
    for (size_t i = 0; i < slots->cap; ++i)
        if (slots->slots[i].state == INT_MAP_USED)
            free_all((void *)(uintptr_t)slots->slots[i].value);
    int_map_fini(slots);
}
