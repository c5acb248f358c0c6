/* SPDX-License-Identifier: MIT
 * Follows allocations and releases, and tells what is still allocated (docs/sp-rtrace-format.md, "Leaks"). It
 * knows no format.
 */
#ifndef CLI_RESOURCE_TRACKER_H
#define CLI_RESOURCE_TRACKER_H

#include "base/hash_map.h"
#include "resources/stack_table.h"
#include "trace/event.h"

/* An allocation that was not released. */
struct live_resource {
    uint64_t number; /* of the allocation's event */
    int64_t time;
    const struct trace_origin *origin;
    const struct trace_function_sig *sig;
    struct trace_value *args; /* sig->arg_count of them, with their strings in the same memory; NULL: none */
    struct trace_resource resource;
    uint32_t references;
    uint32_t stack; /* its number in the table */
};

struct resource_tracker {
    struct stack_table stacks;
    uint32_t depth; /* frames of a backtrace that count; 0: all */

    struct live_resource *resources; /* number UINT64_MAX: not in use */
    uint32_t count;
    uint32_t room;
    uint32_t free;           /* the first that is not in use, + 1; the next is its stack */
    struct int_map *by_type; /* for each type, ids to places in resources */
    const struct trace_resource_type **types;
    uint32_t type_count;
};

/* depth: as many frames of each backtrace are kept; 0: all. */
int resource_tracker_init(struct resource_tracker *t, uint32_t depth);
void resource_tracker_fini(struct resource_tracker *t);

/* Takes an allocation, a release, or the declaration of a type; other events change nothing. Signatures,
 * origins and types stay where they are until resource_tracker_fini(). ERR_MEMORY. */
int resource_tracker_add(struct resource_tracker *t, const struct trace_event *event);

/* The allocation that a release of this resource would end; NULL: none. Lent until the next change. */
const struct live_resource *resource_tracker_find(const struct resource_tracker *t,
                                                  const struct trace_resource *resource);

/* What is still allocated, in the order of allocation: a list of *count pointers to be freed, lent until the
 * next resource_tracker_add(). NULL: out of memory. */
const struct live_resource **resource_tracker_list(struct resource_tracker *t, size_t *count);

#endif
