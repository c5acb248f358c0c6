/* SPDX-License-Identifier: MIT */
#include "state/state_shaders.h"

#include <stdlib.h>

#include "state/state_programs.h"

enum { MOST_SHADERS = 256, LONGEST_SOURCE = 1 << 26 };

/* Appends the source of a shader of this stage. Others are skipped. */
static void append_source(struct state_dump *d, GLuint shader, GLenum stage, struct buf *source)
{
    GLint type = 0, length = 0;
    GLsizei written = 0;
    d->gl.glGetShaderiv(shader, GL_SHADER_TYPE, &type);
    d->gl.glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &length);
    if (!state_no_error(d) || type != (GLint)stage || length <= 0 || length > LONGEST_SOURCE ||
        buf_reserve(source, (size_t)length) != 0)
        return;
    d->gl.glGetShaderSource(shader, length, &written, (GLchar *)source->data + source->len);
    if (state_no_error(d) && written > 0 && written <= length)
        source->len += (size_t)written;
}

static int compare_names(const void *a, const void *b)
{
    GLuint x = *(const GLuint *)a, y = *(const GLuint *)b;
    return (x > y) - (x < y);
}

/* Several shaders of a stage are written as one. */
static void write_stage(struct state_dump *d, GLenum stage, const GLuint *shaders, GLsizei count)
{
    struct buf source = BUF_INIT;
    for (GLsizei i = 0; i < count; ++i)
        append_source(d, shaders[i], stage, &source);
    if (source.len > 0 && buf_append_byte(&source, '\0') == 0) {
        state_key(&d->w, state_enum_name(d, stage));
        state_string(&d->w, (const char *)source.data);
    }
    buf_fini(&source);
}

/* Writes the shaders of one stage of a program, or of all stages if that is GL_NONE. */
static void write_program(struct state_dump *d, GLuint program, GLenum stage)
{
    const struct state_functions *gl = &d->gl;
    GLuint shaders[MOST_SHADERS];
    GLsizei count = 0;
    if (gl->glGetAttachedShaders == NULL || gl->glGetShaderiv == NULL || gl->glGetShaderSource == NULL)
        return;
    d->gl.glGetAttachedShaders(program, MOST_SHADERS, &count, shaders);
    if (!state_no_error(d) || count <= 0)
        return;
    qsort(shaders, (size_t)count, sizeof *shaders, compare_names);
    for (int i = 0; i < STATE_STAGES; ++i)
        if (stage == GL_NONE || stage == state_stages[i])
            write_stage(d, state_stages[i], shaders, count);
}

static void write_arb_program(struct state_dump *d, GLenum target, const char *member)
{
    GLint length = 0;
    if (d->gl.glGetProgramivARB == NULL || d->gl.glGetProgramStringARB == NULL ||
        !state_is_enabled(d, target))
        return;
    d->gl.glGetProgramivARB(target, GL_PROGRAM_LENGTH_ARB, &length);
    char *source =
        state_no_error(d) && length > 0 && length <= LONGEST_SOURCE ? calloc((size_t)length + 1, 1) : NULL;
    if (source == NULL)
        return;
    d->gl.glGetProgramStringARB(target, GL_PROGRAM_STRING_ARB, source);
    if (state_no_error(d)) {
        state_key(&d->w, member);
        state_string(&d->w, source);
    }
    free(source);
}

void state_dump_shaders(struct state_dump *d)
{
    struct state_programs programs;
    state_programs_init(d, &programs);
    state_key(&d->w, "shaders");
    state_begin_object(&d->w);
    if (programs.has_pipeline) {
        for (int i = 0; i < STATE_STAGES; ++i)
            if (programs.by_stage[i] != 0)
                write_program(d, programs.by_stage[i], state_stages[i]);
    } else if (programs.program != 0) {
        write_program(d, programs.program, GL_NONE);
    } else {
        write_arb_program(d, GL_FRAGMENT_PROGRAM_ARB, "GL_FRAGMENT_PROGRAM_ARB");
        write_arb_program(d, GL_VERTEX_PROGRAM_ARB, "GL_VERTEX_PROGRAM_ARB");
    }
    state_end_object(&d->w);
}
