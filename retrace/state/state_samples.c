/* SPDX-License-Identifier: MIT */
#include "state/state_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects/replay_state.h"
#include "state/state_buffer.h"

enum { GROUP = 8 /* invocations in a row and in a column */ };

/* What is needed to read, and the program's state. */
struct sampler {
    GLuint program, buffer;
    GLint unit;
    GLint bound_program, bound_buffer; /* of the program */
    GLint storage;                     /* at index 0 */
    GLint64 storage_start, storage_size;
    GLfloat *texels; /* of one sample: four components each */
};

static bool has_compute(const struct state_dump *d)
{
    const struct state_functions *f = &d->gl;
    return state_has_version(d, 43, 31) && f->glDispatchCompute != NULL && f->glCreateShader != NULL &&
           f->glBindBufferBase != NULL && f->glBindBufferRange != NULL && f->glGetIntegeri_v != NULL &&
           f->glGetInteger64i_v != NULL && f->glMemoryBarrier != NULL && f->glUniform2i != NULL &&
           f->glActiveTexture != NULL && d->r->gl.glBindBuffer != NULL;
}

/* --- the shader ------------------------------------------------------------------------------------ */

/* The type of the sampler, from the name of the internal format. */
static const char *sampler_prefix(const struct state_dump *d, const struct state_image_info *info,
                                  const struct state_pixels *out)
{
    const char *name = state_enum_name(d, (GLenum)info->internal_format);
    if (out->read.format != GL_RGBA_INTEGER)
        return "";
    return name != NULL && strstr(name, "UI") != NULL ? "u" : "i";
}

static GLuint compile(struct state_dump *d, const char *text)
{
    const struct state_functions *f = &d->gl;
    GLuint shader = f->glCreateShader(GL_COMPUTE_SHADER), program = f->glCreateProgram();
    GLint linked = 0;
    f->glShaderSource(shader, 1, &text, NULL);
    f->glCompileShader(shader);
    f->glAttachShader(program, shader);
    f->glLinkProgram(program);
    f->glGetProgramiv(program, GL_LINK_STATUS, &linked);
    f->glDeleteShader(shader);
    if (state_no_error(d) && linked != 0)
        return program;
    f->glDeleteProgram(program);
    state_no_error(d);
    return 0;
}

/* A shader that stores all texels of one sample of one layer. */
static GLuint make_program(struct state_dump *d, const char *prefix, bool has_layers)
{
    char text[1024];
    snprintf(text, sizeof text,
             "#version %s\n"
             "precision highp float;\n"
             "layout(local_size_x = %d, local_size_y = %d) in;\n"
             "layout(std430, binding = 0) writeonly buffer Texels { vec4 texels[]; };\n"
             "uniform highp %ssampler2DMS%s source;\n"
             "uniform ivec2 size;\n"
             "uniform int layer;\n"
             "uniform int number;\n"
             "void main() {\n"
             "  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
             "  if (at.x < size.x && at.y < size.y)\n"
             "    texels[at.y * size.x + at.x] = vec4(texelFetch(source, %s, number));\n"
             "}\n",
             d->context->is_es ? has_layers ? "320 es" : "310 es" : "430", GROUP, GROUP, prefix,
             has_layers ? "Array" : "", has_layers ? "ivec3(at, layer)" : "at");
    return compile(d, text);
}

/* --- state ----------------------------------------------------------------------------------------- */

/* Returns false if a buffer that is bound could not be bound again. */
static bool save(struct state_dump *d, struct sampler *s)
{
    s->unit = state_get_integer(d, GL_ACTIVE_TEXTURE, GL_TEXTURE0) - GL_TEXTURE0;
    s->bound_program = state_get_integer(d, GL_CURRENT_PROGRAM, 0);
    s->bound_buffer = state_get_integer(d, GL_SHADER_STORAGE_BUFFER_BINDING, 0);
    d->gl.glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 0, &s->storage);
    d->gl.glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, 0, &s->storage_start);
    d->gl.glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, 0, &s->storage_size);
    state_no_error(d);
    return replay_can_bind_buffer(d->r, s->bound_buffer) && replay_can_bind_buffer(d->r, s->storage);
}

static void restore(struct state_dump *d, const struct sampler *s)
{
    const struct state_functions *f = &d->gl;
    if (s->storage_size > 0)
        f->glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLuint)s->storage, (GLintptr)s->storage_start,
                             (GLsizeiptr)s->storage_size);
    else
        f->glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, (GLuint)s->storage);
    d->r->gl.glBindBuffer(GL_SHADER_STORAGE_BUFFER, (GLuint)s->bound_buffer);
    f->glUseProgram((GLuint)s->bound_program);
    f->glDeleteProgram(s->program);
    f->glDeleteBuffers(1, &s->buffer);
    free(s->texels);
    state_no_error(d);
}

static bool begin(struct state_dump *d, struct sampler *s, const struct state_image_info *info)
{
    const struct state_functions *f = &d->gl;
    GLsizeiptr size = (GLsizeiptr)info->width * info->height * 4 * (GLsizeiptr)sizeof(GLfloat);
    f->glGenBuffers(1, &s->buffer);
    f->glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, s->buffer);
    f->glBufferData(GL_SHADER_STORAGE_BUFFER, size, NULL, GL_STREAM_READ);
    f->glUseProgram(s->program); /* not while transform feedback is active */
    f->glUniform1i(f->glGetUniformLocation(s->program, "source"), s->unit);
    f->glUniform2i(f->glGetUniformLocation(s->program, "size"), info->width, info->height);
    s->texels = malloc((size_t)size);
    return state_no_error(d) && s->texels != NULL;
}

/* --- reading --------------------------------------------------------------------------------------- */

static bool read_sample(struct state_dump *d, struct sampler *s, const struct state_image_info *info,
                        GLint layer, GLint number)
{
    const struct state_functions *f = &d->gl;
    GLsizeiptr size = (GLsizeiptr)info->width * info->height * 4 * (GLsizeiptr)sizeof(GLfloat);
    f->glUniform1i(f->glGetUniformLocation(s->program, "layer"), layer);
    f->glUniform1i(f->glGetUniformLocation(s->program, "number"), number);
    f->glDispatchCompute((GLuint)(info->width + GROUP - 1) / GROUP,
                         (GLuint)(info->height + GROUP - 1) / GROUP, 1);
    f->glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    return state_no_error(d) && state_read_buffer(d, s->buffer, 0, size, s->texels);
}

/* Stores a component as the picture has it: bytes of integers are clamped, as by glReadPixels(). */
static void store(struct state_pixels *out, size_t index, GLfloat value)
{
    bool is_integer = out->read.format == GL_RGBA_INTEGER;
    if (out->read.type == GL_FLOAT) {
        ((GLfloat *)out->data)[index] = value;
        return;
    }
    GLfloat byte = is_integer ? value : value * 255 + 0.5F;
    ((uint8_t *)out->data)[index] = (uint8_t)(byte >= 255 ? 255 : byte > 0 ? byte : 0);
}

static void store_sample(struct state_pixels *out, const GLfloat *texels, size_t first, size_t count)
{
    unsigned skipped = out->read.format == GL_ALPHA ? 3 : 0;
    for (size_t i = 0; i < count; ++i)
        for (unsigned c = 0; c < out->read.channels; ++c)
            store(out, (first + i) * out->read.channels + c, texels[4 * i + skipped + c]);
}

bool state_read_samples(struct state_dump *d, const struct state_target *t,
                        const struct state_image_info *info, struct state_pixels *out)
{
    struct sampler s = {0};
    bool has_layers = t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    size_t count = (size_t)info->width * (size_t)info->height;
    if (!has_compute(d) || !save(d, &s))
        return false;
    s.program = make_program(d, sampler_prefix(d, info, out), has_layers);
    if (s.program == 0)
        return false;
    bool is_read = begin(d, &s, info);
    for (GLint layer = 0; is_read && layer < info->depth; ++layer) {
        for (GLint number = 0; is_read && number < info->samples; ++number) {
            is_read = read_sample(d, &s, info, layer, number);
            if (is_read)
                store_sample(out, s.texels, ((size_t)layer * (size_t)info->samples + (size_t)number) * count,
                             count);
        }
    }
    restore(d, &s);
    return is_read;
}
