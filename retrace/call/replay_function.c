/* SPDX-License-Identifier: MIT */
#include "call/replay_function.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "call/plain_names.h"
#include "call/replay_invoke.h"
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

/* A profile, a check, a picture or a text may need more of each call. Whether its arguments are numbers is
 * another question. */
static bool may_be_plain(const struct replayer *r, const struct replay_function *fn)
{
    const struct replay_options *o = r->options;
    bool wants_all = o->verbose || o->check || o->snapshot_prefix != NULL || o->dump_calls.count > 0 ||
                     o->ignored_calls.count > 0 || o->markers || o->watchdog > 0;
    return !wants_all && r->profile == NULL && fn->handler == replay_generic && !fn->skip && !fn->has_names &&
           !fn->reads_vertices && fn->spec->api == SPEC_API_GL &&
           (fn->sig->flags & (TRACE_CALL_END_FRAME | TRACE_CALL_RENDER)) == 0 &&
           fn->spec->param_count == fn->sig->arg_count;
}

static enum trace_plain_kind plain_kind(enum spec_type type)
{
    switch (type) {
    case SPEC_I8:
        return TRACE_PLAIN_I8;
    case SPEC_U8:
        return TRACE_PLAIN_U8;
    case SPEC_I16:
        return TRACE_PLAIN_I16;
    case SPEC_U16:
        return TRACE_PLAIN_U16;
    case SPEC_I32:
    case SPEC_U32:
        return TRACE_PLAIN_32;
    case SPEC_F32:
        return TRACE_PLAIN_F32;
    case SPEC_F64:
        return TRACE_PLAIN_F64;
    default:
        return TRACE_PLAIN_64;
    }
}

static void prepare_plain(struct replayer *r, struct replay_function *fn)
{
    struct spec_packed packed;
    if (!may_be_plain(r, fn) || !spec_packed_layout(fn->spec, &packed) || !plain_names_find(fn))
        return;
    fn->runner = spec_find_runner(fn->spec);
    fn->plain = (struct trace_plain_function){.owner = fn, .size = packed.size};
    for (unsigned i = 0; i < fn->spec->param_count; ++i) {
        const struct spec_packed_param *p = &packed.params[i];
        enum trace_plain_kind kind = p->is_one ? TRACE_PLAIN_ONE : plain_kind((enum spec_type)p->type);
        fn->plain.params[i] = (struct trace_plain_param){(uint8_t)kind, p->count, p->offset};
    }
}

static void look_up(struct replayer *r, struct replay_function *fn)
{
    const struct trace_function_sig *sig = fn->sig;
    fn->handler = handlers[fn->spec->replay];
    bool is_draw = (sig->flags & TRACE_CALL_RENDER) != 0 &&
                   (strstr(sig->name, "Arrays") != NULL || strstr(sig->name, "Elements") != NULL);
    fn->reads_vertices = is_draw || fn->spec->alias == SPEC_FN_glArrayElement;
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
    prepare_plain(r, fn);
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

const struct trace_plain_function *replay_function_plain(struct replayer *r,
                                                         const struct trace_function_sig *sig)
{
    const struct replay_function *fn = replay_function_find(r, sig);
    return fn != NULL && fn->runner != NULL ? &fn->plain : NULL;
}
