/* SPDX-License-Identifier: MIT */
#include "replay_invoke.h"

#include "base/error.h"
#include "replay_args.h"
#include "replay_names.h"
#include "runtime/invoke.h"

int replay_invoke(struct replayer *r, struct replay_call *c)
{
    struct replay_function *fn = c->function;
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
    spec_invoke(fn->spec, fn->proc, c->args, &c->ret);
    return fn->has_names ? replay_learn_names(r, c) : 0;
}

int replay_generic(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    return rc != 0 ? rc : replay_invoke(r, c);
}
