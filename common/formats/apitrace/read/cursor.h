/* SPDX-License-Identifier: MIT
 * Where a reader is in a stream of events, and how it gets further: what the readers of calls (reader.c) and
 * of raw events (raw_events.c) have in common. Private to these.
 */
#ifndef TRACE_CURSOR_H
#define TRACE_CURSOR_H

#include "base/error.h"
#include "formats/apitrace/index/event_times.h"
#include "formats/apitrace/read/stream.h"
#include "trace/call_set.h"

struct trace_cursor {
    struct trace_stream stream;
    uint64_t next_number;  /* of the next call to be entered */
    uint64_t first_offset; /* what is before this place of the stream is not returned */

    const struct trace_call_set *wanted; /* or NULL: all */
    uint64_t jump_at;                    /* when this call is the next, it may be worth while to jump */

    struct trace_event_times times;

    bool resumes; /* after damage */
    bool ended;
    struct trace_kept_error final; /* comes again and again; TRACE_ERR_DAMAGED: once */
};

/* As trace_stream_open(), of a cursor that is all zero. After an error too, trace_stream_close() has to
 * follow. */
int trace_cursor_open(struct trace_cursor *c, struct trace_probe *probe);

/* The present error is final; returns rc. */
int trace_cursor_fail(struct trace_cursor *c, int rc);

/* The final error again. */
int trace_cursor_repeat_error(struct trace_cursor *c);

/* The window ends inside the event at `event`, or there between two. *more is false at the end of the stream,
 * with 0, or with TRACE_ERR_TRUNCATED if that is inside the event. */
int trace_cursor_extend(struct trace_cursor *c, const uint8_t *event, bool *more);

/* As trace_resync(): damage was found before `from`. */
int trace_cursor_resync(struct trace_cursor *c, const uint8_t *from, bool *found);

void trace_cursor_resume_after_damage(struct trace_cursor *c);

struct trace_index *trace_cursor_index(const struct trace_cursor *c);
const char *trace_cursor_index_problem(const struct trace_cursor *c);

/* The stream has gone to a segment of the index, or to its start: segment 0. */
void trace_cursor_begin(struct trace_cursor *c, uint64_t segment, uint64_t next_number);

void trace_cursor_want_times(struct trace_cursor *c, bool *known);
void trace_cursor_want_calls(struct trace_cursor *c, const struct trace_call_set *set);

/* Is it worth while to jump over calls that are not wanted, and where to? is_pending_wanted: is any call
 * wanted that has been entered and is still to be left? */
bool trace_cursor_find_jump(struct trace_cursor *c, bool (*is_pending_wanted)(const void *context),
                            const void *context, uint64_t *index, struct trace_segment *segment);

/* May reading pass over something here? */
static inline bool trace_cursor_may_jump(const struct trace_cursor *c)
{
    return c->next_number >= c->jump_at;
}

#endif
