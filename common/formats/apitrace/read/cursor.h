/* SPDX-License-Identifier: MIT
 * The position of a reader in a stream of events, and how it advances. Shared by the reader of calls
 * (reader.c) and the reader of raw events (raw_events.c), and private to them.
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
    uint64_t first_offset; /* events before this stream offset are not returned */

    const struct trace_call_set *wanted; /* NULL: all calls are wanted */
    uint64_t jump_at;                    /* number of the call at which a jump may be worthwhile */

    struct trace_event_times times;

    bool resumes; /* reading continues after damage */
    bool ended;
    /* Returned again by every call, except TRACE_ERR_DAMAGED, which is returned once. */
    struct trace_kept_error final;
};

/* Does the same as trace_stream_open(). The cursor must be zeroed. Call trace_stream_close() even after an
 * error. */
int trace_cursor_open(struct trace_cursor *c, struct trace_probe *probe);

/* Makes the current error permanent. Returns rc. */
int trace_cursor_fail(struct trace_cursor *c, int rc);

/* Sets the message of the permanent error again and returns its code. */
int trace_cursor_repeat_error(struct trace_cursor *c);

/* Extends the window, which ends inside the event at `event`, or exactly there between two events. At the end
 * of the stream, *more is false, and the function returns 0, or TRACE_ERR_TRUNCATED if the stream ends inside
 * the event. */
int trace_cursor_extend(struct trace_cursor *c, const uint8_t *event, bool *more);

/* Does the same as trace_resync() for damage before `from`. */
int trace_cursor_resync(struct trace_cursor *c, const uint8_t *from, bool *found);

void trace_cursor_resume_after_damage(struct trace_cursor *c);

struct trace_index *trace_cursor_index(const struct trace_cursor *c);
const char *trace_cursor_index_problem(const struct trace_cursor *c);

/* Notes that the stream was moved to a segment of the index, or to its start (segment 0). */
void trace_cursor_begin(struct trace_cursor *c, uint64_t segment, uint64_t next_number);

void trace_cursor_want_times(struct trace_cursor *c, bool *known);
void trace_cursor_want_calls(struct trace_cursor *c, const struct trace_call_set *set);

/* Returns true, and where to jump, if it is worthwhile to jump over unwanted calls. is_pending_wanted tells
 * whether a wanted call has been entered and has not returned. */
bool trace_cursor_find_jump(struct trace_cursor *c, bool (*is_pending_wanted)(const void *context),
                            const void *context, uint64_t *index, struct trace_segment *segment);

/* Returns true if reading may skip calls at the current position. */
static inline bool trace_cursor_may_jump(const struct trace_cursor *c)
{
    return c->next_number >= c->jump_at;
}

#endif
