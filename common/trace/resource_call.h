/* SPDX-License-Identifier: MIT
 * Converts allocations and releases to calls, for consumers that only know calls. The resource type and its
 * size (or its id, for a release) are appended to the function's own arguments. The return value is the id of
 * what was allocated.
 */
#ifndef TRACE_RESOURCE_CALL_H
#define TRACE_RESOURCE_CALL_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/event.h"

/* The signatures of such calls: one for each function that allocates, and one for each that releases. */
struct resource_calls {
    struct arena arena;
    struct int_map allocs; /* maps the address of a function's signature to the signature of the call */
    struct int_map frees;
};

void resource_calls_init(struct resource_calls *c);
void resource_calls_fini(struct resource_calls *c);

/* Converts an allocation or a release to the call *out. The signature is valid until resource_calls_fini();
 * the arguments are in the arena; all else is borrowed from the event. Errors: TRACE_ERR_MEMORY. */
int resource_calls_make(struct resource_calls *c, const struct trace_event *event, struct arena *arena,
                        struct trace_call *out);

#endif
