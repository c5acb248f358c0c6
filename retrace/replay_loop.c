/* SPDX-License-Identifier: MIT */
#include "replay_loop.h"

#include "call/replay_call.h"
#include "call_source.h"
#include "replay_hosts.h"
#include "replay_signals.h"
#include "snapshot/snapshot.h"
#include "state/state_dump.h"

struct run {
    struct call_source source;
    const struct ready_call *call; /* the next one, if it has been read already */
};

/* Nothing is left to do if only state dumps and snapshots were asked for, and all are there. */
static bool is_complete(const struct replayer *r)
{
    bool has_dumps = r->options->dump_calls.count > 0, has_snapshots = r->options->snapshot_prefix != NULL;
    if (r->check.enabled || r->profile != NULL || !(has_dumps || has_snapshots))
        return false;
    return (!has_dumps || state_dump_is_complete(r)) && (!has_snapshots || snapshot_is_complete(r));
}

/* All commands must be finished when the time is measured. */
static void finish(struct replayer *r)
{
    if (r->current != NULL && r->gl.glFinish != NULL && !r->current->inside_begin)
        r->gl.glFinish();
}

/* *out is NULL at the end. */
static int next_call(struct replayer *r, struct run *run, const struct ready_call **out)
{
    *out = NULL;
    if (r->closed || replay_is_interrupted() || is_complete(r))
        return 0;
    int rc = run->call != NULL ? 0 : call_source_next(&run->source, &run->call);
    if (rc == 0)
        *out = run->call;
    return rc;
}

static int replay_next(struct replayer *r, const struct ready_call *call)
{
    bool ends_frame = (call->flags & TRACE_CALL_END_FRAME) != 0;
    int rc = replay_ready_call(r, call);
    if (ends_frame)
        replay_progress_step(&r->progress, r->frames);
    return rc;
}

/* Replays calls as long as they belong to the same traced thread, if there is a thread for each. */
static bool replay_calls(struct replayer *r, void *context, uint32_t *next, int *rc)
{
    struct run *run = context;
    const struct ready_call *call;
    while ((*rc = next_call(r, run, &call)) == 0 && call != NULL) {
        if (call->thread != *next && r->hosts != NULL) {
            *next = call->thread;
            return true;
        }
        run->call = NULL;
        if ((*rc = replay_next(r, call)) != 0)
            break;
    }
    finish(r);
    return false;
}

static int replay_all(struct replayer *r, struct run *run)
{
    int rc = call_source_next(&run->source, &run->call);
    if (rc != 0 || run->call == NULL)
        return rc;
    uint32_t first = run->call->thread;
    if (!r->options->single_thread)
        return replay_hosts_run(r, first, replay_calls, run);
    replay_calls(r, run, &first, &rc);
    return rc;
}

int replay_trace(struct replayer *r)
{
    struct run run = {.call = NULL};
    replay_progress_begin(&r->progress, r->options, r->reader);
    int rc = call_source_open(&run.source, r);
    if (rc == 0 && r->options->watchdog > 0)
        rc = replay_watchdog_start(&r->watchdog, r->options->watchdog);
    if (rc == 0)
        rc = replay_all(r, &run);
    replay_watchdog_stop(&r->watchdog);
    call_source_close(&run.source);
    replay_progress_end(&r->progress);
    return rc != 0 ? rc : state_dump_finish(r);
}
