/* SPDX-License-Identifier: MIT */
#include "profile/latencies.h"

#include "base/array.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdlib.h>

#define UNSORTED_MIN 4096 /* runs that are collected before they are sorted */

void latencies_fini(struct latencies *l)
{
    for (unsigned i = 0; i < LATENCY_PAGES; ++i)
        free(l->pages[i]);
    free(l->runs);
}

static int compare_runs(const void *a, const void *b)
{
    const struct latency_run *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Sorts the runs, and joins those of equal durations. */
static void sort_runs(struct latencies *l)
{
    size_t kept = 0;
    if (l->sorted_count == l->run_count)
        return;
    qsort(l->runs, l->run_count, sizeof *l->runs, compare_runs);
    for (size_t i = 0; i < l->run_count; ++i) {
        if (kept > 0 && l->runs[kept - 1].value == l->runs[i].value)
            l->runs[kept - 1].count += l->runs[i].count;
        else
            l->runs[kept++] = l->runs[i];
    }
    l->sorted_count = l->run_count = kept;
}

static int add_run(struct latencies *l, uint64_t value, uint64_t count)
{
    size_t unsorted = l->run_count - l->sorted_count;
    if (unsorted >= UNSORTED_MIN && unsorted > l->sorted_count)
        sort_runs(l);
    if (ARRAY_RESERVE(l->runs, l->run_count, l->run_room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    l->runs[l->run_count++] = (struct latency_run){value, count};
    return 0;
}

static int count_short(struct latencies *l, uint64_t value)
{
    uint16_t **page = &l->pages[value / LATENCY_PAGE];
    if (*page == NULL && (*page = calloc(LATENCY_PAGE, sizeof **page)) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    uint16_t *count = &(*page)[value % LATENCY_PAGE];
    return ++*count != 0 ? 0 : add_run(l, value, UINT16_MAX + 1u);
}

/* A function with few calls needs no pages. */
int latencies_add(struct latencies *l, uint64_t value)
{
    l->min = l->count == 0 || value < l->min ? value : l->min;
    l->max = value > l->max ? value : l->max;
    l->sum += (double)value;
    ++l->count;
    bool is_short = value < (uint64_t)LATENCY_PAGES * LATENCY_PAGE && l->count > LATENCY_PAGE;
    return is_short ? count_short(l, value) : add_run(l, value, 1);
}

static int join_page(struct latencies *l, const uint16_t *page, uint64_t first)
{
    int rc = 0;
    for (unsigned i = 0; rc == 0 && page != NULL && i < LATENCY_PAGE; ++i)
        if (page[i] > 0)
            rc = add_run(l, first + i, page[i]);
    return rc;
}

int latencies_join(struct latencies *l, const struct latencies *from)
{
    int rc = 0;
    if (from->count == 0)
        return 0;
    l->min = l->count == 0 || from->min < l->min ? from->min : l->min;
    l->max = from->max > l->max ? from->max : l->max;
    l->sum += from->sum;
    l->count += from->count;
    for (unsigned i = 0; rc == 0 && i < LATENCY_PAGES; ++i)
        rc = join_page(l, from->pages[i], (uint64_t)i * LATENCY_PAGE);
    for (size_t i = 0; rc == 0 && i < from->run_count; ++i)
        rc = add_run(l, from->runs[i].value, from->runs[i].count);
    return rc;
}

/* Runs and pages ascend; a short duration may be in both. */
uint64_t latencies_at(struct latencies *l, uint64_t place)
{
    size_t run = 0;
    sort_runs(l);
    for (uint64_t value = 0; value < (uint64_t)LATENCY_PAGES * LATENCY_PAGE; ++value) {
        const uint16_t *page = l->pages[value / LATENCY_PAGE];
        uint64_t count = page != NULL ? page[value % LATENCY_PAGE] : 0;
        if (run < l->run_count && l->runs[run].value == value)
            count += l->runs[run++].count;
        if (place < count)
            return value;
        place -= count;
    }
    for (; run < l->run_count; ++run) {
        if (place < l->runs[run].count)
            return l->runs[run].value;
        place -= l->runs[run].count;
    }
    return l->max;
}
