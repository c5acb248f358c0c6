/* SPDX-License-Identifier: MIT
 * The set of calls that have been entered and have not returned. Finds the lowest number.
 */
#ifndef TRACE_OPEN_CALLS_H
#define TRACE_OPEN_CALLS_H

#include "base/hash_map.h"

/* Zero-initialise it before use. Calls must be added in ascending order. */
struct trace_open_calls {
    bool has_newest; /* the newest call usually returns next, so it is not stored in the map */
    uint64_t newest;
    uint32_t newest_flags;
    struct int_map flags; /* maps the number of every other call to its function's flags */
    uint64_t *queue;      /* their numbers in ascending order; some calls may have returned already */
    size_t queue_first;
    size_t queue_end;
    size_t queue_cap;
};

void trace_open_calls_fini(struct trace_open_calls *o);

/* Moves the newest call to the map. */
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

/* Removes the call with the lowest number. Returns false if there is none. */
bool trace_open_calls_take(struct trace_open_calls *o, uint64_t *number, uint32_t *flags);

/* Returns the lowest number, or `fallback` if there are no calls. */
uint64_t trace_open_calls_lowest(struct trace_open_calls *o, uint64_t fallback);

#endif
