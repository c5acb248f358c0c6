/* SPDX-License-Identifier: MIT
 * A source yields the events of a trace of any format. trace_source_open() detects the format by the contents
 * of the file, never by its name. On malformed input a source returns an error that says what is wrong and
 * where. It never exits, aborts, or accesses memory out of bounds.
 */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "base/api.h"
#include "trace/event.h"
#include "trace/progress_callback.h"

TRACE_API_BEGIN

struct trace_source;
struct trace_reader;

/* The order in which a source yields its calls. */
enum trace_source_order {
    TRACE_ORDER_CALLS, /* whole calls, in the order in which they returned; calls that never returned come
                          last */
    TRACE_ORDER_TIME,  /* ends of calls and other events, in chronological order */
};

/* Opens the trace at path ("-": the standard input) and reads its header. The caller owns *out and closes it
 * with trace_source_close(). Errors: TRACE_ERR_IO, TRACE_ERR_FORMAT (not a trace, or malformed),
 * TRACE_ERR_TRUNCATED, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int trace_source_open(struct trace_source **out, const char *path);
void trace_source_close(struct trace_source *s); /* s may be NULL */

/* Reads the next event into *out. At the end of the trace its kind is TRACE_EVENT_END. Release every other
 * event with trace_source_release(); until then it may be kept. Errors: TRACE_ERR_TRUNCATED: the trace ends
 * inside an event; pending events follow, then the end. TRACE_ERR_DAMAGED: some events were lost; reading can
 * continue. This is only returned after trace_source_resume_after_damage(). Every other error is permanent:
 * all later calls return it. */
int trace_source_next(struct trace_source *s, struct trace_event *out);
void trace_source_release(struct trace_source *s, const struct trace_event *event);

/* Makes the source continue after damage if the format allows it. trace_source_next() then returns
 * TRACE_ERR_DAMAGED once for each damaged part. */
void trace_source_resume_after_damage(struct trace_source *s);

/* Sets the callback that is told how far the file has been read. */
void trace_source_set_progress(struct trace_source *s, struct trace_progress_callback w);

/* Makes the source yield calls as two events, an enter and an exit, in chronological order. Call it before
 * the first event is read. What an enter points to is lent until its exit is returned. Has no effect if calls
 * are split already. Errors: TRACE_ERR_UNSUPPORTED if the format only has whole calls. */
int trace_source_split(struct trace_source *s);

/* Returns the name of the function that the traced program knows by this number, lent until the next call, or
 * NULL after setting the message. */
typedef const char *(*trace_function_namer)(void *context, uint32_t number);

/* Makes the source ask for the names of functions of which the format only has numbers. Call it before the
 * first event is read, and keep what context refers to until the source is closed. Returns false, without any
 * effect, if the functions have names. */
bool trace_source_name_functions(struct trace_source *s, trace_function_namer namer, void *context);

/* Makes the next event the first one whose number is at least `number`. Errors: TRACE_ERR_UNSUPPORTED if the
 * source can only be read forwards. */
int trace_source_seek(struct trace_source *s, uint64_t number);

/* Returns the time from which on events are wanted, on the source's clock, given the time of the trace's
 * first event with a call. */
typedef int64_t (*trace_begin_chooser)(void *context, int64_t first);

/* Makes the source leave out the events before the time that the chooser returns, and pass over the parts of
 * the file that have only such, as far as the format tells where they are. Events are then numbered from the
 * first one that is not left out. Ends of calls that began before are left out, too, unless wants_ends.
 * What was lost or is damaged before that time is not told, unless it is close to it. Call it before the
 * first event is read; context is lent until the source is closed. Returns false, without any effect, if the
 * source has to read everything. */
bool trace_source_choose_begin(struct trace_source *s, trace_begin_chooser chooser, void *context,
                               bool wants_ends);

/* Tells the source what is needed of its events, so that it can do less. Each record is then an INSTANT, and
 * with TRACE_NEEDS_PLACES its origin only has the stream. Call it before the first event is read. Returns
 * false, without any effect, if the source cannot do less. */
bool trace_source_set_need(struct trace_source *s, enum trace_need need);

/* Returns the format's name as `trace-cli formats` prints it, such as "apitrace" or "sp-rtrace"; a constant.
 */
const char *trace_source_format_name(const struct trace_source *s);

/* Returns the name of the format in which a copy of the trace keeps the most; a constant. */
const char *trace_source_copy_format(const struct trace_source *s);

enum trace_source_order trace_source_order(const struct trace_source *s);

/* Returns the clock of the events' timestamps, or NULL if there are none. Lent until the source is closed. */
const struct trace_clock *trace_source_clock(struct trace_source *s);

/* Gets the properties of the trace, in its own order, lent until the source is closed. Returns their number.
 * Names that formats share: "process.name", "process.id", "process.start" (nanoseconds since 1970-01-01 UTC),
 * "arch", "pointer.size" (bytes), "backtrace.depth", "tracer" (name and version of the tool). */
size_t trace_source_properties(const struct trace_source *s, const struct trace_property **out);

/* Returns the reader of the apitrace format below s, for operations that only that format has, or NULL if s
 * is of another format. Lent until the source is closed. Read events from only one of the two. */
struct trace_reader *trace_source_reader(struct trace_source *s);

TRACE_API_END

#endif
