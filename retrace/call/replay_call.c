/* SPDX-License-Identifier: MIT */
#include "call/replay_call.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "call/driver_messages.h"
#include "handlers/exceptions.h"
#include "call/plain_names.h"
#include "call/replay_function.h"
#include "objects/window_buffers.h"
#include "objects/replay_context.h"
#include "call/replay_invoke.h"
#include "replay_profile.h"
#include "objects/replay_state.h"
#include "snapshot/snapshot.h"
#include "state/state_dump.h"

/* Further errors of the same function are only counted. */
enum { MAX_REPORTS = 10 };

static const char *error_name(GLenum error)
{
    switch (error) {
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    case GL_STACK_OVERFLOW:
        return "GL_STACK_OVERFLOW";
    case GL_STACK_UNDERFLOW:
        return "GL_STACK_UNDERFLOW";
    case GL_OUT_OF_MEMORY:
        return "GL_OUT_OF_MEMORY";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_CONTEXT_LOST:
        return "GL_CONTEXT_LOST";
    default:
        return "an unknown error";
    }
}

static void check_gl_error(struct replayer *r, struct replay_function *fn)
{
    if (r->current == NULL || r->current->inside_begin)
        return;
    GLenum error = r->call_error != GL_NO_ERROR ? r->call_error : r->gl.glGetError();
    r->call_error = GL_NO_ERROR;
    if (error == GL_NO_ERROR)
        return;
    if (r->current->error == GL_NO_ERROR)
        r->current->error = error;
    r->gl_errors++;
    if (fn->gl_errors++ < MAX_REPORTS)
        replay_warn(r, "glGetError(%s) = %s", fn->sig->name, error_name(error));
    replay_clear_errors(r);
}

/* Reports the first failure of a function. Further ones are counted, and the count is reported at the end.
 * With --strict, the first one is an error, which ends the replay. */
static int report_failure(struct replayer *r, struct replay_function *fn, const char *reason)
{
    r->failures++;
    if (r->current != NULL && fn->spec != NULL && fn->spec->api == SPEC_API_GL)
        r->current->error_unknown = true;
    if (r->options->strict) {
        char copy[512]; /* reason may be the current message */
        snprintf(copy, sizeof copy, "%s", reason);
        return trace_error_set(TRACE_ERR_FORMAT, "%s", copy);
    }
    if (fn->failures++ > 0 || r->options->benchmark)
        return 0;
    replay_progress_clear(&r->progress);
    fprintf(stderr, "%llu: warning: %s\n", (unsigned long long)r->call_number, reason);
    return 0;
}

/* GL calls without a current context have no effect, and a driver may crash. Some programs make them when
 * they end. Otherwise, the context is missing only in the replay. */
static int skip_without_context(struct replayer *r, struct replay_function *fn)
{
    char reason[160];
    if (r->thread->released)
        return 0;
    snprintf(reason, sizeof reason, "%s: no context is current", fn->sig->name);
    return report_failure(r, fn, reason);
}

/* Runs the call's handler. Failures of single calls are reported, unless --strict; other errors are returned.
 */
static int dispatch(struct replayer *r, struct replay_call *c)
{
    struct replay_function *fn = c->function;
    if (fn->handler == NULL) {
        const char *why = replay_exception_reason(fn->sig->name);
        char reason[200];
        if (why != NULL)
            snprintf(reason, sizeof reason, "%s is not replayed: %s", fn->sig->name, why);
        else
            snprintf(reason, sizeof reason, "unsupported %s call", fn->sig->name);
        return report_failure(r, fn, reason);
    }
    if (r->current == NULL && fn->spec != NULL && fn->spec->api == SPEC_API_GL)
        return skip_without_context(r, fn);
    int rc = fn->handler(r, c);
    bool is_single = rc == TRACE_ERR_UNSUPPORTED || rc == TRACE_ERR_FORMAT;
    return is_single ? report_failure(r, fn, trace_error_message()) : rc;
}

/* Polls often enough for windows to respond, but rarely enough not to slow down short frames. */
static void poll_window_events(struct replayer *r)
{
    const int64_t interval = 20; /* in milliseconds */
    int64_t now = clock_milliseconds();
    if (now - r->last_poll < interval)
        return;
    r->last_poll = now;
    r->closed |= !r->ws->ops->poll_events(r->ws, false);
}

/* What comes after a call, whether or not it was replayed. */
static void note_call(struct replayer *r, const struct replay_function *fn)
{
    if (!r->check.enabled || fn->spec == NULL)
        return;
    if (fn->unchecked == CHECK_DRIVER && r->current != NULL)
        r->current->error_unknown = true;
    if (fn->skip && fn->spec->api == SPEC_API_GL)
        r->check.answers[fn->unchecked]++;
}

/* --frames: before the first one, everything is as fast as possible, and its time does not count. */
static void begin_counting(struct replayer *r)
{
    if (r->current != NULL && r->gl.glFinish != NULL && !r->current->inside_begin)
        r->gl.glFinish();
    r->first_frame = r->frames;
    r->start = clock_nanoseconds();
}

static bool is_frame_wanted(const struct replayer *r)
{
    const struct trace_call_set *frames = &r->options->frames;
    return frames->count == 0 || trace_call_set_contains(frames, r->frames, 0);
}

static void end_frame(struct replayer *r, const struct trace_call *call)
{
    const struct replay_options *o = r->options;
    bool paused = (o->min_frame_duration > 0 || o->frame_delay > 0) && is_frame_wanted(r);
    r->frames++;
    replay_profile_end_frame(r, call);
    if (paused)
        frame_pace_end(&r->pace, o->min_frame_duration, o->frame_delay);
    poll_window_events(r);
    uint64_t first;
    if (trace_call_set_next(&o->frames, 0, &first) && r->frames == first)
        begin_counting(r);
}

/* After the call has reached the driver, or has failed to. */
static void finish_call(struct replayer *r, struct replay_function *fn, uint32_t flags)
{
    r->calls++;
    if ((flags & TRACE_CALL_RENDER) != 0 && r->thread->draw != NULL) {
        r->thread->draw->is_drawn = true;
        window_buffers_draw(r);
    }
    if (!r->options->benchmark)
        check_gl_error(r, fn);
}

static int prefix_number(const struct replayer *r, int rc, const struct replay_function *fn)
{
    return trace_error_prefix(rc, "call %llu %s", (unsigned long long)r->call_number, fn->sig->name);
}

static int replay_plain_call(struct replayer *r, struct replay_function *fn, const void *args)
{
    int rc;
    struct plain_args mapped;
    if (r->current == NULL)
        rc = skip_without_context(r, fn);
    else if ((rc = replay_invoke_plain(r, fn, plain_names_map(r, fn, args, &mapped))) != 0)
        rc = report_failure(r, fn, trace_error_message());
    finish_call(r, fn, 0);
    return rc != 0 ? prefix_number(r, rc, fn) : 0;
}

/* Replays calls of a function, of which the driver may have none, one by one. */
static int replay_plain_run(struct replayer *r, const struct trace_plain_run *run)
{
    int rc = 0;
    for (uint32_t i = 0; i < run->count && rc == 0; ++i) {
        rc = replay_plain_call(r, run->owner, trace_plain_run_args(run, i));
        r->call_number++;
    }
    return rc;
}

/* Makes calls that the driver has. Names are looked up for each, since most differ. */
static void run_plain(struct replayer *r, const struct replay_function *fn, const struct trace_plain_run *run)
{
    struct plain_args mapped;
    if (fn->plain_name_count == 0)
        fn->runner(fn->spec, fn->proc, trace_plain_run_args(run, 0), run->count);
    for (uint32_t i = 0; fn->plain_name_count > 0 && i < run->count; ++i)
        fn->runner(fn->spec, fn->proc, plain_names_map(r, fn, trace_plain_run_args(run, i), &mapped), 1);
}

/* With -b, nothing happens between calls that the driver has. */
static int replay_plain_part(struct replayer *r, const struct trace_plain_part *part)
{
    bool is_fast = r->options->benchmark && !r->options->debug && r->current != NULL;
    const struct trace_plain_run *run = part->first;
    const struct trace_plain_run *end = (const void *)((const char *)run + part->size);
    int rc = 0;
    for (; run < end && rc == 0; run = trace_plain_run_next(run)) {
        const struct replay_function *fn = run->owner;
        if (is_fast && fn->proc != NULL) {
            run_plain(r, fn, run);
            r->call_number += run->count;
            r->calls += run->count;
        } else {
            rc = replay_plain_run(r, run);
        }
    }
    return rc;
}

static bool is_ignored(const struct replayer *r, const struct trace_call *call)
{
    const struct trace_call_set *ignored = &r->options->ignored_calls;
    return ignored->count > 0 && trace_call_set_contains(ignored, call->number, call->flags);
}

static int replay_now(struct replayer *r, struct replay_function *fn, const struct trace_call *call)
{
    struct replay_call c;
    c.call = call;
    c.function = fn;
    int rc = call_printer_print(&r->printer, call);
    if (r->options->markers && rc == 0)
        driver_messages_mark(r, call);
    if (r->options->watchdog > 0)
        replay_watchdog_begin(&r->watchdog, call->number, fn->sig->name);
    if (rc == 0)
        rc = dispatch(r, &c);
    arena_reset(&r->scratch);
    finish_call(r, fn, call->flags);
    if (r->options->watchdog > 0)
        replay_watchdog_end(&r->watchdog);
    return rc;
}

static int replay_whole_call(struct replayer *r, struct replay_function *fn, const struct trace_call *call)
{
    bool snapshot = r->options->snapshot_prefix != NULL && snapshot_wanted(r, call) && is_frame_wanted(r);
    int rc = snapshot ? snapshot_at(r, call, true) : 0;
    if (rc == 0 && !fn->skip && !is_ignored(r, call))
        rc = replay_now(r, fn, call);
    note_call(r, fn);
    if (rc == 0 && snapshot)
        rc = snapshot_at(r, call, false);
    if (rc == 0 && r->options->dump_calls.count > 0)
        rc = state_dump_after(r, call);
    if ((call->flags & TRACE_CALL_END_FRAME) != 0)
        end_frame(r, call);
    return rc;
}

int replay_ready_call(struct replayer *r, const struct ready_call *ready)
{
    r->call_number = ready->number;
    if (ready->thread != r->thread_number || r->thread == NULL) {
        int rc = replay_switch_thread(r, ready->thread);
        if (rc != 0)
            return rc;
    }
    if (ready->call == NULL)
        return replay_plain_part(r, &ready->plain);
    int rc = replay_whole_call(r, ready->function, ready->call);
    return rc != 0 ? prefix_number(r, rc, ready->function) : 0;
}

int replay_call(struct replayer *r, const struct trace_call *call)
{
    const struct ready_call ready = {.function = replay_function_find(r, call->sig),
                                     .call = call,
                                     .number = call->number,
                                     .thread = call->thread,
                                     .flags = call->flags};
    return ready.function != NULL ? replay_ready_call(r, &ready) : TRACE_ERR_MEMORY;
}
