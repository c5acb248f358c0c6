/* SPDX-License-Identifier: MIT
 * A sink writes events into a file of some format. What the format cannot express is left out, and counted by
 * what it was, so that whoever converts can tell.
 */
#ifndef TRACE_SINK_H
#define TRACE_SINK_H

#include "base/api.h"
#include "trace/container_kind.h"
#include "trace/event.h"

TRACE_API_BEGIN

struct trace_sink;

/* Zero-initialise it, set what is wanted. All is lent until the sink is closed. */
struct trace_sink_options {
    const struct trace_property *properties; /* of the source: names as source.h has them, and others */
    size_t property_count;
    const struct trace_clock *clock; /* of the events' times; NULL: none */
    enum trace_container container;  /* of apitrace's format */
    int level;                       /* of compression; 0: the container's usual one */
    unsigned jobs;                   /* threads that compress; 0: the caller does */
};

/* How many times something could not be expressed. */
struct trace_left_out {
    const char *what; /* "call", "backtrace", "thread of an event", …: a constant, in the singular */
    uint64_t count;
};

/* Begins a trace in the format of that name (trace_format_name() lists them) that will appear at path when
 * trace_sink_close() completes it; "-" is the standard output. options: NULL for the defaults. The caller
 * owns *out. Errors: TRACE_ERR_USAGE (no such format, or it cannot be written), TRACE_ERR_IO,
 * TRACE_ERR_MEMORY. */
int trace_sink_create(struct trace_sink **out, const char *format_name, const char *path,
                      const struct trace_sink_options *options);

/* Appends an event, which is lent until the return; signatures, origins and resource types are told from each
 * other by their addresses and stay where they are until the sink is closed. What cannot be expressed is
 * counted, which is no error. TRACE_ERR_USAGE: the event contradicts itself, nothing was written. Any other
 * error stays. */
int trace_sink_put(struct trace_sink *s, const struct trace_event *event);

/* What was put so far goes out, where that makes a difference: to a terminal, before a warning. */
int trace_sink_flush(struct trace_sink *s);

/* What was left out up to now, in the order of first appearance; lent until the next call with s. */
size_t trace_sink_left_out(const struct trace_sink *s, const struct trace_left_out **out);

/* What is only known at the end goes out; then what was left out is final, and only trace_sink_close()
 * follows. */
int trace_sink_finish(struct trace_sink *s);

/* Completes the file and frees s, also when that fails: then path is as it was before. Returns the first
 * error of the sink's that was not TRACE_ERR_USAGE. */
int trace_sink_close(struct trace_sink *s);

/* Frees s without leaving a file; NULL is allowed. */
void trace_sink_abandon(struct trace_sink *s);

TRACE_API_END

#endif
