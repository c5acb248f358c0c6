/* SPDX-License-Identifier: MIT
 * Tracks allocations and releases, and lists what is still allocated (docs/sp-rtrace-format.md, "Leaks").
 * Works with every trace format.
 */
#ifndef CLI_RESOURCE_TRACKER_H
#define CLI_RESOURCE_TRACKER_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "resources/stack_table.h"
#include "trace/event.h"

#include <stdbool.h>

/* What many allocations have in common. It is stored once. */
struct live_kind {
    const struct trace_origin *origin;
    const struct trace_function_sig *sig;
    const struct trace_resource_type *type;
    const struct live_kind *next; /* with the same hash */
};

/* An allocation that has not been released. There may be millions: it is kept small. */
struct live_resource {
    uint64_t number; /* of the event of the allocation */
    int64_t time;
    const struct live_kind *kind;
    /* The arguments: sig->arg_count values, with their strings in the same memory block. NULL: none. */
    struct trace_value *args;
    uint64_t id;
    uint64_t size;
    uint32_t references;
    uint32_t stack; /* index of its backtrace in the stack table */
};

struct resource_tracker {
    struct stack_table stacks;
    uint32_t depth; /* frames of a backtrace that are kept, from the innermost; 0: all */

    struct live_resource *resources; /* number UINT64_MAX: the entry is free */
    uint32_t count;
    uint32_t room;
    uint32_t free;       /* index + 1 of the first free entry; its member `stack` links to the next one */
    uint32_t *slots;     /* hash table by type and id: index in resources + 1; 0: empty slot */
    uint32_t slot_count; /* a power of two, or 0 */
    uint32_t used_slots;

    struct int_map kinds; /* maps a hash to the first struct live_kind with it */
    const struct live_kind *last_kind;
    struct arena arena;         /* memory of the kinds */
    struct int_map known_types; /* maps the addresses of types to their indices in types */
    const struct trace_resource_type **types;
    uint32_t type_count;
    uint32_t last_type; /* index of the type that was used last */
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

/* Returns the index in t->types of a type that an event had. */
uint32_t resource_tracker_type_index(const struct resource_tracker *t,
                                     const struct trace_resource_type *type);

/* Lists what is still allocated, in the order of allocation. The caller frees the array of *count pointers;
 * what they point to is lent until the next resource_tracker_add(). Returns NULL if there is no memory. */
const struct live_resource **resource_tracker_list(struct resource_tracker *t, size_t *count);

#endif
