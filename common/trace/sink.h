/* SPDX-License-Identifier: MIT
 * A sink writes events into a file of some format. It leaves out what the format cannot express, and counts
 * it by kind, so that the user can be told.
 */
#ifndef TRACE_SINK_H
#define TRACE_SINK_H

#include "base/api.h"
#include "trace/container_kind.h"
#include "trace/event.h"

TRACE_API_BEGIN

struct trace_sink;
struct babeltrace_style;
struct ctf_rfc_options;

/* Zero-initialise it, then set the members that differ from the defaults. Everything is lent until the sink
 * is closed. */
struct trace_sink_options {
    const struct trace_property *properties; /* of the source; source.h lists the names that formats share */
    size_t property_count;
    const struct trace_clock *clock; /* of the events' times; NULL: none */
    enum trace_container container;  /* of apitrace's format */
    int level;                       /* compression level; 0: the container's usual one */
    const struct babeltrace_style
        *babeltrace; /* what babeltrace's text shows; NULL: what it does by itself */
    const struct ctf_rfc_options
        *ctf_rfc;  /* of the format ctf-rfc; NULL: plain packets, in the source's byte order */
    unsigned jobs; /* threads that compress; 0: the calling thread compresses */
};

/* Something that could not be expressed, and how often it occurred. */
struct trace_left_out {
    const char *what; /* "call", "backtrace", "thread of an event", …: a constant in the singular */
    uint64_t count;
};

/* Creates a trace in the named format (see trace_format_name()). The file appears at path when
 * trace_sink_close() completes it; "-" is the standard output. options may be NULL for the defaults. The
 * caller owns *out. Errors: TRACE_ERR_USAGE (the format does not exist or cannot be written), TRACE_ERR_IO,
 * TRACE_ERR_MEMORY. */
int trace_sink_create(struct trace_sink **out, const char *format_name, const char *path,
                      const struct trace_sink_options *options);

/* Appends an event, which is lent until the function returns. Signatures, origins and resource types are
 * identified by their addresses, so they must stay valid until the sink is closed. What the format cannot
 * express is counted; that is not an error. Errors: TRACE_ERR_USAGE if the event is inconsistent, and nothing
 * was written. Every other error is permanent: all later calls return it. */
int trace_sink_put(struct trace_sink *s, const struct trace_event *event);

/* Returns what the sink needs of events, for trace_source_set_need(). */
enum trace_need trace_sink_need(const struct trace_sink *s);

/* Writes out what has been put so far if the reader could notice, as on a terminal. Call it before printing a
 * warning. */
int trace_sink_flush(struct trace_sink *s);

/* Returns what has been left out so far, in the order of first occurrence. *out is lent until the next call
 * on s. */
size_t trace_sink_left_out(const struct trace_sink *s, const struct trace_left_out **out);

/* Writes what is only known at the end. The counts of what was left out are then final, and only
 * trace_sink_close() or trace_sink_abandon() may follow. */
int trace_sink_finish(struct trace_sink *s);

/* Completes the file and frees s. If that fails, the file at path is left as it was. Returns the sink's first
 * error that was not TRACE_ERR_USAGE. */
int trace_sink_close(struct trace_sink *s);

/* Frees s and leaves no file. s may be NULL. */
void trace_sink_abandon(struct trace_sink *s);

TRACE_API_END

#endif
