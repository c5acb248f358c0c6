/* SPDX-License-Identifier: MIT */
#include "replay_loop.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "call_queue.h"

/* Calls kept to be replayed again. */
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
    if (kept->count == kept->cap) {
        size_t cap = kept->cap > 0 ? 2 * kept->cap : 1024;
        const struct trace_call **grown = realloc(kept->calls, cap * sizeof *grown);
        if (grown == NULL)
            return error_set(ERR_MEMORY, "out of memory for the calls of a frame");
        kept->calls = grown;
        kept->cap = cap;
    }
    kept->calls[kept->count++] = call;
    return 0;
}

/* Keeps call in the frame that is being replayed; at the end of a frame, that becomes the last whole one. */
static int keep_frame(struct replayer *r, struct kept_calls *frame, struct kept_calls *last,
                      const struct trace_call *call)
{
    int rc = keep(frame, call);
    if (rc != 0) {
        trace_call_release(r->reader, call);
        return rc;
    }
    if ((call->flags & TRACE_CALL_END_FRAME) != 0) {
        release_all(r, last);
        struct kept_calls swapped = *last;
        *last = *frame;
        *frame = swapped;
    }
    return 0;
}

static int replay_all(struct replayer *r, struct call_queue *queue, struct kept_calls *frame,
                      struct kept_calls *last, bool *truncated)
{
    while (!r->closed) {
        const struct trace_call *call;
        int rc = call_queue_next(queue, &call);
        if (rc == ERR_TRUNCATED) {
            *truncated = true;
            fprintf(stderr, "warning: %s\n", error_message());
            continue;
        }
        if (rc != 0 || call == NULL)
            return rc;
        rc = replay_call(r, call);
        if (r->options->loop && rc == 0) {
            call_queue_keep(queue);
            rc = keep_frame(r, frame, last, call);
        }
        if (rc != 0)
            return rc;
    }
    return 0;
}

static int replay_again(struct replayer *r, const struct kept_calls *last)
{
    long count = r->options->loop_count;
    for (long i = 0; last->count > 0 && !r->closed && (count < 0 || i < count); ++i) {
        for (size_t n = 0; n < last->count; ++n) {
            int rc = replay_call(r, last->calls[n]);
            if (rc != 0)
                return rc;
        }
    }
    return 0;
}

int replay_trace(struct replayer *r, bool *truncated)
{
    struct call_queue *queue = NULL;
    struct kept_calls frame = {0}, last = {0};
    *truncated = false;
    int rc = call_queue_start(&queue, r->reader, !r->options->single_thread);
    if (rc != 0)
        return rc;
    rc = replay_all(r, queue, &frame, &last, truncated);
    if (rc == 0 && r->options->loop)
        rc = replay_again(r, &last);
    if (r->current != NULL && r->gl.glFinish != NULL && !r->current->inside_begin)
        r->gl.glFinish(); /* what was asked for is done when the time is taken */
    release_all(r, &frame);
    release_all(r, &last);
    free(frame.calls);
    free(last.calls);
    call_queue_stop(queue);
    return rc;
}
