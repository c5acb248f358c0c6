/* SPDX-License-Identifier: MIT
 * Programs: the program to which the locations of glUniform*() belong, attribute locations.
 */
#include "handlers/handlers.h"

#include "call/replay_invoke.h"
#include "call/replay_values.h"

int handle_use_program(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0)
        r->current->program = replay_arg_uint(c, 0, 0);
    return rc;
}

int handle_bind_program_pipeline(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0)
        r->current->pipeline = replay_arg_uint(c, 0, 0);
    return rc;
}

int handle_active_shader_program(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    return rc != 0 ? rc
                   : int_map_set(&r->current->pipeline_programs, replay_arg_uint(c, 0, 0),
                                 replay_arg_uint(c, 1, 0));
}

/* Attributes are bound to their traced locations before linking, so a different location would mean wrong
 * pictures. */
int handle_get_attrib_location(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    int64_t traced = trace_value_to_sint(&c->call->ret, -1);
    if (rc == 0 && traced >= 0 && c->ret.i != traced)
        replay_warn(r, "%s is at location %lld, but at %lld in the trace", (const char *)c->args[1].p,
                    (long long)c->ret.i, (long long)traced);
    return rc;
}
