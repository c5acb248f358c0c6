/* SPDX-License-Identifier: MIT
 * What `trace-cli leaks` tells of resources that were never released: each, or by backtrace, and sums by type
 * and by context.
 */
#ifndef CLI_RESOURCE_REPORT_H
#define CLI_RESOURCE_REPORT_H

#include "leaks/resource_filter.h"

enum resource_sort {
    RESOURCE_SORT_NONE, /* in the order of the trace; groups by size */
    RESOURCE_SORT_SIZE, /* the largest sum first */
    RESOURCE_SORT_SIZE_ASCENDING,
    RESOURCE_SORT_COUNT,
    RESOURCE_SORT_COUNT_ASCENDING,
};

struct resource_sum {
    const struct trace_resource_type *type; /* of sums by type */
    const struct trace_context *context;    /* of sums by context; NULL: of what was in none */
    uint64_t blocks;
    uint64_t size;
};

/* Leaks with the same backtrace; without grouping, one. */
struct resource_group {
    const struct live_resource **members; /* in the order of the trace; lent from the report */
    size_t count;
    uint64_t size;
};

struct resource_report {
    const struct resource_tracker *tracker;
    const struct live_resource **leaks; /* what the filter accepts, group by group */
    size_t leak_count;
    struct resource_group *groups;
    size_t group_count;
    struct resource_sum *by_type; /* in the order of their ids */
    size_t type_count;
    struct resource_sum *by_context; /* none if no context was declared; a leak in two contexts is in both */
    size_t context_count;
};

/* tracker and contexts (those declared) are lent until resource_report_fini(). ERR_MEMORY. */
int resource_report_init(struct resource_report *r, struct resource_tracker *tracker,
                         const struct resource_filter *filter, const struct mapped_files *files, bool grouped,
                         enum resource_sort sort, const struct trace_context *contexts, size_t context_count);
void resource_report_fini(struct resource_report *r);

/* Prints it as a JSON object on the standard output. */
int resource_report_print_json(const struct resource_report *r, const char *path);

#endif
