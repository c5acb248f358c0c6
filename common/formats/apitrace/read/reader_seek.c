/* SPDX-License-Identifier: MIT
 * Where a reader of calls goes when it does not read on.
 */
#include "formats/apitrace/read/reader_state.h"
#include "formats/apitrace/read/stream_seek.h"

#include <stdio.h>

#define NEAR         512  /* calls: these are read rather than jumped over */
#define MANY_PENDING 1024 /* calls: so many are not looked through */

static struct trace_index *get_index(const struct trace_reader *r)
{
    return trace_input_index(r->stream.in, NULL);
}

/* Goes to a segment of the index. TRACE_ERR_DAMAGED: it is there, but names are lost. After any other error,
 * a rewind has to follow; the index is given up unless it was a chunk that is damaged. */
static int go(struct trace_reader *r, uint64_t index, const struct trace_segment *segment)
{
    uint64_t frames = 0;
    trace_reader_drop_pending(r);
    int rc = trace_index_find_frame(get_index(r), segment->stream_offset, &frames);
    if (rc == 0)
        rc = trace_stream_go(&r->stream, segment, NULL, NULL);
    if (rc != 0 && !(rc == TRACE_ERR_DAMAGED && r->resumes)) {
        r->times.known = false;
        r->is_frame_unknown = true;
        if (rc != TRACE_ERR_DAMAGED)
            trace_input_drop_index(r->stream.in);
        return TRACE_ERR_FORMAT;
    }
    trace_event_times_go(&r->times, get_index(r), index);
    r->next_number = segment->next_call;
    r->is_frame_unknown = false;
    r->frames = frames;
    r->frame_calls = 1; /* or any other number, but none */
    r->jumped = true;
    r->ended = false;
    r->final_rc = 0;
    return rc == TRACE_ERR_DAMAGED && !trace_stream_has_lost_more(&r->stream) ? 0 : rc;
}

/* The same for a reader that is asked to go: what is lost, it tells before the next call. */
static bool has_gone(struct trace_reader *r, uint64_t index, const struct trace_segment *segment)
{
    int rc = go(r, index, segment);
    if (rc == TRACE_ERR_DAMAGED) {
        r->final_rc = rc;
        snprintf(r->final_message, sizeof r->final_message, "%s", trace_error_message());
    }
    return rc == 0 || rc == TRACE_ERR_DAMAGED;
}

static int rewind_reader(struct trace_reader *r)
{
    int rc = trace_stream_rewind(&r->stream);
    if (rc != 0)
        return rc;
    trace_reader_drop_pending(r);
    trace_event_times_go(&r->times, get_index(r), 0);
    r->next_number = 0;
    r->frames = r->frame_calls = 0;
    r->is_frame_unknown = r->jumped = false;
    r->ended = false;
    r->final_rc = 0;
    return 0;
}

int trace_reader_seek_call(struct trace_reader *r, uint64_t number)
{
    struct trace_segment segment;
    uint64_t index;
    bool back = r->next_number > number;
    bool known =
        get_index(r) != NULL && trace_index_find_segment(get_index(r), number, &index, &segment) == 0;
    if (known && (back || segment.next_call > r->next_number))
        back = !has_gone(r, index, &segment);
    int rc = back ? rewind_reader(r) : 0;
    if (rc == 0) {
        r->first_number = number;
        r->first_offset = r->first_frame = 0;
    }
    return rc;
}

/* By the index; false without a good one. */
static bool seek_indexed_frame(struct trace_reader *r, uint64_t frame)
{
    struct trace_index *t = get_index(r);
    struct trace_frame_entry entry;
    struct trace_segment segment;
    uint64_t index;
    if (t == NULL)
        return false;
    if (frame >= trace_index_frame_count(t)) {
        trace_reader_drop_pending(r);
        r->ended = true;
        r->next_number = UINT64_MAX;
        return true;
    }
    if (trace_index_frame(t, frame, &entry) != 0 ||
        trace_index_find_segment(t, entry.lowest_call, &index, &segment) != 0)
        return false;
    bool ahead =
        r->next_number <= entry.lowest_call && trace_stream_offset(&r->stream) <= entry.stream_offset;
    if ((!ahead || segment.next_call > r->next_number) && !has_gone(r, index, &segment))
        return false;
    r->first_number = entry.lowest_call;
    r->first_offset = entry.stream_offset;
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
        r->first_number = r->first_offset = 0;
        r->first_frame = frame;
    }
    return rc;
}

void trace_reader_count_unknown(struct trace_reader *r, uint64_t number, uint64_t offset)
{
    struct trace_index *t = get_index(r);
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
    if (get_index(r) == NULL ||
        trace_index_find_frame(get_index(r), trace_stream_offset(&r->stream), &frame) != 0 ||
        frame <= r->frames)
        return;
    r->frames = frame;
    r->frame_calls = 1; /* or any other number, but none */
}

void trace_reader_count_passed_rest(struct trace_reader *r, uint64_t number)
{
    struct trace_index *t = get_index(r);
    struct trace_frame_entry entry;
    while (t != NULL && r->frames + 1 < trace_index_frame_count(t) &&
           trace_index_frame(t, r->frames, &entry) == 0 && entry.last_call < number)
        r->frames++;
}

int trace_reader_want_times(struct trace_reader *r, bool *known)
{
    r->times.wanted = true;
    trace_event_times_go(&r->times, get_index(r), 0);
    *known = r->times.known;
    return 0;
}

const char *trace_reader_index_problem(struct trace_reader *r)
{
    const char *problem;
    trace_input_index(r->stream.in, &problem);
    return problem;
}

/* --- passing over what is not wanted --------------------------------------------------------------- */

void trace_reader_want_calls(struct trace_reader *r, const struct trace_call_set *set)
{
    r->wanted = set;
    r->jump_at = set != NULL && get_index(r) != NULL ? 0 : UINT64_MAX;
}

static bool is_any_pending_wanted(const struct trace_reader *r)
{
    const struct trace_call *c = r->newest != NULL ? &r->newest->call : NULL;
    if (c != NULL && trace_call_set_contains(r->wanted, c->number, c->flags))
        return true;
    if (r->pending.len > 0 && r->pending.cap > 2 * MANY_PENDING)
        return true;
    for (size_t i = 0; i < r->pending.cap && r->pending.len > 0; ++i) {
        c = (const struct trace_call *)(uintptr_t)r->pending.slots[i].value;
        if (r->pending.slots[i].state == INT_MAP_USED &&
            trace_call_set_contains(r->wanted, c->number, c->flags))
            return true;
    }
    return false;
}

/* What was returned already must not come again. */
static int rewind_to(struct trace_reader *r, uint64_t number)
{
    int rc = rewind_reader(r);
    r->first_number = number > r->first_number ? number : r->first_number;
    r->jump_at = UINT64_MAX;
    return rc;
}

int trace_reader_jump(struct trace_reader *r)
{
    struct trace_segment segment;
    uint64_t index;
    uint64_t next;
    r->jump_at = UINT64_MAX;
    if (get_index(r) == NULL || !trace_call_set_next(r->wanted, r->next_number, &next) || next == UINT64_MAX)
        return 0;
    r->jump_at = r->next_number + NEAR;
    if (next < r->jump_at || is_any_pending_wanted(r))
        return 0;
    if (trace_index_find_segment(get_index(r), next, &index, &segment) != 0)
        return rewind_to(r, next);
    r->jump_at = next + 1;
    if (segment.next_call <= r->next_number)
        return 0;
    int rc = go(r, index, &segment);
    return rc == 0 || rc == TRACE_ERR_DAMAGED ? rc : rewind_to(r, next);
}
