/* SPDX-License-Identifier: MIT
 * Binaries of programs. Those that the trace has were made by its driver, and are of use to no other.
 */
#include "handlers/handlers.h"

#include <stdlib.h>

#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "objects/current_program.h"
#include "objects/program_binaries.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "spec_ids.h"

static GLint get_program_value(struct replayer *r, GLuint program, GLenum pname)
{
    GLint value = 0;
    replay_keep_error(r);
    if (r->gl.glGetProgramiv != NULL)
        r->gl.glGetProgramiv(program, pname, &value);
    replay_clear_errors(r);
    return value;
}

/* Returns the binary of a program, which the caller frees, or NULL if the driver does not give one. */
static void *get_binary(struct replayer *r, GLuint program, GLsizei *size, GLenum *format)
{
    GLint length = get_program_value(r, program, GL_PROGRAM_BINARY_LENGTH);
    void *bytes = r->gl.glGetProgramBinary != NULL && length > 0 ? malloc((size_t)length) : NULL;
    *size = 0;
    if (bytes == NULL)
        return NULL;
    r->gl.glGetProgramBinary(program, length, size, format, bytes);
    replay_clear_errors(r);
    if (*size > 0 && *size <= length)
        return bytes;
    free(bytes);
    return NULL;
}

/* glGetProgramBinary(program, bufSize, length, binaryFormat, binary) */
int handle_get_program_binary(struct replayer *r, struct replay_call *c)
{
    const struct trace_value *traced = replay_arg(c, 4);
    GLuint program = (GLuint)replay_map_name(r, SPEC_OBJECT_program, replay_arg_uint(c, 0, 0), 0);
    GLsizei size;
    GLenum format = 0;
    if (traced->type != TRACE_BLOB || traced->count == 0)
        return 0;
    void *bytes = get_binary(r, program, &size, &format);
    if (bytes == NULL)
        return 0;
    return program_binaries_add(&r->binaries, traced->u.blob, traced->count, bytes, (uint32_t)size, format);
}

/* glProgramBinary(program, binaryFormat, binary, length) */
int handle_program_binary(struct replayer *r, struct replay_call *c)
{
    const struct trace_value *traced = replay_arg(c, 2);
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    const struct program_binary *known =
        traced->type == TRACE_BLOB ? program_binaries_find(&r->binaries, traced->u.blob, traced->count)
                                   : NULL;
    if (known != NULL) {
        c->args[1].u = known->real_format;
        c->args[2].p = known->real;
        c->args[3].i = known->real_size;
    }
    rc = replay_invoke(r, c);
    current_program_change(r, replay_arg_uint(c, 0, 0));
    if (rc == 0 && !r->current->inside_begin &&
        get_program_value(r, (GLuint)c->args[0].u, GL_LINK_STATUS) == GL_FALSE)
        replay_warn(r,
                    "the driver does not load this binary of program %llu, which is then without shaders "
                    "until it is linked",
                    (unsigned long long)replay_arg_uint(c, 0, 0));
    return rc;
}
