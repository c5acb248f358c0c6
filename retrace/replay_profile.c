/* SPDX-License-Identifier: MIT */
#include "replay_profile.h"

#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "profile/profile_metrics.h"
#include "objects/replay_state.h"
#include "runtime/invoke.h"

static void *get_proc(void *context, const char *name)
{
    struct window_system *ws = context;
    return ws->ops->get_proc(ws, name);
}

int replay_profile_begin(struct replayer *r)
{
    const struct profile_options *o = &r->options->profile;
    return profile_options_measure(o) ? profile_open(&r->profile, o, replay_options_text_stream(r->options))
                                      : 0;
}

int replay_profile_finish(struct replayer *r)
{
    replay_profile_leave_context(r);
    int rc = profile_close(r->profile);
    r->profile = NULL;
    return rc;
}

void replay_profile_enter(struct replayer *r)
{
    struct profile *p = r->profile;
    if (profile_has_entered(p))
        return;
    replay_keep_error(r);
    profile_enter(p, r->current->is_es, get_proc, r->ws);
    replay_clear_errors(r);
    if (!r->options->profile.list_metrics || r->closed)
        return;
    profile_metrics_list(replay_options_text_stream(r->options), profile_available(p));
    r->closed = true;
}

static bool can_ask(const struct replayer *r)
{
    return r->current != NULL && !r->current->inside_begin && r->current->list_mode == 0;
}

void replay_profile_leave_context(struct replayer *r)
{
    if (r->profile != NULL && r->current != NULL)
        profile_leave(r->profile, !r->current->inside_begin);
}

void replay_profile_end_frame(struct replayer *r, const struct trace_call *call)
{
    if (r->profile != NULL)
        profile_end_frame(r->profile, call->number, call->thread, can_ask(r));
}

/* --- calls of the driver -------------------------------------------------------------------------------- */

static struct profile_record record_of(const struct replay_call *c)
{
    return (struct profile_record){.kind = PROFILE_CALL,
                                   .call = c->call->number,
                                   .thread = c->call->thread,
                                   .name = c->function->sig->name};
}

static void invoke(struct replay_call *c)
{
    spec_invoke(c->function->spec, c->function->proc, c->args, &c->ret);
}

/* What a display list records are commands, also those of queries. A glBegin() ends with its glEnd(). */
void replay_profile_invoke(struct replayer *r, struct replay_call *c)
{
    enum replay_watch watch = c->function->watch;
    bool measures = can_ask(r) && c->function->spec->api == SPEC_API_GL;
    if (!measures || watch == WATCH_NEW_LIST || watch == WATCH_END) {
        invoke(c);
        if (watch == WATCH_END) /* in a list, nothing has begun */
            profile_end_call(r->profile);
        return;
    }
    struct profile_record record = record_of(c);
    record.is_draw = watch == WATCH_DRAW || watch == WATCH_BEGIN;
    record.program = r->current->program;
    record.shared = r->current->group;
    profile_begin_call(r->profile, &record);
    invoke(c);
    if (watch != WATCH_BEGIN)
        profile_end_call(r->profile);
}

/* --- handlers ------------------------------------------------------------------------------------------- */

/* The text of a group or mark is the last argument that is one. */
static char *label_of(const struct trace_call *call)
{
    for (uint32_t i = call->arg_count; i-- > 0;) {
        const struct trace_value *v = &call->args[i];
        if (v->type == TRACE_STRING)
            return strndup(v->u.string, v->count);
        if (v->type == TRACE_BLOB)
            return strndup((const char *)v->u.blob, v->count);
    }
    return NULL;
}

static void add_mark(struct replayer *r, const struct replay_call *c, enum profile_kind kind)
{
    struct profile_record record = record_of(c);
    record.kind = kind;
    record.label = label_of(c->call);
    profile_add(r->profile, &record, can_ask(r));
}

/* Swaps and the like. What creates or binds a context is not measured, because the profile cannot begin
 * before there is one. */
static int handle_window_call(struct replayer *r, struct replay_call *c)
{
    struct profile_record record = record_of(c);
    record.kind = PROFILE_WINDOW_CALL;
    record.cpu.start = profile_clock();
    int rc = c->function->watched(r, c);
    record.cpu.end = profile_clock();
    profile_add(r->profile, &record, can_ask(r) && profile_has_entered(r->profile));
    return rc;
}

static int handle_watched(struct replayer *r, struct replay_call *c)
{
    enum replay_watch watch = c->function->watch;
    if (watch == WATCH_WINDOW)
        return handle_window_call(r, c);
    if (r->current != NULL && !r->current->inside_begin)
        replay_profile_enter(r);
    if (watch == WATCH_PUSH || watch == WATCH_MARK)
        add_mark(r, c, watch == WATCH_PUSH ? PROFILE_PUSH : PROFILE_MARK);
    int rc = c->function->watched(r, c);
    if (watch == WATCH_POP)
        add_mark(r, c, PROFILE_POP);
    return rc;
}

static enum replay_watch watch_of(const struct replay_function *fn)
{
    static const struct {
        const char *name;
        enum replay_watch watch;
    } special[] = {
        {"glBegin", WATCH_BEGIN},
        {"glEnd", WATCH_END},
        {"glNewList", WATCH_NEW_LIST},
        {"glEndList", WATCH_END_LIST},
    };
    uint32_t flags = fn->sig->flags;
    for (size_t i = 0; i < sizeof special / sizeof *special; ++i)
        if (strcmp(fn->sig->name, special[i].name) == 0)
            return special[i].watch;
    if ((flags & TRACE_CALL_MARKER_PUSH) != 0)
        return WATCH_PUSH;
    if ((flags & TRACE_CALL_MARKER_POP) != 0)
        return WATCH_POP;
    if ((flags & TRACE_CALL_MARKER) != 0)
        return WATCH_MARK;
    if (fn->spec->api != SPEC_API_GL)
        return WATCH_WINDOW;
    bool computes = strncmp(fn->sig->name, "glDispatchCompute", strlen("glDispatchCompute")) == 0;
    return (flags & TRACE_CALL_RENDER) != 0 || computes ? WATCH_DRAW : WATCH_CALL;
}

void replay_profile_watch(struct replay_function *fn)
{
    if (fn->handler == NULL)
        return;
    fn->watch = watch_of(fn);
    fn->watched = fn->handler;
    fn->handler = handle_watched;
}
