/* SPDX-License-Identifier: MIT
 * Programs: the program to which the locations of glUniform*() belong, attribute locations.
 */
#include "handlers/handlers.h"

#include "call/function_table.h"
#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "objects/current_program.h"
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

#define SHADER_FUNCTION_LIST(X)                                                                              \
    X(GLuint, glCreateShader, (GLenum))                                                                      \
    X(void, glShaderSource, (GLuint, GLsizei, const GLchar *const *, const GLint *))                         \
    X(void, glAttachShader, (GLuint, GLuint))                                                                \
    X(void, glDeleteShader, (GLuint))

struct shader_functions {
    SHADER_FUNCTION_LIST(FUNCTION_TABLE_MEMBER)
};

static FUNCTION_TABLE_DEFINE_LOAD(load_shader_functions, shader_functions, SHADER_FUNCTION_LIST)

    /* glCreateShaderProgramv(type, count, strings): the program has no shader when it is linked. State dumps
     * show the sources of those that are attached, so for them, it gets one, without another link. */
    int handle_create_shader_program(struct replayer *r, struct replay_call *c)
{
    struct shader_functions gl;
    int rc = replay_generic(r, c);
    if (rc != 0 || r->options->dump_calls.count == 0 || c->ret.u == 0)
        return rc;
    load_shader_functions(&gl, r->ws);
    if (gl.glCreateShader == NULL || gl.glShaderSource == NULL || gl.glAttachShader == NULL ||
        gl.glDeleteShader == NULL)
        return 0;
    GLuint shader = gl.glCreateShader((GLenum)c->args[0].u);
    gl.glShaderSource(shader, (GLsizei)c->args[1].i, c->args[2].p, NULL);
    gl.glAttachShader((GLuint)c->ret.u, shader);
    gl.glDeleteShader(shader); /* when the program is deleted */
    return 0;
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
