/* SPDX-License-Identifier: MIT
 * Programs: the program to which the locations of glUniform*() belong, attribute locations.
 */
#include "handlers/handlers.h"

#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "objects/current_program.h"
#include "objects/kept_shaders.h"
#include "objects/lost_locations.h"
#include "objects/program_names.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "spec_ids.h"

int handle_use_program(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0)
        current_program_use(r, replay_arg_uint(c, 0, 0));
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

int handle_get_uniform_location(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    int64_t traced = trace_value_to_sint(&c->call->ret, -1);
    if (rc != 0 || traced < 0 || c->args[1].p == NULL)
        return rc;
    return program_names_uniform(r, replay_arg_uint(c, 0, 0), traced, (int32_t)c->ret.i, c->args[1].p);
}

/* Asks for the uniforms that the program did not have before it was linked. */
int handle_link_program(struct replayer *r, struct replay_call *c)
{
    uint64_t program = replay_arg_uint(c, 0, 0);
    kept_shaders_drop(r, (GLuint)replay_map_name(r, SPEC_OBJECT_program, program, 0));
    int rc = replay_generic(r, c);
    struct lost_locations *lost = &r->current->group->names.lost;
    current_program_change(r, program);
    for (size_t i = lost->count; i-- > 0 && rc == 0;) {
        const struct lost_location *l = &lost->items[i];
        int64_t real = l->program == program ? program_names_find_uniform(r, program, l->name) : -1;
        if (real < 0)
            continue;
        rc = program_names_uniform(r, program, l->traced, real, l->name);
        lost_locations_remove(lost, i);
    }
    return rc;
}
