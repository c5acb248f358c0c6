/* SPDX-License-Identifier: MIT
 * The calls that have been entered and not left, and the lowest of their numbers.
 */
#ifndef TRACE_OPEN_CALLS_H
#define TRACE_OPEN_CALLS_H

#include "base/hash_map.h"

/* Zero-initialise before use. Calls are entered in the order of their numbers. */
struct trace_open_calls {
    bool has_newest; /* the newest usually leaves next: it stays out of the map */
    uint64_t newest;
    uint32_t newest_flags;
    struct int_map flags; /* number to the function's flags, of all others */
    uint64_t *queue;      /* their numbers in order, and some that have been left meanwhile */
    size_t queue_first;
    size_t queue_end;
    size_t queue_cap;
};

void trace_open_calls_fini(struct trace_open_calls *o);

/* The newest is no longer that. */
int trace_open_calls_set_aside(struct trace_open_calls *o);

static inline int trace_open_calls_enter(struct trace_open_calls *o, uint64_t number, uint32_t flags)
{
    int rc = o->has_newest ? trace_open_calls_set_aside(o) : 0;
    if (rc != 0)
        return rc;
    o->has_newest = true;
    o->newest = number;
    o->newest_flags = flags;
    return 0;
}

static inline void trace_open_calls_leave(struct trace_open_calls *o, uint64_t number)
{
    if (o->has_newest && o->newest == number)
        o->has_newest = false;
    else
        int_map_remove(&o->flags, number);
}

size_t trace_open_calls_count(const struct trace_open_calls *o);

/* Removes the lowest; false when there is none. */
bool trace_open_calls_take(struct trace_open_calls *o, uint64_t *number, uint32_t *flags);

/* The lowest number, `fallback` when there is none. */
uint64_t trace_open_calls_lowest(struct trace_open_calls *o, uint64_t fallback);

#endif
