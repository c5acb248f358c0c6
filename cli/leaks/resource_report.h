/* SPDX-License-Identifier: MIT
 * The report of resources that were never released: single leaks or groups by backtrace, and sums by type and
 * by context.
 */
#ifndef CLI_RESOURCE_REPORT_H
#define CLI_RESOURCE_REPORT_H

#include "leaks/resource_filter.h"

enum resource_sort {
    RESOURCE_SORT_NONE, /* single leaks in trace order, groups by size */
    RESOURCE_SORT_SIZE, /* largest sum first */
    RESOURCE_SORT_SIZE_ASCENDING,
    RESOURCE_SORT_COUNT,
    RESOURCE_SORT_COUNT_ASCENDING,
};

struct resource_sum {
    const struct trace_resource_type *type; /* for sums by type */
    const struct trace_context *context;    /* for sums by context; NULL: leaks in no context */
    uint64_t blocks;
    uint64_t size;
};

/* Leaks with the same backtrace; a single leak if leaks are not grouped. */
struct resource_group {
    const struct live_resource **members; /* in trace order; pointers into the report's `leaks` */
    size_t count;
    uint64_t size;
};

struct resource_report {
    const struct resource_tracker *tracker;
    const struct live_resource **leaks; /* the leaks that the filter selects, group by group */
    size_t leak_count;
    struct resource_group *groups;
    size_t group_count;
    struct resource_sum *by_type; /* in the order of their ids */
    size_t type_count;
    /* Empty if no context was declared; a leak in two contexts counts for both. */
    struct resource_sum *by_context;
    size_t context_count;
};

/* The tracker and the declared contexts are lent until resource_report_fini(). Errors: TRACE_ERR_MEMORY. */
int resource_report_init(struct resource_report *r, struct resource_tracker *tracker,
                         const struct resource_filter *filter, const struct mapped_files *files, bool grouped,
                         enum resource_sort sort, const struct trace_context *contexts, size_t context_count);
void resource_report_fini(struct resource_report *r);

/* Prints the report as a JSON object on the standard output. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int resource_report_print_json(const struct resource_report *r, const char *path);

#endif
