/* SPDX-License-Identifier: MIT */
#include "state/state_uniforms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/state_buffer.h"
#include "state/state_programs.h"
#include "state/state_values.h"

enum { MOST_UNIFORMS = 1 << 16, LONGEST_ARRAY = 1 << 20, NAME_BYTES = 512 };

struct uniform {
    GLuint program, index;
    char name[NAME_BYTES]; /* without the [0] of an array */
    GLint count;           /* of elements; 1: no array */
    struct state_glsl_type type;
};

/* --- uniforms of the program itself ---------------------------------------------------------------- */

static bool get_value(struct state_dump *d, const struct uniform *u, GLint location, void *value)
{
    const struct state_functions *gl = &d->gl;
    if (u->type.component == GL_FLOAT && gl->glGetUniformfv != NULL)
        gl->glGetUniformfv(u->program, location, value);
    else if (u->type.component == GL_DOUBLE && gl->glGetUniformdv != NULL)
        gl->glGetUniformdv(u->program, location, value);
    else if (u->type.component == GL_UNSIGNED_INT && gl->glGetUniformuiv != NULL)
        gl->glGetUniformuiv(u->program, location, value);
    else if (gl->glGetUniformiv != NULL)
        gl->glGetUniformiv(u->program, location, value);
    return state_no_error(d);
}

static void write_element(struct state_dump *d, const struct uniform *u, GLint index)
{
    static const struct state_layout plain = {0, false};
    GLdouble value[16] = {0}; /* the largest: a matrix of doubles */
    char name[NAME_BYTES + 16];
    if (u->count > 1)
        snprintf(name, sizeof name, "%s[%d]", u->name, index);
    else
        snprintf(name, sizeof name, "%s", u->name);
    GLint location = d->gl.glGetUniformLocation(u->program, name);
    if (state_no_error(d) && location >= 0 && get_value(d, u, location, value))
        state_write_glsl(&d->w, &u->type, value, &plain);
    else
        state_null(&d->w);
}

static void write_plain(struct state_dump *d, const struct uniform *u)
{
    state_key(&d->w, u->name);
    if (u->count > 1)
        state_begin_array(&d->w);
    for (GLint i = 0; i < u->count; ++i)
        write_element(d, u, i);
    if (u->count > 1)
        state_end_array(&d->w);
}

/* --- uniforms in blocks ---------------------------------------------------------------------------- */

static GLint uniform_integer(struct state_dump *d, const struct uniform *u, GLenum pname, GLint fallback)
{
    GLint value = fallback;
    d->gl.glGetActiveUniformsiv(u->program, 1, &u->index, pname, &value);
    return state_no_error(d) ? value : fallback;
}

/* Finds the buffer that is bound to the block, and where the block begins in it. */
static GLuint find_buffer(struct state_dump *d, const struct uniform *u, GLint block, GLintptr *start)
{
    GLint binding = -1, buffer = 0;
    GLint64 begin = 0;
    if (d->gl.glGetActiveUniformBlockiv == NULL || d->gl.glGetIntegeri_v == NULL)
        return 0;
    d->gl.glGetActiveUniformBlockiv(u->program, (GLuint)block, GL_UNIFORM_BLOCK_BINDING, &binding);
    if (!state_no_error(d) || binding < 0)
        return 0;
    d->gl.glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, (GLuint)binding, &buffer);
    if (d->gl.glGetInteger64i_v != NULL)
        d->gl.glGetInteger64i_v(GL_UNIFORM_BUFFER_START, (GLuint)binding, &begin);
    *start = (GLintptr)begin;
    return state_no_error(d) ? (GLuint)buffer : 0;
}

static void write_in_block(struct state_dump *d, const struct uniform *u, GLint block)
{
    GLintptr start = 0;
    GLint offset = uniform_integer(d, u, GL_UNIFORM_OFFSET, 0);
    GLint stride = uniform_integer(d, u, GL_UNIFORM_ARRAY_STRIDE, 0);
    GLint matrix_stride = uniform_integer(d, u, GL_UNIFORM_MATRIX_STRIDE, 0);
    struct state_layout layout = {.is_row_major = uniform_integer(d, u, GL_UNIFORM_IS_ROW_MAJOR, 0) != 0};
    layout.matrix_stride = matrix_stride > 0 ? (size_t)matrix_stride : 0;
    GLuint buffer = find_buffer(d, u, block, &start);
    size_t size = state_glsl_size(&u->type, &layout);
    if (buffer == 0 || offset < 0 || stride < 0)
        return;
    size += (size_t)(u->count - 1) * (size_t)stride;
    uint8_t *bytes = malloc(size);
    if (bytes != NULL && state_read_buffer(d, buffer, start + offset, (GLsizeiptr)size, bytes)) {
        state_key(&d->w, u->name);
        if (u->count > 1)
            state_begin_array(&d->w);
        for (GLint i = 0; i < u->count; ++i)
            state_write_glsl(&d->w, &u->type, bytes + (size_t)i * (size_t)stride, &layout);
        if (u->count > 1)
            state_end_array(&d->w);
    }
    free(bytes);
}

/* --- all of them ----------------------------------------------------------------------------------- */

static bool get_uniform(struct state_dump *d, GLuint program, GLuint index, struct uniform *u)
{
    GLenum type = GL_NONE;
    *u = (struct uniform){.program = program, .index = index};
    d->gl.glGetActiveUniform(program, index, NAME_BYTES, NULL, &u->count, &type, u->name);
    u->name[NAME_BYTES - 1] = '\0';
    u->type = state_glsl_type(type);
    if (!state_no_error(d) || u->count < 1 || u->count > LONGEST_ARRAY || u->type.component == GL_NONE)
        return false;
    size_t end = strlen(u->name);
    if (u->count > 1 && end > 3 && strcmp(u->name + end - 3, "[0]") == 0)
        u->name[end - 3] = '\0';
    return strncmp(u->name, "gl_", 3) != 0; /* those of the fixed pipeline are parameters */
}

static void write_program(struct state_dump *d, GLuint program)
{
    GLint count = state_program_integer(d, program, GL_ACTIVE_UNIFORMS);
    if (d->gl.glGetActiveUniform == NULL || d->gl.glGetUniformLocation == NULL)
        return;
    for (GLint i = 0; i < count && i < MOST_UNIFORMS; ++i) {
        struct uniform u;
        if (!get_uniform(d, program, (GLuint)i, &u))
            continue;
        GLint location = d->gl.glGetUniformLocation(program, u.name);
        GLint block = -1;
        state_no_error(d);
        if (location < 0 && d->gl.glGetActiveUniformsiv != NULL && state_has_version(d, 20, 30))
            block = uniform_integer(d, &u, GL_UNIFORM_BLOCK_INDEX, -1);
        if (location >= 0)
            write_plain(d, &u);
        else if (block >= 0)
            write_in_block(d, &u, block);
    }
}

/* --- assembly programs ----------------------------------------------------------------------------- */

typedef void (*parameter_getter)(GLenum target, GLuint index, GLdouble *values);

/* Writes those that are not zero. */
static void write_arb_parameters(struct state_dump *d, GLenum target, GLenum counter, parameter_getter get,
                                 const char *prefix)
{
    enum { MOST = 1 << 16 };
    GLint count = 0;
    d->gl.glGetProgramivARB(target, counter, &count);
    if (!state_no_error(d) || get == NULL)
        return;
    for (GLint i = 0; i < count && i < MOST; ++i) {
        GLdouble values[4] = {0};
        get(target, (GLuint)i, values);
        if (!state_no_error(d) || (values[0] == 0 && values[1] == 0 && values[2] == 0 && values[3] == 0))
            continue;
        state_key_format(&d->w, "%s[%d]", prefix, i);
        state_begin_array(&d->w);
        for (int k = 0; k < 4; ++k)
            state_double(&d->w, values[k]);
        state_end_array(&d->w);
    }
}

static void write_arb_program(struct state_dump *d, GLenum target, const char *locals,
                              const char *environment)
{
    if (d->gl.glGetProgramivARB == NULL || !state_is_enabled(d, target))
        return;
    write_arb_parameters(d, target, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB,
                         d->gl.glGetProgramLocalParameterdvARB, locals);
    write_arb_parameters(d, target, GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, d->gl.glGetProgramEnvParameterdvARB,
                         environment);
}

void state_dump_uniforms(struct state_dump *d)
{
    struct state_programs programs;
    state_programs_init(d, &programs);
    state_key(&d->w, "uniforms");
    state_begin_object(&d->w);
    for (int i = 0; i < STATE_STAGES; ++i) {
        if (programs.by_stage[i] == 0)
            continue;
        state_key(&d->w, state_enum_name(d, state_stages[i]));
        state_begin_object(&d->w);
        write_program(d, programs.by_stage[i]);
        state_end_object(&d->w);
    }
    if (programs.program != 0) {
        write_program(d, programs.program);
    } else if (!programs.has_pipeline) {
        write_arb_program(d, GL_FRAGMENT_PROGRAM_ARB, "fp.program.local", "fp.program.env");
        write_arb_program(d, GL_VERTEX_PROGRAM_ARB, "vp.program.local", "vp.program.env");
    }
    state_end_object(&d->w);
}
