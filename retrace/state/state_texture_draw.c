/* SPDX-License-Identifier: MIT */
#include "state/state_texture_draw.h"

#include <stdlib.h>
#include <string.h>

#include "state/state_level.h"
#include "state/state_side_context.h"
#include "state/state_texture_shader.h"

enum { FACES = 6, PARAMETERS = 8 };

/* A parameter of the texture, and the value that the program gave it. */
struct parameter {
    GLenum name;
    GLint old;
};

struct drawer {
    const struct state_target *t;
    GLuint framebuffer, image, sampler;
    struct parameter parameters[PARAMETERS];
    unsigned parameter_count; /* that were changed */
};

static bool has_functions(const struct state_dump *d)
{
    const struct state_functions *f = &d->gl;
    const struct gl_functions *gl = &d->r->gl;
    return f->glTexParameteri != NULL && f->glGetTexParameteriv != NULL && f->glDrawArrays != NULL &&
           f->glViewport != NULL && f->glCreateShader != NULL && f->glCheckFramebufferStatus != NULL &&
           f->glUniform1i != NULL && f->glVertexAttribPointer != NULL &&
           f->glEnableVertexAttribArray != NULL && gl->glGenFramebuffers != NULL &&
           gl->glBindFramebuffer != NULL && gl->glGenRenderbuffers != NULL &&
           gl->glBindRenderbuffer != NULL && gl->glRenderbufferStorage != NULL &&
           gl->glFramebufferRenderbuffer != NULL;
}

/* --- the texture ----------------------------------------------------------------------------------- */

/* Returns false if the driver does not let it be changed. Contexts that do not have it do as if it had that
 * value.
 */
static bool set_parameter(struct state_dump *d, struct drawer *w, GLenum name, GLint value)
{
    struct parameter *p = &w->parameters[w->parameter_count];
    p->name = name;
    d->gl.glGetTexParameteriv(w->t->target, name, &p->old);
    if (!state_no_error(d) || p->old == value)
        return true;
    d->gl.glTexParameteri(w->t->target, name, value);
    if (!state_no_error(d))
        return false;
    w->parameter_count++;
    return true;
}

/* OpenGL ES 2 has no samplers. The last two matter if a size is no power of 2. */
static bool set_sampling(struct state_dump *d, struct drawer *w)
{
    return set_parameter(d, w, GL_TEXTURE_MIN_FILTER, GL_NEAREST) &&
           set_parameter(d, w, GL_TEXTURE_MAG_FILTER, GL_NEAREST) &&
           set_parameter(d, w, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE) &&
           set_parameter(d, w, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

/* Makes the level the first one, and its components those that are stored. */
static bool set_parameters(struct state_dump *d, struct drawer *w, GLint level, bool is_stencil)
{
    GLint most = level;
    if (!state_has_version(d, 0, 30))
        return set_sampling(d, w);
    d->gl.glGetTexParameteriv(w->t->target, GL_TEXTURE_MAX_LEVEL, &most);
    state_no_error(d);
    return set_parameter(d, w, GL_TEXTURE_BASE_LEVEL, level) &&
           set_parameter(d, w, GL_TEXTURE_MAX_LEVEL, most > level ? most : level) &&
           set_parameter(d, w, GL_TEXTURE_SWIZZLE_R, GL_RED) &&
           set_parameter(d, w, GL_TEXTURE_SWIZZLE_G, GL_GREEN) &&
           set_parameter(d, w, GL_TEXTURE_SWIZZLE_B, GL_BLUE) &&
           set_parameter(d, w, GL_TEXTURE_SWIZZLE_A, GL_ALPHA) &&
           set_parameter(d, w, GL_DEPTH_STENCIL_TEXTURE_MODE,
                         is_stencil ? GL_STENCIL_INDEX : GL_DEPTH_COMPONENT);
}

static void restore_parameters(struct state_dump *d, const struct drawer *w)
{
    for (unsigned i = 0; i < w->parameter_count; ++i)
        d->gl.glTexParameteri(w->t->target, w->parameters[i].name, w->parameters[i].old);
    state_no_error(d);
}

/* Shaders read black from textures that are not complete. The level alone is, but for its faces. Of OpenGL ES
 * 2, that is the first one. */
static bool is_complete(struct state_dump *d, const struct state_target *t, GLint level,
                        const struct state_image_info *info)
{
    if (level > 0 && !state_has_version(d, 0, 30))
        return false;
    if (t->target != GL_TEXTURE_CUBE_MAP)
        return true;
    for (GLenum face = 0; face < FACES; ++face) {
        struct state_image_info found;
        if (!state_examine_level(d, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, &found) ||
            found.width != info->width || found.height != info->height ||
            found.internal_format != info->internal_format)
            return false;
    }
    return true;
}

/* --- drawing --------------------------------------------------------------------------------------- */

/* A sampler for unit 0 that takes texels as they are. Returns whether colours in sRGB stay so. */
static bool bind_sampler(struct state_dump *d, struct drawer *w)
{
    const struct state_functions *f = &d->gl;
    if (!state_has_version(d, 0, 30) || f->glGenSamplers == NULL || f->glSamplerParameteri == NULL ||
        f->glBindSampler == NULL || f->glDeleteSamplers == NULL)
        return true;
    f->glGenSamplers(1, &w->sampler);
    f->glSamplerParameteri(w->sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f->glSamplerParameteri(w->sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    f->glBindSampler(0, w->sampler);
    state_no_error(d);
    f->glSamplerParameteri(w->sampler, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
    return state_no_error(d); /* not every driver has it */
}

/* A framebuffer to draw to. Returns whether it is complete. */
static bool bind_framebuffer(struct state_dump *d, struct drawer *w, GLenum format,
                             const struct state_image_info *info)
{
    const struct gl_functions *gl = &d->r->gl;
    gl->glGenFramebuffers(1, &w->framebuffer);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, w->framebuffer);
    gl->glGenRenderbuffers(1, &w->image);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, w->image);
    gl->glRenderbufferStorage(GL_RENDERBUFFER, format, info->width, info->height);
    gl->glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, w->image);
    return state_no_error(d) && d->gl.glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE &&
           state_no_error(d);
}

/* Binds everything that a draw needs. */
static bool begin(struct state_dump *d, struct drawer *w, enum texel_output output,
                  const struct state_image_info *info)
{
    static const GLfloat corners[] = {-1, -1, 3, -1, -1, 3}; /* a triangle that covers everything */
    const char *name = state_enum_name(d, (GLenum)info->internal_format);
    bool keeps_srgb = bind_sampler(d, w);
    bool is_srgb = !keeps_srgb && name != NULL && strstr(name, "SRGB") != NULL;
    GLenum format = output == TEXEL_FLOATS ? GL_RGBA32UI : is_srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8;
    if (!bind_framebuffer(d, w, format, info))
        return false;
    GLint corner = d->gl.glGetAttribLocation(d->side->shaders, "corner");
    d->gl.glVertexAttribPointer((GLuint)corner, 2, GL_FLOAT, GL_FALSE, 0, corners);
    d->gl.glEnableVertexAttribArray((GLuint)corner);
    d->gl.glViewport(0, 0, info->width, info->height);
    d->r->gl.glDisable(GL_DITHER);
    return state_no_error(d);
}

static void end(struct state_dump *d, struct drawer *w)
{
    const struct gl_functions *gl = &d->r->gl;
    if (w->sampler != 0)
        d->gl.glDeleteSamplers(1, &w->sampler);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, 0);
    gl->glDeleteFramebuffers(1, &w->framebuffer);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, 0);
    gl->glDeleteRenderbuffers(1, &w->image);
    state_no_error(d);
}

/* Returns which of red, green, blue and alpha a component of the picture is. */
static unsigned component_of(const struct state_read_format *read, unsigned channel)
{
    bool is_alpha =
        read->format == GL_ALPHA || (read->format == GL_LUMINANCE_ALPHA && channel == read->channels - 1);
    return is_alpha ? 3 : channel;
}

static void store(struct state_pixels *out, const void *texels, size_t first, size_t count)
{
    unsigned channels = out->read.channels;
    for (unsigned c = 0; c < channels; ++c) {
        unsigned from = component_of(&out->read, c);
        for (size_t i = 0; i < count; ++i) {
            size_t to = (first + i) * channels + c;
            if (out->read.type == GL_FLOAT)
                ((GLfloat *)out->data)[to] = ((const GLfloat *)texels)[4 * i + from];
            else
                ((uint8_t *)out->data)[to] = ((const uint8_t *)texels)[4 * i + from];
        }
    }
}

/* Draws and reads one layer after the other. A face counts as a layer. */
static bool draw_layers(struct state_dump *d, GLenum image, const struct state_image_info *info,
                        struct state_pixels *out)
{
    bool is_float = out->read.type == GL_FLOAT;
    GLuint shaders = d->side->shaders;
    size_t count = (size_t)info->width * (size_t)info->height;
    GLint face = image >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && image <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z
                     ? (GLint)(image - GL_TEXTURE_CUBE_MAP_POSITIVE_X)
                     : 0;
    void *texels = malloc(count * 4 * (is_float ? sizeof(GLfloat) : 1));
    bool is_read = texels != NULL;
    d->gl.glUseProgram(shaders);
    d->gl.glUniform1i(d->gl.glGetUniformLocation(shaders, "layers"), info->depth);
    for (GLint layer = 0; is_read && layer < info->depth; ++layer) {
        d->gl.glUniform1i(d->gl.glGetUniformLocation(shaders, "layer"), layer + face);
        d->gl.glDrawArrays(GL_TRIANGLES, 0, 3);
        d->r->gl.glReadPixels(0, 0, info->width, info->height, is_float ? GL_RGBA_INTEGER : GL_RGBA,
                              is_float ? GL_UNSIGNED_INT : GL_UNSIGNED_BYTE, texels);
        is_read = state_no_error(d);
        if (is_read)
            store(out, texels, (size_t)layer * count, count);
    }
    d->gl.glUseProgram(0);
    free(texels);
    return is_read;
}

/* --- with the other context ------------------------------------------------------------------------ */

/* Returns whether the texture is bound, which must be of this target. */
static bool bind(struct state_dump *d, const struct state_target *t, GLuint texture)
{
    d->r->gl.glBindTexture(t->target, texture);
    return state_no_error(d);
}

bool state_examine_beside(struct state_dump *d, const struct state_target *t, GLenum image, GLuint texture,
                          GLint level, struct state_image_info *out)
{
    if (!state_side_enter(d))
        return false;
    bool exists =
        state_has_version(d, 0, 31) && bind(d, t, texture) && state_examine_level(d, image, level, out);
    bind(d, t, 0);
    state_side_leave(d);
    return exists;
}

bool state_draw_level(struct state_dump *d, const struct state_target *t, GLenum image, GLuint texture,
                      GLint level, const struct state_image_info *info, struct state_pixels *out)
{
    struct drawer w = {.t = t};
    if (!has_functions(d) || !state_side_enter(d))
        return false;
    enum texel_output output = texel_output_of(d, info->internal_format, &out->read);
    bool is_read =
        texel_shader_prepare(d, t->target, output) && bind(d, t, texture) && is_complete(d, t, level, info);
    if (is_read) {
        is_read = set_parameters(d, &w, level, out->read.format == GL_STENCIL_INDEX) &&
                  begin(d, &w, output, info) && draw_layers(d, image, info, out);
        end(d, &w);
    }
    restore_parameters(d, &w);
    bind(d, t, 0);
    state_side_leave(d);
    if (w.parameter_count >
        0) { /* changes of other contexts count for textures that are bound afterwards (D.3.3) */
        bind(d, t, 0);
        bind(d, t, texture);
    }
    return is_read;
}
