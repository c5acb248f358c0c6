/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/cursor.h"

#include "formats/apitrace/read/resync.h"

#define NEAR 512 /* a number of calls; closer ones are read instead of jumped over */

int trace_cursor_open(struct trace_cursor *c, struct trace_probe *probe)
{
    c->jump_at = UINT64_MAX;
    return trace_stream_open(&c->stream, probe);
}

int trace_cursor_fail(struct trace_cursor *c, int rc)
{
    return trace_error_keep(&c->final, rc);
}

int trace_cursor_repeat_error(struct trace_cursor *c)
{
    int rc = trace_error_restore(&c->final);
    if (rc == TRACE_ERR_DAMAGED)
        c->final.code = 0;
    return rc;
}

int trace_cursor_extend(struct trace_cursor *c, const uint8_t *event, bool *more)
{
    struct trace_parser *s = &c->stream.parser;
    bool partial = event != s->end;
    trace_signatures_rollback(&s->sigs);
    s->p = event;
    int rc = trace_stream_refill(&c->stream, event, s->need, more);
    if (rc == 0 && !*more && partial)
        rc = trace_stream_prefix_place(
            &c->stream, trace_error_set(TRACE_ERR_TRUNCATED, "the trace ends inside an event"));
    return rc;
}

int trace_cursor_resync(struct trace_cursor *c, const uint8_t *from, bool *found)
{
    c->times.known = false;
    return trace_resync(&c->stream, from, &c->next_number, found);
}

void trace_cursor_resume_after_damage(struct trace_cursor *c)
{
    c->resumes = true;
    trace_input_resume_after_damage(c->stream.in);
}

struct trace_index *trace_cursor_index(const struct trace_cursor *c)
{
    return trace_input_index(c->stream.in, NULL);
}

const char *trace_cursor_index_problem(const struct trace_cursor *c)
{
    const char *problem;
    trace_input_index(c->stream.in, &problem);
    return problem;
}

void trace_cursor_begin(struct trace_cursor *c, uint64_t segment, uint64_t next_number)
{
    trace_event_times_go(&c->times, trace_cursor_index(c), segment);
    c->next_number = next_number;
    c->ended = false;
    c->final.code = 0;
}

void trace_cursor_want_times(struct trace_cursor *c, bool *known)
{
    c->times.wanted = true;
    trace_event_times_go(&c->times, trace_cursor_index(c), 0);
    *known = c->times.known;
}

void trace_cursor_want_calls(struct trace_cursor *c, const struct trace_call_set *set)
{
    c->wanted = set;
    c->jump_at = set != NULL && trace_cursor_index(c) != NULL ? 0 : UINT64_MAX;
}

bool trace_cursor_find_jump(struct trace_cursor *c, bool (*is_pending_wanted)(const void *context),
                            const void *context, uint64_t *index, struct trace_segment *segment)
{
    struct trace_index *t = trace_cursor_index(c);
    uint64_t next;
    c->jump_at = UINT64_MAX;
    if (t == NULL || !trace_call_set_next(c->wanted, c->next_number, &next))
        return false;
    c->jump_at = c->next_number + NEAR;
    if (next < c->jump_at || is_pending_wanted(context))
        return false;
    if (trace_index_find_segment(t, next, index, segment) != 0) {
        c->jump_at = UINT64_MAX; /* there is an index, but it cannot be used */
        return false;
    }
    c->jump_at = next < UINT64_MAX ? next + 1 : next;
    return segment->next_call > c->next_number;
}
