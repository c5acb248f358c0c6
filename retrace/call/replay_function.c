/* SPDX-License-Identifier: MIT */
#include "call/replay_function.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "check/replay_check.h"
#include "handlers/handlers.h"
#include "handlers/traced_heap.h"
#include "replay_profile.h"
#include "spec_ids.h"

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

/* Only numbers, and none of them is an address or a name. */
static bool has_plain_params(const struct spec_function *f, const struct trace_function_sig *sig)
{
    bool plain = f->param_count == sig->arg_count && f->param_count <= TRACE_PLAIN_ARGS;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *p = spec_param(f, i);
        plain &= p->form == SPEC_FORM_VALUE && p->type != SPEC_PTR && p->object == 0;
    }
    return plain;
}

/* A profile, a check, a picture or a text may need more of each call. */
static bool may_be_plain(const struct replayer *r, const struct replay_function *fn)
{
    const struct replay_options *o = r->options;
    bool wants_all = o->verbose || o->check || o->snapshot_prefix != NULL || o->dump_calls.count > 0 ||
                     o->ignored_calls.count > 0 || o->markers || o->watchdog > 0;
    return !wants_all && r->profile == NULL && fn->handler == replay_generic && !fn->skip && !fn->has_names &&
           !fn->reads_vertices && fn->spec->api == SPEC_API_GL &&
           (fn->sig->flags & (TRACE_CALL_END_FRAME | TRACE_CALL_RENDER)) == 0 &&
           has_plain_params(fn->spec, fn->sig);
}

static void look_up(struct replayer *r, struct replay_function *fn)
{
    const struct trace_function_sig *sig = fn->sig;
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
               !(is_gl && r->options->check && fn->unchecked == CHECK_COMPARED);
    if (fn->handler == NULL && is_gl)
        fn->handler = replay_generic;
    fn->is_plain = may_be_plain(r, fn);
    if (r->profile != NULL)
        replay_profile_watch(fn);
}

static struct replay_function *add(struct replayer *r, const struct trace_function_sig *sig)
{
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
    if (fn->spec != NULL)
        look_up(r, fn);
    else
        fn->handler = traced_heap_handler(sig->name);
    return fn;
}

struct replay_function *replay_function_find(struct replayer *r, const struct trace_function_sig *sig)
{
    struct replay_function **recent = &r->recent[sig->id % RECENT_FUNCTIONS];
    uint64_t value;
    if (*recent == NULL || (*recent)->sig != sig)
        *recent = int_map_get(&r->functions, sig->id, &value) ? (struct replay_function *)(uintptr_t)value
                                                              : add(r, sig);
    return *recent;
}

bool replay_function_is_plain(struct replayer *r, const struct trace_function_sig *sig)
{
    const struct replay_function *fn = replay_function_find(r, sig);
    return fn != NULL && fn->is_plain;
}

/* Most numbers are recorded with the type of their parameter. */
void replay_function_convert(const struct replay_function *fn, const struct trace_plain_call *call,
                             union spec_arg *args)
{
    for (unsigned i = 0; i < fn->spec->param_count; ++i) {
        enum spec_type type = (enum spec_type)spec_param(fn->spec, i)->type;
        if (type == SPEC_F32 && call->types[i] == TRACE_FLOAT) {
            args[i].u = call->values[i];
        } else if (type == SPEC_U32 && call->types[i] != TRACE_FLOAT && call->types[i] != TRACE_DOUBLE) {
            args[i].u = (uint32_t)(call->types[i] == TRACE_TRUE ? 1 : call->values[i]);
        } else {
            struct trace_value v = {.type = call->types[i], .element = TRACE_NONE, .u.uint = call->values[i]};
            replay_number(type, &v, &args[i]);
        }
    }
}
