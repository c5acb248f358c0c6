/* SPDX-License-Identifier: MIT */
#include "call_source.h"

#include <stdio.h>

#include "base/error.h"

int call_source_open(struct call_source *s, struct replayer *r)
{
    *s = (struct call_source){.r = r, .repeats = r->options->loop_count};
    return call_queue_start(&s->queue, r, !r->options->single_thread);
}

void call_source_close(struct call_source *s)
{
    loop_calls_fini(&s->kept[0]);
    loop_calls_fini(&s->kept[1]);
    call_queue_stop(s->queue);
    s->queue = NULL;
}

/* Reads the next call. *out is NULL at the end of the trace, and after the last frame that is wanted. */
static int read_call(struct call_source *s, const struct ready_call **out)
{
    const struct replay_options *o = s->r->options;
    *out = NULL;
    s->read_all |= o->frames.count > 0 && s->frame > o->frames.last;
    if (s->read_all)
        return 0;
    int rc = call_queue_next(s->queue, out);
    while (rc == TRACE_ERR_TRUNCATED && !o->strict) {
        replay_progress_clear(&s->r->progress);
        fprintf(stderr, "warning: %s\n", trace_error_message());
        rc = call_queue_next(s->queue, out);
    }
    s->read_all = rc != 0 || *out == NULL;
    if (!s->read_all)
        s->frame += ((*out)->flags & TRACE_CALL_END_FRAME) != 0;
    return rc;
}

/* --- frames that may be replayed again -------------------------------------------------------------- */

/* Returns true if the frame that begins now may be. */
static bool keeps_frame(const struct call_source *s)
{
    const struct replay_options *o = s->r->options;
    if (!o->loop)
        return false;
    return !o->has_loop_frames || (s->frame >= o->loop_first && s->frame <= o->loop_last);
}

/* The last frame is the current one, until it is followed by another one. */
static void begin_frame(struct call_source *s)
{
    if (!s->r->options->has_loop_frames) {
        s->current ^= 1;
        loop_calls_clear(&s->kept[s->current]);
    }
    s->frame_start = s->kept[s->current].count;
}

/* Reads the calls up to the end of the frame. *complete is false if the trace ends before. */
static int read_frame(struct call_source *s, bool *complete)
{
    struct loop_calls *k = &s->kept[s->current];
    *complete = false;
    while (!*complete) {
        const struct ready_call *call;
        int rc = read_call(s, &call);
        if (rc != 0)
            return rc;
        if (call == NULL)
            break;
        *complete = (call->flags & TRACE_CALL_END_FRAME) != 0;
        if ((rc = loop_calls_add(k, call)) != 0)
            return rc;
    }
    return 0;
}

static struct loop_part part_of(const struct loop_calls *k, size_t at, size_t end)
{
    return (struct loop_part){.from = k, .at = at, .end = end};
}

/* The answers in the trace are those of the first time. */
static void begin_loop(struct call_source *s)
{
    s->state = SOURCE_LOOP;
    if (s->loop.end > 0)
        s->r->check.enabled = false;
}

/* The trace has ended, and its last calls are no frame. */
static int end_frames(struct call_source *s)
{
    const struct loop_calls *k = &s->kept[s->current];
    const struct replay_options *o = s->r->options;
    s->rest = part_of(k, s->frame_start, k->count);
    s->loop = o->has_loop_frames ? part_of(k, 0, s->frame_start)
                                 : part_of(&s->kept[s->current ^ 1], 0, s->kept[s->current ^ 1].count);
    begin_loop(s);
    return 0;
}

static int next_kept_frame(struct call_source *s)
{
    bool complete;
    begin_frame(s);
    int rc = read_frame(s, &complete);
    if (rc != 0)
        return rc;
    if (!complete)
        return end_frames(s);
    s->part = part_of(&s->kept[s->current], s->frame_start, s->kept[s->current].count);
    return 0;
}

/* --- all calls -------------------------------------------------------------------------------------- */

/* Whether the frames that are replayed again have been read, and the trace goes on. */
static bool is_behind_loop(const struct call_source *s)
{
    const struct replay_options *o = s->r->options;
    return o->loop && o->has_loop_frames && s->loop.from == NULL && s->frame > o->loop_last;
}

static int next_of_frames(struct call_source *s, const struct ready_call **out)
{
    if (is_behind_loop(s)) {
        s->loop = part_of(&s->kept[0], 0, s->kept[0].count);
        begin_loop(s);
        return 0;
    }
    if (keeps_frame(s))
        return next_kept_frame(s);
    int rc = read_call(s, out);
    if (rc != 0 || *out != NULL)
        return rc;
    s->state = SOURCE_REST;
    return 0;
}

/* Some frames were to be replayed again, but are not in the trace. */
static int end_source(struct call_source *s)
{
    const struct replay_options *o = s->r->options;
    s->state = SOURCE_END;
    if (!o->has_loop_frames || s->loop.end > 0)
        return 0;
    return trace_error_set(TRACE_ERR_USAGE, "--loop-frames: there are only %llu frames",
                           (unsigned long long)s->frame);
}

static void next_of_loop(struct call_source *s)
{
    if (s->loop.at < s->loop.end && s->repeats != 0) {
        s->repeats -= s->repeats > 0;
        s->part = s->loop;
        return;
    }
    s->part = s->rest;
    s->state = s->read_all ? SOURCE_REST : SOURCE_FRAMES;
}

/* Goes on to the next part, or to the next call that is no part of one. */
static int next_part(struct call_source *s, const struct ready_call **out)
{
    int rc = 0;
    while (rc == 0 && *out == NULL && s->part.at == s->part.end && s->state != SOURCE_END) {
        switch (s->state) {
        case SOURCE_FRAMES:
            rc = next_of_frames(s, out);
            break;
        case SOURCE_LOOP:
            next_of_loop(s);
            break;
        default:
            rc = end_source(s);
        }
    }
    return rc;
}

int call_source_next(struct call_source *s, const struct ready_call **out)
{
    *out = NULL;
    int rc = s->part.at == s->part.end ? next_part(s, out) : 0;
    if (rc == 0 && *out == NULL && s->part.at < s->part.end)
        *out = &s->part.from->calls[s->part.at++];
    return rc;
}
