/* SPDX-License-Identifier: MIT
 * A source yields the events of a trace, whatever its format. trace_source_open() finds the format by what is
 * in the file, never by its name. A source never exits, aborts or overruns on any input: it returns an error
 * that says what and where.
 */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "base/api.h"
#include "trace/event.h"
#include "trace/progress_callback.h"

TRACE_API_BEGIN

struct trace_source;
struct trace_reader;

/* In which order a source yields its calls. */
enum trace_source_order {
    TRACE_ORDER_CALLS, /* whole calls, in the order in which they were left; those never left come last */
    TRACE_ORDER_TIME,  /* ends of calls and other events, in the order in which they happened */
};

/* Opens the trace at path ("-": the standard input) and reads its header. The caller owns *out
 * (trace_source_close). Errors: TRACE_ERR_IO, TRACE_ERR_FORMAT (it is no trace, or malformed),
 * TRACE_ERR_TRUNCATED, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int trace_source_open(struct trace_source **out, const char *path);
void trace_source_close(struct trace_source *s); /* NULL is allowed */

/* The next event into *out; its kind is TRACE_EVENT_END at the end of the trace. Every other event is handed
 * back with trace_source_release(), and may be held meanwhile. TRACE_ERR_TRUNCATED: the trace ends inside an
 * event; events that were pending follow, then the end. TRACE_ERR_DAMAGED, after
 * trace_source_resume_after_damage() only: events before the next are lost. Any other error ends the reading:
 * it is returned from then on. */
int trace_source_next(struct trace_source *s, struct trace_event *out);
void trace_source_release(struct trace_source *s, const struct trace_event *event);

/* Goes on after damage where the format allows it, with TRACE_ERR_DAMAGED once for each damaged part. */
void trace_source_resume_after_damage(struct trace_source *s);

/* w is told how far the file has been read. */
void trace_source_set_progress(struct trace_source *s, struct trace_progress_callback w);

/* To be called before the first event is read: calls come as their two ends, an enter and an exit, in the
 * order of time. What an enter points to is lent until its exit is returned. Does nothing if they come so
 * already. TRACE_ERR_UNSUPPORTED: they come whole only. */
int trace_source_split(struct trace_source *s);

/* The next event will be the first with this number or a higher one. TRACE_ERR_UNSUPPORTED: it can only go
 * forward.
 */
int trace_source_seek(struct trace_source *s, uint64_t number);

/* "apitrace", "sp-rtrace", …: the format's name in `trace-cli formats`; a constant. */
const char *trace_source_format_name(const struct trace_source *s);
enum trace_source_order trace_source_order(const struct trace_source *s);

/* The clock of the events' times; NULL: they have none. Lent until the source is closed. */
const struct trace_clock *trace_source_clock(struct trace_source *s);

/* What the trace says of itself, in its own order, lent until the source is closed. Names that formats share:
 * "process.name", "process.id", "process.start" (nanoseconds since 1970-01-01 UTC), "arch", "pointer.size"
 * (bytes), "backtrace.depth", "tracer" (name and version of the tool). */
size_t trace_source_properties(const struct trace_source *s, const struct trace_property **out);

/* The reader of apitrace's format below s, for what only that format can do; lent until the source is closed.
 * NULL: s is a source of another kind. Events must not be asked of both. */
struct trace_reader *trace_source_reader(struct trace_source *s);

TRACE_API_END

#endif
