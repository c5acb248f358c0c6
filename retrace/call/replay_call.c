/* SPDX-License-Identifier: MIT */
#include "call/replay_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "handlers/handlers.h"
#include "call/missing_arrays.h"
#include "objects/replay_context.h"
#include "check/replay_check.h"
#include "call/replay_invoke.h"
#include "replay_profile.h"
#include "objects/replay_state.h"
#include "snapshot/snapshot.h"
#include "spec_ids.h"
#include "state/state_dump.h"

/* Further errors of the same function are only counted. */
enum { MAX_REPORTS = 10 };

/* Indexed by the numbers in spec_function.replay, which start at 1. */
static const replay_handler handlers[] = {
    NULL,
#define REPLAY_HANDLER(name) handle_##name,
#include "replay_handlers.inc"
#undef REPLAY_HANDLER
};

static bool learns_names(const struct spec_function *f)
{
    const unsigned roles = SPEC_PARAM_CREATE | SPEC_PARAM_DELETE;
    bool learns = f->ret.object != 0 && (f->ret.flags & roles) != 0;
    for (unsigned i = 0; i < f->param_count; ++i)
        learns |= spec_param(f, i)->object != 0 && (spec_param(f, i)->flags & roles) != 0;
    return learns;
}

/* Returns what is known about the function with this signature; it is looked up at its first call. Returns
 * NULL if there is no memory. */
static struct replay_function *resolve(struct replayer *r, const struct trace_function_sig *sig)
{
    uint64_t value;
    if (int_map_get(&r->functions, sig->id, &value))
        return (struct replay_function *)(uintptr_t)value;
    struct replay_function *fn = calloc(1, sizeof *fn);
    if (fn == NULL || int_map_set(&r->functions, sig->id, (uintptr_t)fn) != 0) {
        free(fn);
        trace_error_set(TRACE_ERR_MEMORY, "out of memory for functions");
        return NULL;
    }
    fn->sig = sig;
    fn->spec = spec_find_function(sig->name);
    if (fn->spec != NULL && fn->spec->param_count > REPLAY_MAX_ARGS)
        fn->spec = NULL;
    if (fn->spec == NULL)
        return fn;
    fn->handler = handlers[fn->spec->replay];
    fn->reads_arrays = (sig->flags & TRACE_CALL_RENDER) != 0 &&
                       (strstr(sig->name, "Arrays") != NULL || strstr(sig->name, "Elements") != NULL);
    fn->reads_vertices = fn->reads_arrays || fn->spec->alias == SPEC_FN_glArrayElement;
    fn->has_names = learns_names(fn->spec);
    for (unsigned i = 0; i < fn->spec->param_count; ++i)
        fn->has_pointers |= spec_param(fn->spec, i)->form != SPEC_FORM_VALUE &&
                            spec_param(fn->spec, i)->form != SPEC_FORM_OPAQUE;
    bool is_gl = fn->spec->api == SPEC_API_GL;
    fn->unchecked = replay_check_reason(fn);
    fn->skip = (is_gl || fn->handler == NULL) && (fn->spec->flags & SPEC_FUNCTION_NO_REPLAY) != 0 &&
               !(is_gl && r->check.enabled && fn->unchecked == CHECK_COMPARED);
    if (fn->handler == NULL && is_gl)
        fn->handler = replay_generic;
    if (r->profile != NULL)
        replay_profile_watch(fn);
    return fn;
}

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
    GLenum error = r->gl.glGetError();
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
        char reason[160];
        snprintf(reason, sizeof reason, "unsupported %s call", fn->sig->name);
        return report_failure(r, fn, reason);
    }
    if (r->current == NULL && fn->spec->api == SPEC_API_GL)
        return skip_without_context(r, fn);
    int rc = fn->reads_arrays && missing_arrays_enabled(r) ? missing_arrays_fail(c) : fn->handler(r, c);
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

int replay_call(struct replayer *r, const struct trace_call *call)
{
    struct replay_function *fn = resolve(r, call->sig);
    if (fn == NULL)
        return TRACE_ERR_MEMORY;
    r->call_number = call->number;
    if (call->thread != r->thread_number || r->thread == NULL) {
        int rc = replay_switch_thread(r, call->thread);
        if (rc != 0)
            return rc;
    }
    bool snapshot = r->options->snapshot_prefix != NULL && snapshot_wanted(r, call);
    int rc = snapshot ? snapshot_at(r, call, true) : 0;
    if (rc == 0 && !fn->skip) {
        struct replay_call c;
        c.call = call;
        c.function = fn;
        rc = call_printer_print(&r->printer, call);
        if (rc == 0)
            rc = dispatch(r, &c);
        arena_reset(&r->scratch);
        r->calls++;
        if ((call->flags & TRACE_CALL_RENDER) != 0 && r->thread->draw != NULL)
            r->thread->draw->is_drawn = true;
        if (!r->options->benchmark)
            check_gl_error(r, fn);
    }
    if (r->check.enabled && fn->spec != NULL && fn->unchecked == CHECK_DRIVER && r->current != NULL)
        r->current->error_unknown = true;
    if (r->check.enabled && fn->skip && fn->spec->api == SPEC_API_GL)
        r->check.answers[fn->unchecked]++;
    if (rc == 0 && snapshot)
        rc = snapshot_at(r, call, false);
    if (rc == 0 && r->options->dump_calls.count > 0)
        rc = state_dump_after(r, call);
    if ((call->flags & TRACE_CALL_END_FRAME) != 0) {
        r->frames++;
        replay_profile_end_frame(r, call);
        if (r->options->min_frame_duration > 0 || r->options->frame_delay > 0)
            frame_pace_end(&r->pace, r->options->min_frame_duration, r->options->frame_delay);
        poll_window_events(r);
    }
    return rc != 0 ? trace_error_prefix(rc, "call %llu %s", (unsigned long long)call->number, call->sig->name)
                   : 0;
}
