/* SPDX-License-Identifier: MIT
 * Seeks and jumps of a reader of calls.
 */
#include "formats/apitrace/read/reader_state.h"
#include "formats/apitrace/read/stream_seek.h"

/* Moves to a segment of the index. Errors: TRACE_ERR_DAMAGED: the stream has moved, but names are lost. After
 * any other error, the stream must be rewound; the index is dropped unless the error was a damaged chunk. */
static int go(struct trace_reader *r, uint64_t index, const struct trace_segment *segment)
{
    uint64_t frames = 0;
    trace_pending_records_drop(&r->pending, &r->records);
    int rc = trace_index_find_frame(trace_cursor_index(&r->cursor), segment->stream_offset, &frames);
    if (rc == 0)
        rc = trace_stream_go(&r->cursor.stream, segment, NULL, NULL);
    if (rc != 0 && !(rc == TRACE_ERR_DAMAGED && r->cursor.resumes)) {
        r->cursor.times.known = false;
        r->is_frame_unknown = true;
        if (rc != TRACE_ERR_DAMAGED)
            trace_input_drop_index(r->cursor.stream.in);
        return TRACE_ERR_FORMAT;
    }
    trace_cursor_begin(&r->cursor, index, segment->next_call);
    r->is_frame_unknown = false;
    r->frames = frames;
    r->frame_calls = 1; /* any number except 0 */
    r->jumped = true;
    return rc == TRACE_ERR_DAMAGED && !trace_stream_has_lost_more(&r->cursor.stream) ? 0 : rc;
}

/* Does the same for a seek that the caller requested. Losses are reported before the next call. */
static bool has_gone(struct trace_reader *r, uint64_t index, const struct trace_segment *segment)
{
    int rc = go(r, index, segment);
    if (rc == TRACE_ERR_DAMAGED)
        trace_cursor_fail(&r->cursor, rc);
    return rc == 0 || rc == TRACE_ERR_DAMAGED;
}

static int rewind_reader(struct trace_reader *r)
{
    int rc = trace_stream_rewind(&r->cursor.stream);
    if (rc != 0)
        return rc;
    trace_pending_records_drop(&r->pending, &r->records);
    trace_cursor_begin(&r->cursor, 0, 0);
    r->frames = r->frame_calls = 0;
    r->is_frame_unknown = r->jumped = false;
    return 0;
}

int trace_reader_seek_call(struct trace_reader *r, uint64_t number)
{
    struct trace_segment segment;
    uint64_t index;
    bool back = r->cursor.next_number > number;
    bool known = trace_cursor_index(&r->cursor) != NULL &&
                 trace_index_find_segment(trace_cursor_index(&r->cursor), number, &index, &segment) == 0;
    if (known && (back || segment.next_call > r->cursor.next_number))
        back = !has_gone(r, index, &segment);
    int rc = back ? rewind_reader(r) : 0;
    if (rc == 0) {
        r->first_number = number;
        r->cursor.first_offset = r->first_frame = 0;
    }
    return rc;
}

/* Uses the index. Returns false if there is no valid one. */
static bool seek_indexed_frame(struct trace_reader *r, uint64_t frame)
{
    struct trace_index *t = trace_cursor_index(&r->cursor);
    struct trace_frame_entry entry;
    struct trace_segment segment;
    uint64_t index;
    if (t == NULL)
        return false;
    if (frame >= trace_index_frame_count(t)) {
        trace_pending_records_drop(&r->pending, &r->records);
        r->cursor.ended = true;
        r->cursor.next_number = UINT64_MAX;
        return true;
    }
    if (trace_index_frame(t, frame, &entry) != 0 ||
        trace_index_find_segment(t, entry.lowest_call, &index, &segment) != 0)
        return false;
    bool ahead = r->cursor.next_number <= entry.lowest_call &&
                 trace_stream_offset(&r->cursor.stream) <= entry.stream_offset;
    if ((!ahead || segment.next_call > r->cursor.next_number) && !has_gone(r, index, &segment))
        return false;
    r->first_number = entry.lowest_call;
    r->cursor.first_offset = entry.stream_offset;
    r->first_frame = 0;
    return true;
}

int trace_reader_seek_frame(struct trace_reader *r, uint64_t frame)
{
    if (seek_indexed_frame(r, frame))
        return 0;
    bool ahead = !r->is_frame_unknown && (r->frames < frame || (r->frames == frame && r->frame_calls == 0));
    int rc = ahead ? 0 : rewind_reader(r);
    if (rc == 0) {
        r->first_number = r->cursor.first_offset = 0;
        r->first_frame = frame;
    }
    return rc;
}

void trace_reader_count_unknown(struct trace_reader *r, uint64_t number, uint64_t offset)
{
    struct trace_index *t = trace_cursor_index(&r->cursor);
    struct trace_frame_entry entry;
    uint64_t frame;
    if (t == NULL || trace_index_find_frame(t, offset, &frame) != 0 ||
        trace_index_frame(t, frame, &entry) != 0)
        return;
    bool is_ended = frame + 1 < trace_index_frame_count(t);
    r->frames = frame + (is_ended && entry.last_call == number);
}

void trace_reader_count_lost(struct trace_reader *r)
{
    uint64_t frame;
    if (trace_cursor_index(&r->cursor) == NULL ||
        trace_index_find_frame(trace_cursor_index(&r->cursor), trace_stream_offset(&r->cursor.stream),
                               &frame) != 0 ||
        frame <= r->frames)
        return;
    r->frames = frame;
    r->frame_calls = 1; /* any number except 0 */
}

void trace_reader_count_passed_rest(struct trace_reader *r, uint64_t number)
{
    struct trace_index *t = trace_cursor_index(&r->cursor);
    struct trace_frame_entry entry;
    while (t != NULL && r->frames + 1 < trace_index_frame_count(t) &&
           trace_index_frame(t, r->frames, &entry) == 0 && entry.last_call < number)
        r->frames++;
}

int trace_reader_want_times(struct trace_reader *r, bool *known)
{
    trace_cursor_want_times(&r->cursor, known);
    return 0;
}

int64_t trace_reader_wall_clock(struct trace_reader *r)
{
    return trace_index_wall_clock(trace_cursor_index(&r->cursor));
}

const char *trace_reader_index_problem(struct trace_reader *r)
{
    return trace_cursor_index_problem(&r->cursor);
}

/* --- passing over what is not wanted --------------------------------------------------------------- */

void trace_reader_want_calls(struct trace_reader *r, const struct trace_call_set *set)
{
    trace_cursor_want_calls(&r->cursor, set);
}

static bool is_any_pending_wanted(const void *context)
{
    const struct trace_reader *r = context;
    return trace_pending_records_any(&r->pending, r->cursor.wanted);
}

int trace_reader_jump(struct trace_reader *r)
{
    struct trace_segment segment;
    uint64_t index;
    if (!trace_cursor_find_jump(&r->cursor, is_any_pending_wanted, r, &index, &segment))
        return 0;
    uint64_t number = r->cursor.next_number;
    int rc = go(r, index, &segment);
    if (rc == 0 || rc == TRACE_ERR_DAMAGED)
        return rc;
    /* Calls that were already returned must not be returned again. */
    trace_call_set_next(r->cursor.wanted, number, &number);
    rc = rewind_reader(r);
    r->first_number = number > r->first_number ? number : r->first_number;
    r->cursor.jump_at = UINT64_MAX;
    return rc;
}
