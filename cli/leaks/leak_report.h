/* SPDX-License-Identifier: MIT
 * What `trace-cli leaks` tells: the objects that were never deleted, by share group and kind.
 */
#ifndef CLI_LEAK_REPORT_H
#define CLI_LEAK_REPORT_H

#include "leaks/leak_tracker.h"
#include "trace/call_set.h"

struct leak_report {
    const struct leak_tracker *tracker;
    const char *path;
    uint64_t until;                     /* the call before which the trace was left; LEAK_AT_END: its end */
    bool alive;                         /* only what is there at the end */
    const bool *kinds;                  /* by enum spec_object: those to tell of; NULL: all */
    const struct trace_call_set *calls; /* by which the objects were created; NULL: any */

    /* Filled by leak_report_init(). */
    const struct leak_finding **items; /* sorted: live objects, then those freed with a context or display; by
                                          share group, kind, creator (the most prolific first), call */
    size_t count;
    size_t alive_count;
};

/* Do they belong under one title? Are they of one kind, made by the same function at the same place? */
bool leak_report_same_section(const struct leak_finding *a, const struct leak_finding *b);
bool leak_report_same_creator(const struct leak_finding *a, const struct leak_finding *b);

/* Fill in what comes before first. */
int leak_report_init(struct leak_report *r);
void leak_report_fini(struct leak_report *r);

/* All of it, or only the sums and who created most. */
int leak_report_print(const struct leak_report *r, bool summary);
void leak_report_print_json(const struct leak_report *r);

#endif
