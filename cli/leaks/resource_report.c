/* SPDX-License-Identifier: MIT */
#include "leaks/resource_report.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- groups ---------------------------------------------------------------------------------------- */

static void filter_leaks(struct resource_report *r, const struct resource_filter *filter,
                         const struct mapped_files *files)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->leak_count; ++i) {
        const struct live_resource *leak = r->leaks[i];
        if (resource_filter_accepts(filter, leak, &r->tracker->stacks.stacks[leak->stack], files))
            r->leaks[kept++] = leak;
    }
    r->leak_count = kept;
}

static int compare_stacks(const void *a, const void *b)
{
    const struct live_resource *x = *(const struct live_resource *const *)a;
    const struct live_resource *y = *(const struct live_resource *const *)b;
    if (x->stack != y->stack)
        return x->stack < y->stack ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int make_groups(struct resource_report *r, bool grouped)
{
    if (grouped)
        qsort(r->leaks, r->leak_count, sizeof *r->leaks, compare_stacks);
    r->groups = malloc((r->leak_count + 1) * sizeof *r->groups);
    if (r->groups == NULL)
        return no_memory();
    for (size_t i = 0; i < r->leak_count; ++i) {
        if (!grouped || i == 0 || r->leaks[i]->stack != r->leaks[i - 1]->stack)
            r->groups[r->group_count++] = (struct resource_group){.members = &r->leaks[i]};
        struct resource_group *group = &r->groups[r->group_count - 1];
        group->count++;
        group->size += r->leaks[i]->size;
    }
    return 0;
}

/* Equal groups stay in trace order. */
static int in_order(const struct resource_group *a, const struct resource_group *b)
{
    uint64_t x = a->members[0]->number, y = b->members[0]->number;
    return (x > y) - (x < y);
}

static int by_order(const void *a, const void *b)
{
    return in_order(a, b);
}

static int by_size(const void *a, const void *b)
{
    const struct resource_group *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size ? -1 : 1) : in_order(x, y);
}

static int by_size_falling(const void *a, const void *b)
{
    const struct resource_group *x = a, *y = b;
    return x->size != y->size ? (x->size > y->size ? -1 : 1) : in_order(x, y);
}

static int by_count(const void *a, const void *b)
{
    const struct resource_group *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? -1 : 1) : in_order(x, y);
}

static int by_count_falling(const void *a, const void *b)
{
    const struct resource_group *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : in_order(x, y);
}

static void sort_groups(struct resource_report *r, enum resource_sort sort)
{
    static int (*const orders[])(const void *, const void *) = {
        [RESOURCE_SORT_NONE] = by_order,
        [RESOURCE_SORT_SIZE] = by_size_falling,
        [RESOURCE_SORT_SIZE_ASCENDING] = by_size,
        [RESOURCE_SORT_COUNT] = by_count_falling,
        [RESOURCE_SORT_COUNT_ASCENDING] = by_count,
    };
    size_t sorted = 1;
    while (sorted < r->group_count && orders[sort](&r->groups[sorted - 1], &r->groups[sorted]) < 0)
        ++sorted;
    if (sorted < r->group_count) /* sorting takes as much memory again */
        qsort(r->groups, r->group_count, sizeof *r->groups, orders[sort]);
}

/* --- sums ------------------------------------------------------------------------------------------ */

static void add_to(struct resource_sum *sum, const struct live_resource *leak)
{
    sum->blocks++;
    sum->size += leak->size;
}

static int compare_types(const void *a, const void *b)
{
    const struct resource_sum *x = a, *y = b;
    uint32_t p = x->type != NULL ? x->type->id : 0, q = y->type != NULL ? y->type->id : 0;
    return (p > q) - (p < q);
}

/* Adds a sum for every selected type, even if nothing leaked. */
static int add_up_types(struct resource_report *r, const struct resource_filter *filter)
{
    r->by_type = calloc((size_t)r->tracker->type_count + 1, sizeof *r->by_type);
    if (r->by_type == NULL)
        return no_memory();
    for (uint32_t i = 0; i < r->tracker->type_count; ++i)
        r->by_type[i].type = r->tracker->types[i];
    for (size_t i = 0; i < r->leak_count; ++i)
        add_to(&r->by_type[resource_tracker_type_index(r->tracker, r->leaks[i]->kind->type)], r->leaks[i]);
    for (uint32_t i = 0; i < r->tracker->type_count; ++i)
        if (resource_filter_accepts_type(filter, r->by_type[i].type))
            r->by_type[r->type_count++] = r->by_type[i];
    qsort(r->by_type, r->type_count, sizeof *r->by_type, compare_types);
    return 0;
}

static int add_up_contexts(struct resource_report *r, const struct trace_context *contexts, size_t count)
{
    if (count == 0)
        return 0;
    r->by_context = calloc(count + 1, sizeof *r->by_context);
    if (r->by_context == NULL)
        return no_memory();
    r->context_count = count + 1;
    for (size_t i = 0; i < count; ++i)
        r->by_context[i].context = &contexts[i];
    for (size_t i = 0; i < r->leak_count; ++i) {
        uint32_t active = r->leaks[i]->kind->origin != NULL ? r->leaks[i]->kind->origin->contexts : 0;
        for (size_t c = 0; c < count; ++c)
            if ((active & contexts[c].id) != 0)
                add_to(&r->by_context[c], r->leaks[i]);
        if (active == 0)
            add_to(&r->by_context[count], r->leaks[i]);
    }
    return 0;
}

/* --- all of it ------------------------------------------------------------------------------------- */

int resource_report_init(struct resource_report *r, struct resource_tracker *tracker,
                         const struct resource_filter *filter, const struct mapped_files *files, bool grouped,
                         enum resource_sort sort, const struct trace_context *contexts, size_t context_count)
{
    *r = (struct resource_report){.tracker = tracker};
    r->leaks = resource_tracker_list(tracker, &r->leak_count);
    if (r->leaks == NULL)
        return TRACE_ERR_MEMORY;
    filter_leaks(r, filter, files);
    int rc = add_up_types(r, filter);
    if (rc == 0)
        rc = add_up_contexts(r, contexts, context_count);
    if (rc == 0)
        rc = make_groups(r, grouped);
    if (rc == 0)
        sort_groups(r, grouped && sort == RESOURCE_SORT_NONE ? RESOURCE_SORT_SIZE : sort);
    else
        resource_report_fini(r);
    return rc;
}

void resource_report_fini(struct resource_report *r)
{
    free(r->leaks);
    free(r->groups);
    free(r->by_type);
    free(r->by_context);
    memset(r, 0, sizeof *r);
}
