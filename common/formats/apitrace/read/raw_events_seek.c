/* SPDX-License-Identifier: MIT
 * Seeks and jumps in a stream of raw events.
 */
#include "formats/apitrace/read/raw_events_state.h"
#include "formats/apitrace/read/stream_seek.h"

#define MANY_PENDING 1024 /* a number of calls that are too many to check */
#define MAX_TRIES    16 /* to find the start of a frame; after this many, reading from the start is as fast */

struct trace_index *trace_raw_events_index(struct trace_raw_events *e)
{
    return trace_cursor_index(&e->cursor);
}

const char *trace_raw_events_index_problem(struct trace_raw_events *e)
{
    return trace_cursor_index_problem(&e->cursor);
}

static void begin_at(struct trace_raw_events *e, uint64_t segment, uint64_t next_call)
{
    trace_pending_calls_fini(&e->pending);
    trace_cursor_begin(&e->cursor, segment, next_call);
    e->cursor.first_offset = 0;
}

/* Moves to a segment of the index. If the index is wrong, *arrived is false, the index is dropped, and the
 * stream must be rewound. Errors: TRACE_ERR_DAMAGED: the stream has moved, but names are lost. */
static int go(struct trace_raw_events *e, uint64_t index, const struct trace_segment *segment, bool *arrived)
{
    int rc = trace_raw_events_leave_window(e);
    *arrived = false;
    if (rc == 0 && e->passed_hook != NULL)
        rc = e->passed_hook(e->passed_context, NULL);
    if (rc != 0)
        return rc;
    rc = trace_stream_go(&e->cursor.stream, segment, e->passed_hook, e->passed_context);
    *arrived = rc == 0 || (rc == TRACE_ERR_DAMAGED && e->cursor.resumes);
    if (*arrived) {
        e->is_damaged = e->is_damaged || rc != 0;
        e->scan.noting = e->scan.noting || rc != 0;
        begin_at(e, index, segment->next_call);
        return rc != 0 && !trace_stream_has_lost_more(&e->cursor.stream) ? 0 : rc;
    }
    e->cursor.times.known = false;
    e->cursor.next_number = UINT64_MAX;
    if (rc != TRACE_ERR_DAMAGED)
        trace_input_drop_index(e->cursor.stream.in);
    return 0;
}

static int rewind_events(struct trace_raw_events *e)
{
    int rc = trace_raw_events_leave_window(e);
    if (rc == 0)
        rc = trace_stream_rewind(&e->cursor.stream);
    if (rc == 0)
        begin_at(e, 0, 0);
    return rc;
}

/* Finds the lowest number of the calls that end frames `from` to `to`; UINT64_MAX if there are none. */
static int find_first_end(struct trace_index *t, uint64_t from, uint64_t to, uint64_t *call)
{
    struct trace_frame_entry entry;
    int rc = 0;
    *call = UINT64_MAX;
    for (uint64_t frame = from; frame < to && rc == 0; ++frame) {
        rc = trace_index_frame(t, frame, &entry);
        if (rc == 0 && entry.last_call < *call)
            *call = entry.last_call;
    }
    return rc;
}

/* Finds a segment that begins before all calls of the frame, and before all calls that end a frame from there
 * on, because these must be read to be counted. `before` frames end before the segment. */
static int find_frame(struct trace_index *t, uint64_t frame, uint64_t *index, struct trace_segment *segment,
                      uint64_t *before)
{
    struct trace_frame_entry entry = {0};
    uint64_t count = trace_index_frame_count(t);
    uint64_t call = 0;
    frame = frame < count ? frame : count - 1;
    int rc = trace_index_frame(t, frame, &entry);
    uint64_t first = entry.lowest_call;
    for (int tries = 0; rc == 0 && tries < MAX_TRIES; ++tries) {
        rc = trace_index_find_segment(t, first, index, segment);
        if (rc == 0)
            rc = trace_index_find_frame(t, segment->stream_offset, before);
        if (rc == 0)
            rc = find_first_end(t, *before, frame, &call);
        if (rc != 0 || call >= segment->next_call)
            return rc;
        first = call;
    }
    return rc != 0 ? rc : trace_error_set(TRACE_ERR_FORMAT, "the index describes impossible frames");
}

int trace_raw_events_seek_frame(struct trace_raw_events *e, uint64_t frame, uint64_t *before)
{
    struct trace_segment segment;
    uint64_t index;
    bool arrived = false;
    int rc = 0;
    if (trace_cursor_index(&e->cursor) != NULL &&
        find_frame(trace_cursor_index(&e->cursor), frame, &index, &segment, before) == 0)
        rc = go(e, index, &segment, &arrived);
    if (rc == TRACE_ERR_DAMAGED) { /* reported before the next event */
        trace_cursor_fail(&e->cursor, rc);
        return 0;
    }
    if (rc != 0 || arrived)
        return rc;
    *before = 0;
    return e->cursor.next_number == 0 ? 0 : rewind_events(e);
}

int trace_raw_events_define(struct trace_raw_events *e, enum trace_sig_kind kind, const uint8_t *bytes,
                            size_t size)
{
    return trace_stream_define(&e->cursor.stream, kind, bytes, size);
}

void trace_raw_events_number_from(struct trace_raw_events *e, uint64_t number)
{
    e->cursor.next_number = number;
}

int trace_raw_events_want_times(struct trace_raw_events *e, bool *known)
{
    trace_cursor_want_times(&e->cursor, known);
    return 0;
}

void trace_raw_events_on_passing(struct trace_raw_events *e, trace_raw_events_passed_hook hook, void *context)
{
    e->passed_hook = hook;
    e->passed_context = context;
}

/* --- passing over what is not wanted --------------------------------------------------------------- */

void trace_raw_events_want_calls(struct trace_raw_events *e, const struct trace_call_set *set)
{
    trace_cursor_want_calls(&e->cursor, set);
}

static bool is_wanted(void *context, uint64_t number, const struct trace_function_sig *sig)
{
    return trace_call_set_contains(context, number, sig->flags);
}

static bool is_any_pending_wanted(const void *context)
{
    const struct trace_raw_events *e = context;
    return e->pending.signatures.cap > 2 * MANY_PENDING ||
           trace_pending_calls_any(&e->pending, is_wanted, (void *)(uintptr_t)e->cursor.wanted);
}

int trace_raw_events_jump(struct trace_raw_events *e)
{
    struct trace_segment segment;
    uint64_t index;
    bool arrived;
    if (!trace_cursor_find_jump(&e->cursor, is_any_pending_wanted, e, &index, &segment))
        return 0;
    uint64_t here = trace_stream_offset(&e->cursor.stream);
    int rc = go(e, index, &segment, &arrived);
    if (rc != 0 || arrived)
        return rc;
    /* Calls that were already returned must not be returned again. */
    rc = rewind_events(e);
    e->cursor.jump_at = UINT64_MAX;
    e->cursor.first_offset = here;
    return rc;
}
