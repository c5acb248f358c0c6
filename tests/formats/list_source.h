/* SPDX-License-Identifier: MIT
 * A source of events that a test has written down.
 */
#ifndef TESTS_LIST_SOURCE_H
#define TESTS_LIST_SOURCE_H

#include "trace/source_ops.h"

struct list_source {
    struct trace_source base;
    const struct trace_event *events; /* lent */
    size_t count;
    size_t next;
    size_t held;    /* events that were not handed back */
    size_t *closed; /* counts closings; NULL: nobody asks */
    int rc;         /* what comes before the end; 0: nothing */
    bool resumes;   /* was told to go on after damage */
    const struct trace_clock *clock;
};

/* Initialises it; the test owns its memory. */
struct trace_source *list_source_open(struct list_source *s, const struct trace_event *events, size_t count);

/* A call of function f with one argument, as text is easy to compare. */
struct trace_call list_source_call(uint32_t thread);

/* Events of that call. */
struct trace_event enter_of(const struct trace_call *call, uint64_t number, int64_t time);
struct trace_event exit_of(const struct trace_call *call, uint64_t number, int64_t time);

/* The next event of any source, which has one, or is at its end; and stays there. */
struct trace_event next_event(struct trace_source *s);
void expect_end(struct trace_source *s);

#endif
