/* SPDX-License-Identifier: MIT
 * Statistics of allocations and releases: counts, total sizes and peak size, in all, by type, by context and
 * by function.
 */
#ifndef CLI_RESOURCE_STATS_H
#define CLI_RESOURCE_STATS_H

#include "resources/resource_tracker.h"

struct resource_count {
    const char *name;     /* of a type or function; NULL: unknown */
    uint32_t context;     /* for counts by context: the context's bit; 0: no context */
    uint64_t allocations; /* number of events */
    /* Number of events, including releases of resources whose allocation is not in the trace. */
    uint64_t releases;
    uint64_t size;      /* total of all allocations, in the type's unit */
    uint64_t live;      /* resources that are allocated now */
    uint64_t live_size; /* their total size */
    uint64_t peak_size; /* the highest live_size so far */
};

#define RESOURCE_CONTEXTS 33 /* no context, and one for each bit */

struct resource_stats {
    struct resource_tracker tracker;
    struct resource_count all;
    struct resource_count *types;
    size_t type_count;
    struct resource_count contexts[RESOURCE_CONTEXTS]; /* [0]: no context; [n]: the context of bit n - 1 */
    struct resource_count *functions;                  /* only numbers of events and sizes of allocations */
    size_t function_count;
    struct int_map by_sig;  /* maps the address of a signature to an index in functions */
    struct int_map by_type; /* maps the address of a type to an index in types */
};

int resource_stats_init(struct resource_stats *s);
void resource_stats_fini(struct resource_stats *s);

/* Counts an allocation or a release. Other events have no effect. Signatures, origins and types must stay
 * valid until resource_stats_fini(). Errors: TRACE_ERR_MEMORY. */
int resource_stats_add(struct resource_stats *s, const struct trace_event *event);

/* Sorts types by name, and functions by their number of allocations, highest first. */
void resource_stats_sort(struct resource_stats *s);

#endif
