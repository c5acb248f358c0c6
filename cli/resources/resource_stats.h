/* SPDX-License-Identifier: MIT
 * How much was allocated and released, and how much was allocated at most at one time: in all, by type, by
 * context and by function.
 */
#ifndef CLI_RESOURCE_STATS_H
#define CLI_RESOURCE_STATS_H

#include "resources/resource_tracker.h"

struct resource_count {
    const char *name;     /* of a type or function; NULL: unknown */
    uint32_t context;     /* of counts by context: its bit; 0: none */
    uint64_t allocations; /* events */
    uint64_t releases;    /* events, also of what was not seen to be allocated */
    uint64_t size;        /* of all allocations */
    uint64_t live;        /* resources that are allocated now, */
    uint64_t live_size;   /* and their size */
    uint64_t peak_size;   /* the largest live_size */
};

#define RESOURCE_CONTEXTS 33 /* none, and each bit */

struct resource_stats {
    struct resource_tracker tracker;
    struct resource_count all;
    struct resource_count *types;
    size_t type_count;
    struct resource_count contexts[RESOURCE_CONTEXTS]; /* 0: of no context; n: of bit n - 1 */
    struct resource_count *functions;                  /* only events and sizes of allocations */
    size_t function_count;
    struct int_map by_sig;  /* address of a signature, to the place in functions */
    struct int_map by_type; /* address of a type, to the place in types */
};

int resource_stats_init(struct resource_stats *s);
void resource_stats_fini(struct resource_stats *s);

/* Counts an allocation or a release; other events change nothing. Signatures, origins and types stay where
 * they are until resource_stats_fini(). */
int resource_stats_add(struct resource_stats *s, const struct trace_event *event);

/* Sorts types by name, functions by allocations, those with most first. */
void resource_stats_sort(struct resource_stats *s);

#endif
