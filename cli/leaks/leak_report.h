/* SPDX-License-Identifier: MIT
 * The report of `trace-cli leaks`: the objects that were never deleted, by share group and kind.
 */
#ifndef CLI_LEAK_REPORT_H
#define CLI_LEAK_REPORT_H

#include "leaks/leak_tracker.h"
#include "trace/call_set.h"

struct leak_report {
    const struct leak_tracker *tracker;
    const char *path;
    uint64_t until;                     /* reading stopped before this call; LEAK_AT_END: at the end */
    bool alive;                         /* only objects that exist at the end */
    const bool *kinds;                  /* indexed by enum spec_object: the kinds to report; NULL: all */
    const struct trace_call_set *calls; /* only objects created by these calls; NULL: any */

    /* Filled by leak_report_init(). */
    /* Objects that exist come first, then those that were freed with a context or display. Both are sorted by
     * share group, kind, creator (the one of most objects first) and call. */
    const struct leak_finding **items;
    size_t count;
    size_t alive_count;
};

/* The first returns true if both belong under the same title. The second returns true if both have the same
 * kind and were created by the same function with the same backtrace. */
bool leak_report_same_section(const struct leak_finding *a, const struct leak_finding *b);
bool leak_report_same_creator(const struct leak_finding *a, const struct leak_finding *b);

/* The members before `items` must be set. */
int leak_report_init(struct leak_report *r);
void leak_report_fini(struct leak_report *r);

/* Prints the whole report. A summary only has the sums and the creators of most objects. */
int leak_report_print(const struct leak_report *r, bool summary);
void leak_report_print_json(const struct leak_report *r);

#endif
