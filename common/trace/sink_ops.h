/* SPDX-License-Identifier: MIT
 * The implementation of a sink: a writer of some format. It embeds struct trace_sink as its first member.
 */
#ifndef TRACE_SINK_OPS_H
#define TRACE_SINK_OPS_H

#include "trace/sink.h"

/* The members implement the functions of sink.h with the same names. */
struct trace_sink_ops {
    int (*put)(struct trace_sink *s, const struct trace_event *event);
    int (*flush)(struct trace_sink *s);  /* NULL: nothing to do */
    int (*finish)(struct trace_sink *s); /* NULL: everything has been written already */
    int (*close)(struct trace_sink *s);  /* frees s */
    void (*abandon)(struct trace_sink *s);
};

#define TRACE_LEFT_OUT_MAX 32 /* the highest number of kinds of things that a sink may leave out */

struct trace_sink {
    const struct trace_sink_ops *ops;
    enum trace_need need; /* see trace_sink_need() */
    int rc;               /* the first permanent error */
    size_t left_out_count;
    struct trace_left_out left_out[TRACE_LEFT_OUT_MAX];
};

/* Counts something that could not be expressed. what is a string constant, in the singular. Returns 0. */
int trace_sink_leave_out(struct trace_sink *s, const char *what, uint64_t count);

#endif
