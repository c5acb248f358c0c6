/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/open_calls.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define MIN_QUEUE 64

void trace_open_calls_fini(struct trace_open_calls *o)
{
    int_map_fini(&o->flags);
    free(o->queue);
    memset(o, 0, sizeof *o);
}

/* Removes calls that have returned from the queue. */
static void compact(struct trace_open_calls *o)
{
    size_t kept = 0;
    for (size_t i = o->queue_first; i < o->queue_end; ++i)
        if (int_map_get(&o->flags, o->queue[i], NULL))
            o->queue[kept++] = o->queue[i];
    o->queue_first = 0;
    o->queue_end = kept;
}

/* When the queue grows, at least half of it is in the map, so its length is limited by that of the map. */
static int queue_number(struct trace_open_calls *o, uint64_t number)
{
    if (o->queue_end == o->queue_cap) {
        compact(o);
        if (o->queue_end >= o->queue_cap / 2) {
            size_t cap = o->queue_cap == 0 ? MIN_QUEUE : 2 * o->queue_cap;
            uint64_t *queue = realloc(o->queue, cap * sizeof *queue);
            if (queue == NULL)
                return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
            o->queue = queue;
            o->queue_cap = cap;
        }
    }
    o->queue[o->queue_end++] = number;
    return 0;
}

int trace_open_calls_set_aside(struct trace_open_calls *o)
{
    int rc = int_map_set(&o->flags, o->newest, o->newest_flags);
    return rc != 0 ? rc : queue_number(o, o->newest);
}

size_t trace_open_calls_count(const struct trace_open_calls *o)
{
    return o->flags.len + o->has_newest;
}

uint64_t trace_open_calls_lowest(struct trace_open_calls *o, uint64_t fallback)
{
    while (o->queue_first < o->queue_end && !int_map_get(&o->flags, o->queue[o->queue_first], NULL))
        o->queue_first++;
    if (o->queue_first < o->queue_end)
        return o->queue[o->queue_first];
    o->queue_first = o->queue_end = 0;
    return o->has_newest ? o->newest : fallback;
}

bool trace_open_calls_take(struct trace_open_calls *o, uint64_t *number, uint32_t *flags)
{
    uint64_t value = o->newest_flags;
    if (trace_open_calls_count(o) == 0)
        return false;
    *number = trace_open_calls_lowest(o, 0);
    int_map_get(&o->flags, *number, &value);
    *flags = (uint32_t)value;
    trace_open_calls_leave(o, *number);
    return true;
}
