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

static int count_awaited(struct latencies *l)
{
    uint16_t *count = l->awaited;
    l->awaited = NULL;
    return count == NULL || ++*count != 0 ? 0 : add_run(l, l->awaited_value, UINT16_MAX + 1u);
}

/* Counters are seldom in the processor's first cache. So this one is only asked for, and is counted with the
 * next one. */
static int count_short(struct latencies *l, uint64_t value)
{
    uint16_t **page = &l->pages[value / LATENCY_PAGE];
    if (*page == NULL && (*page = calloc(LATENCY_PAGE, sizeof **page)) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = count_awaited(l);
    l->awaited = &(*page)[value % LATENCY_PAGE];
    l->awaited_value = value;
    __builtin_prefetch(l->awaited, 1);
    return rc;
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
    if (rc == 0 && from->awaited != NULL)
        rc = add_run(l, from->awaited_value, 1);
    for (size_t i = 0; rc == 0 && i < from->run_count; ++i)
        rc = add_run(l, from->runs[i].value, from->runs[i].count);
    return rc;
}

/* Looks among the durations that have a counter in this page, or are runs that could. *run: the first of the
 * runs that were not passed. *place: among what was not passed. Returns the duration, or UINT64_MAX. */
static uint64_t find_in_page(const struct latencies *l, unsigned page, size_t *run, uint64_t *place)
{
    const uint16_t *counts = l->pages[page];
    uint64_t first = (uint64_t)page * LATENCY_PAGE;
    for (uint64_t value = first; value < first + LATENCY_PAGE; ++value) {
        uint64_t count = counts != NULL ? counts[value - first] : 0;
        count += l->awaited != NULL && l->awaited_value == value;
        if (*run < l->run_count && l->runs[*run].value == value)
            count += l->runs[(*run)++].count;
        if (*place < count)
            return value;
        *place -= count;
    }
    return UINT64_MAX;
}

/* Runs and pages ascend; a short duration may be in both. */
uint64_t latencies_at(struct latencies *l, uint64_t place)
{
    size_t run = 0;
    sort_runs(l);
    for (unsigned page = 0; page < LATENCY_PAGES; ++page) {
        bool has_runs = run < l->run_count && l->runs[run].value / LATENCY_PAGE == page;
        uint64_t value =
            has_runs || l->pages[page] != NULL ? find_in_page(l, page, &run, &place) : UINT64_MAX;
        if (value != UINT64_MAX)
            return value;
    }
    for (; run < l->run_count; ++run) {
        if (place < l->runs[run].count)
            return l->runs[run].value;
        place -= l->runs[run].count;
    }
    return l->max;
}
