/* SPDX-License-Identifier: MIT
 * Shaders of programs, of which state dumps show those that were linked (kept_shaders.h).
 */
#include "handlers/handlers.h"

#include <stdlib.h>

#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "objects/kept_shaders.h"

/* glCreateShaderProgramv(type, count, strings) */
int handle_create_shader_program(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0 && kept_shaders_needed(r) && c->ret.u != 0)
        kept_shaders_add(r, (GLuint)c->ret.u, (GLenum)c->args[0].u, (GLsizei)c->args[1].i, c->args[2].p);
    return rc;
}

int handle_create_shader(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0)
        kept_shaders_forget(r, (GLuint)c->ret.u);
    return rc;
}

/* OpenGL ES takes one shader of a kind. */
int handle_attach_shader(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    kept_shaders_drop(r, (GLuint)c->args[0].u);
    return replay_invoke(r, c);
}

int handle_detach_shader(struct replayer *r, struct replay_call *c)
{
    GLenum type;
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    GLuint program = (GLuint)c->args[0].u;
    GLchar *source =
        kept_shaders_needed(r) ? kept_shaders_source(r, program, (GLuint)c->args[1].u, &type) : NULL;
    rc = replay_invoke(r, c);
    if (source != NULL)
        kept_shaders_add(r, program, type, 1, (const GLchar *[]){source});
    free(source);
    return rc;
}
