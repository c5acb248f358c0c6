/* SPDX-License-Identifier: MIT
 * What is behind a sink: a format's writer. It embeds struct trace_sink as its first member.
 */
#ifndef TRACE_SINK_OPS_H
#define TRACE_SINK_OPS_H

#include "trace/sink.h"

/* As the functions of sink.h with these names. */
struct trace_sink_ops {
    int (*put)(struct trace_sink *s, const struct trace_event *event);
    int (*flush)(struct trace_sink *s);  /* NULL: nothing to do */
    int (*finish)(struct trace_sink *s); /* NULL: nothing is held back */
    int (*close)(struct trace_sink *s);  /* frees s */
    void (*abandon)(struct trace_sink *s);
};

#define TRACE_LEFT_OUT_MAX 32 /* different things that a sink may leave out */

struct trace_sink {
    const struct trace_sink_ops *ops;
    int rc; /* the first error that stays */
    size_t left_out_count;
    struct trace_left_out left_out[TRACE_LEFT_OUT_MAX];
};

/* Counts something that could not be expressed; what is a constant. Returns 0. */
int trace_sink_leave_out(struct trace_sink *s, const char *what, uint64_t count);

#endif
