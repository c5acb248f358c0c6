/* SPDX-License-Identifier: MIT
 * Tracks allocations and releases, and lists what is still allocated (docs/sp-rtrace-format.md, "Leaks").
 * Works with every trace format.
 */
#ifndef CLI_RESOURCE_TRACKER_H
#define CLI_RESOURCE_TRACKER_H

#include "base/hash_map.h"
#include "resources/stack_table.h"
#include "trace/event.h"

/* An allocation that has not been released. */
struct live_resource {
    uint64_t number; /* of the event of the allocation */
    int64_t time;
    const struct trace_origin *origin;
    const struct trace_function_sig *sig;
    /* The arguments: sig->arg_count values, with their strings in the same memory block. NULL: none. */
    struct trace_value *args;
    struct trace_resource resource;
    uint32_t references;
    uint32_t stack; /* index of its backtrace in the stack table */
};

struct resource_tracker {
    struct stack_table stacks;
    uint32_t depth; /* frames of a backtrace that are kept, from the innermost; 0: all */

    struct live_resource *resources; /* number UINT64_MAX: the entry is free */
    uint32_t count;
    uint32_t room;
    uint32_t free;           /* index + 1 of the first free entry; its member `stack` links to the next one */
    struct int_map *by_type; /* for each type, maps an id to an index in resources */
    const struct trace_resource_type **types;
    uint32_t type_count;
};

/* depth: number of frames of each backtrace that are kept, from the innermost; 0: all. */
int resource_tracker_init(struct resource_tracker *t, uint32_t depth);
void resource_tracker_fini(struct resource_tracker *t);

/* Processes an allocation, a release, or the declaration of a type. Other events have no effect. Signatures,
 * origins and types must stay valid until resource_tracker_fini(). Errors: TRACE_ERR_MEMORY. */
int resource_tracker_add(struct resource_tracker *t, const struct trace_event *event);

/* Returns the allocation that a release of this resource would end, or NULL if there is none. Lent until the
 * next change. */
const struct live_resource *resource_tracker_find(const struct resource_tracker *t,
                                                  const struct trace_resource *resource);

/* Lists what is still allocated, in the order of allocation. The caller frees the array of *count pointers;
 * what they point to is lent until the next resource_tracker_add(). Returns NULL if there is no memory. */
const struct live_resource **resource_tracker_list(struct resource_tracker *t, size_t *count);

#endif
