/* SPDX-License-Identifier: MIT
 * Allocations and releases as calls, for whoever only knows calls: the type of the resource and its size, or
 * its id, follow the function's own arguments, and what was allocated is returned.
 */
#ifndef TRACE_RESOURCE_CALL_H
#define TRACE_RESOURCE_CALL_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/event.h"

/* Signatures of such calls, one for each function that allocates, and for each that releases. */
struct resource_calls {
    struct arena arena;
    struct int_map allocs; /* address of a function's signature to that of the call's */
    struct int_map frees;
};

void resource_calls_init(struct resource_calls *c);
void resource_calls_fini(struct resource_calls *c);

/* The event, which is an allocation or a release, as a call. Its signature lives until resource_calls_fini(),
 * its arguments are in the arena, all else is the event's. TRACE_ERR_MEMORY. */
int resource_calls_make(struct resource_calls *c, const struct trace_event *event, struct arena *arena,
                        struct trace_call *out);

#endif
