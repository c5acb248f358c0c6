/* SPDX-License-Identifier: MIT
 * A source that yields events from an array.
 */
#ifndef TESTS_LIST_SOURCE_H
#define TESTS_LIST_SOURCE_H

#include "trace/source_ops.h"

struct list_source {
    struct trace_source base;
    const struct trace_event *events; /* lent */
    size_t count;
    size_t next;
    size_t held;    /* number of events that were not released */
    size_t *closed; /* counts how often it was closed; may be NULL */
    int rc;         /* an error that is returned once before the end; 0: none */
    bool resumes;   /* it was told to continue after damage */
    const struct trace_clock *clock;
};

/* Initialises the source. The test owns its memory. */
struct trace_source *list_source_open(struct list_source *s, const struct trace_event *events, size_t count);

/* Returns a call of function f with one argument, so that its text is easy to compare. */
struct trace_call list_source_call(uint32_t thread);

/* Return events of that call. */
struct trace_event enter_of(const struct trace_call *call, uint64_t number, int64_t time);
struct trace_event exit_of(const struct trace_call *call, uint64_t number, int64_t time);

/* Reads the next event of any source, or the end. It must not fail. The event is not released. */
struct trace_event next_event(struct trace_source *s);
void expect_end(struct trace_source *s);

#endif
