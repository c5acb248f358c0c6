/* SPDX-License-Identifier: MIT */
#include "call/replay_invoke.h"

#include "call/array_limits.h"
#include "base/error.h"
#include "call/replay_args.h"
#include "check/replay_check.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "replay_profile.h"
#include "runtime/invoke.h"

/* Finds the driver's function. */
static int look_up(struct replayer *r, struct replay_function *fn)
{
    if (!fn->looked_up) {
        union {
            void *object;
            void (*function)(void);
        } address = {.object = r->ws->ops->get_proc(r->ws, spec_string(fn->spec->name))};
        fn->proc = address.function;
        fn->looked_up = true;
    }
    if (fn->proc == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the driver does not have this function",
                               spec_string(fn->spec->name));
    return 0;
}

int replay_invoke_plain(struct replayer *r, struct replay_function *fn, const void *args)
{
    int rc = fn->proc != NULL ? 0 : look_up(r, fn);
    if (rc == 0)
        fn->runner(fn->spec, fn->proc, args, 1);
    return rc;
}

int replay_invoke_unchecked(struct replayer *r, struct replay_call *c)
{
    struct replay_function *fn = c->function;
    int rc = fn->proc != NULL ? 0 : look_up(r, fn);
    if (rc == 0 && fn->reads_vertices)
        rc = array_limits_check(r, c);
    if (rc != 0)
        return rc;
    if (r->profile == NULL)
        spec_invoke(fn->spec, fn->proc, c->args, &c->ret);
    else
        replay_profile_invoke(r, c);
    return fn->has_names ? replay_learn_names(r, c) : 0;
}

/* New names are learnt first, because the answers may refer to them. */
static int invoke_checked(struct replayer *r, struct replay_call *c)
{
    bool asks = replay_check_prepare(r, c) && !r->current->inside_begin;
    if (asks)
        replay_keep_error(r);
    int rc = replay_invoke_unchecked(r, c);
    bool failed = asks && replay_keep_call_error(r);
    if (c->function->proc != NULL)
        replay_check_answers(r, c, failed);
    return rc;
}

int replay_invoke(struct replayer *r, struct replay_call *c)
{
    if (r->check.enabled && c->function->spec->api == SPEC_API_GL)
        return invoke_checked(r, c);
    return replay_invoke_unchecked(r, c);
}

int replay_generic(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    return rc != 0 ? rc : replay_invoke(r, c);
}
