/* SPDX-License-Identifier: MIT
 * The durations of a function's calls: how many there are of each, so that any of them in ascending order can
 * be found, while memory depends on how many different ones there are.
 */
#ifndef CLI_LATENCIES_H
#define CLI_LATENCIES_H

#include <stddef.h>
#include <stdint.h>

#define LATENCY_PAGE  1024u /* durations of a page */
#define LATENCY_PAGES 64u   /* of short durations, which are counted in place */

struct latency_run {
    uint64_t value;
    uint64_t count;
};

/* Zero-initialise it before use. */
struct latencies {
    uint64_t count;
    uint64_t min;
    uint64_t max;
    double sum;
    /* NULL: none of its durations has occurred. Counts are small, so that those of several functions are in
     * the processor's cache; one that overflows becomes a run. */
    uint16_t *pages[LATENCY_PAGES];
    uint16_t *awaited; /* the counter of the latest short duration, which is still to be added; or NULL */
    uint64_t awaited_value;
    struct latency_run *runs; /* the others, sorted up to sorted_count, then as they came */
    size_t sorted_count;
    size_t run_count;
    size_t run_room;
};

void latencies_fini(struct latencies *l);

/* Errors: TRACE_ERR_MEMORY. */
int latencies_add(struct latencies *l, uint64_t value);

/* Adds all durations of another function. */
int latencies_join(struct latencies *l, const struct latencies *from);

/* Returns the duration at this place in ascending order, which is below count. */
uint64_t latencies_at(struct latencies *l, uint64_t place);

#endif
