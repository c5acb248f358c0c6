/* SPDX-License-Identifier: MIT */
#include "replay_loop.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "call_queue.h"
#include "call/replay_call.h"
#include "state/state_dump.h"

/* Calls that are kept to be replayed again. */
struct kept_calls {
    const struct trace_call **calls;
    size_t count, cap;
};

static void release_all(struct replayer *r, struct kept_calls *kept)
{
    for (size_t i = 0; i < kept->count; ++i)
        trace_call_release(r->reader, kept->calls[i]);
    kept->count = 0;
}

static int keep(struct kept_calls *kept, const struct trace_call *call)
{
    if (ARRAY_RESERVE(kept->calls, kept->count, kept->cap) != 0)
        return TRACE_ERR_MEMORY;
    kept->calls[kept->count++] = call;
    return 0;
}

static int replay_calls(struct replayer *r, const struct kept_calls *kept)
{
    for (size_t i = 0; i < kept->count && !r->closed; ++i) {
        int rc = replay_call(r, kept->calls[i]);
        if (rc != 0)
            return rc;
        if ((kept->calls[i]->flags & TRACE_CALL_END_FRAME) != 0)
            replay_progress_step(&r->progress, r->frames);
    }
    return 0;
}

/* Gets the next call. *call is NULL at the end of the trace, even if the trace is cut off, unless --strict.
 */
static int next_call(struct replayer *r, struct call_queue *queue, const struct trace_call **call)
{
    int rc = call_queue_next(queue, call);
    while (rc == TRACE_ERR_TRUNCATED && !r->options->strict) {
        replay_progress_clear(&r->progress);
        fprintf(stderr, "warning: %s\n", trace_error_message());
        rc = call_queue_next(queue, call);
    }
    return rc;
}

/* Nothing is left to do if only state dumps were asked for. */
static bool is_complete(const struct replayer *r)
{
    return state_dump_is_complete(r) && r->options->snapshot_prefix == NULL && !r->check.enabled;
}

static int replay_once(struct replayer *r, struct call_queue *queue)
{
    while (!r->closed && !is_complete(r)) {
        const struct trace_call *call;
        int rc = next_call(r, queue, &call);
        if (rc != 0 || call == NULL)
            return rc;
        rc = replay_call(r, call);
        if (rc != 0)
            return rc;
        if ((call->flags & TRACE_CALL_END_FRAME) != 0)
            replay_progress_step(&r->progress, r->frames);
    }
    return 0;
}

static int replay_again(struct replayer *r, const struct kept_calls *last)
{
    long count = r->options->loop_count;
    r->check.enabled = false; /* the trace tells the answers of the first time only */
    int rc = 0;
    for (long i = 0; rc == 0 && last->count > 0 && !r->closed && (count < 0 || i < count); ++i)
        rc = replay_calls(r, last);
    return rc;
}

/* Calls are held back until their frame is complete. What follows the last frame often destroys what the
 * frame needs, so it is replayed after the loop. */
static int replay_frames(struct replayer *r, struct call_queue *queue, struct kept_calls *frame,
                         struct kept_calls *last)
{
    while (!r->closed) {
        const struct trace_call *call;
        int rc = next_call(r, queue, &call);
        if (rc != 0)
            return rc;
        if (call == NULL)
            break;
        call_queue_keep(queue);
        if ((rc = keep(frame, call)) != 0) {
            trace_call_release(r->reader, call);
            return rc;
        }
        if ((call->flags & TRACE_CALL_END_FRAME) == 0)
            continue;
        if ((rc = replay_calls(r, frame)) != 0)
            return rc;
        release_all(r, last);
        struct kept_calls spare = *last;
        *last = *frame;
        *frame = spare;
    }
    int rc = replay_again(r, last);
    return rc != 0 ? rc : replay_calls(r, frame);
}

int replay_trace(struct replayer *r)
{
    struct call_queue *queue = NULL;
    struct kept_calls frame = {0}, last = {0};
    replay_progress_begin(&r->progress, r->options, r->reader);
    int rc = call_queue_start(&queue, r->reader, !r->options->single_thread);
    if (rc != 0)
        return rc;
    if (r->options->loop)
        rc = replay_frames(r, queue, &frame, &last);
    else
        rc = replay_once(r, queue);
    if (r->current != NULL && r->gl.glFinish != NULL && !r->current->inside_begin)
        r->gl.glFinish(); /* all commands must be finished when the time is measured */
    release_all(r, &frame);
    release_all(r, &last);
    free(frame.calls);
    free(last.calls);
    call_queue_stop(queue);
    replay_progress_end(&r->progress);
    return rc != 0 ? rc : state_dump_finish(r);
}
