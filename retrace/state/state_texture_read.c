/* SPDX-License-Identifier: MIT */
#include "state/state_texture_read.h"

#include "objects/pack_state.h"
#include "objects/replay_state.h"
#include "state/state_buffer.h"

/* --- by framebuffers ------------------------------------------------------------------------------- */

/* Framebuffers for reading: one with the texture, and another one without samples. OpenGL ES before 3.0,
 * which has no such textures, may have one binding for reading and drawing. */
struct reader {
    GLenum target; /* for reading */
    GLuint source, copy, image;
    GLint draw, read, renderbuffer; /* read: -1: there is no such binding */
    bool scissor;
};

static void reader_init(struct state_dump *d, struct reader *reader)
{
    const struct gl_functions *gl = &d->r->gl;
    bool has_read = state_has_version(d, 10, 30);
    *reader = (struct reader){.target = has_read ? GL_READ_FRAMEBUFFER : GL_FRAMEBUFFER};
    reader->draw = state_get_integer(d, GL_FRAMEBUFFER_BINDING, 0);
    reader->read = state_get_integer(d, GL_READ_FRAMEBUFFER_BINDING, has_read ? 0 : -1);
    reader->renderbuffer = state_get_integer(d, GL_RENDERBUFFER_BINDING, 0);
    reader->scissor = state_is_enabled(d, GL_SCISSOR_TEST);
    gl->glGenFramebuffers(1, &reader->source);
    gl->glBindFramebuffer(reader->target, reader->source);
    state_no_error(d);
}

static void reader_fini(struct state_dump *d, struct reader *reader)
{
    const struct gl_functions *gl = &d->r->gl;
    gl->glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)reader->draw);
    if (reader->read >= 0)
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)reader->read);
    gl->glDeleteFramebuffers(1, &reader->source);
    if (reader->copy != 0) {
        gl->glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)reader->renderbuffer);
        gl->glDeleteFramebuffers(1, &reader->copy);
        gl->glDeleteRenderbuffers(1, &reader->image);
    }
    state_no_error(d);
}

static bool attach(struct state_dump *d, GLenum target, GLenum point, GLenum image, GLuint texture,
                   GLint level, GLint layer, bool has_layers)
{
    if (has_layers && d->gl.glFramebufferTextureLayer != NULL)
        d->gl.glFramebufferTextureLayer(target, point, texture, level, layer);
    else if (!has_layers && d->gl.glFramebufferTexture2D != NULL)
        d->gl.glFramebufferTexture2D(target, point, image, texture, level);
    else
        return false;
    return state_no_error(d);
}

/* Copies the samples of the texture to a framebuffer that is bound for reading afterwards. */
static bool resolve(struct state_dump *d, struct reader *reader, GLenum point,
                    const struct state_image_info *info)
{
    const struct gl_functions *gl = &d->r->gl;
    bool is_depth = point != GL_COLOR_ATTACHMENT0;
    if (gl->glBlitFramebuffer == NULL || gl->glGenRenderbuffers == NULL || gl->glBindRenderbuffer == NULL ||
        gl->glRenderbufferStorage == NULL || gl->glFramebufferRenderbuffer == NULL ||
        !replay_can_bind_renderbuffer(d->r, reader->renderbuffer))
        return false;
    if (reader->copy == 0) {
        gl->glGenFramebuffers(1, &reader->copy);
        gl->glGenRenderbuffers(1, &reader->image);
        gl->glBindRenderbuffer(GL_RENDERBUFFER, reader->image);
        gl->glRenderbufferStorage(GL_RENDERBUFFER, (GLenum)info->internal_format, info->width, info->height);
    }
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, reader->source);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, reader->copy);
    gl->glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, point, GL_RENDERBUFFER, reader->image);
    if (reader->scissor)
        gl->glDisable(GL_SCISSOR_TEST);
    gl->glBlitFramebuffer(0, 0, info->width, info->height, 0, 0, info->width, info->height,
                          is_depth ? GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT, GL_NEAREST);
    if (reader->scissor)
        gl->glEnable(GL_SCISSOR_TEST);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, reader->copy);
    return state_no_error(d);
}

/* Reads layer after layer. */
static bool read_by_framebuffer(struct state_dump *d, const struct state_target *t, GLenum image,
                                GLuint texture, GLint level, const struct state_image_info *info,
                                struct state_pixels *out)
{
    const struct gl_functions *gl = &d->r->gl;
    bool has_layers = t->target == GL_TEXTURE_3D || t->target == GL_TEXTURE_2D_ARRAY ||
                      t->target == GL_TEXTURE_CUBE_MAP_ARRAY || t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    GLenum point = out->read.format == GL_DEPTH_COMPONENT ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
    size_t layer_size = (size_t)info->width * (size_t)info->height * out->read.channels *
                        (out->read.type == GL_FLOAT ? sizeof(GLfloat) : 1);
    struct reader reader;
    bool is_read = gl->glGenFramebuffers != NULL && gl->glBindFramebuffer != NULL;
    if (!is_read)
        return false;
    reader_init(d, &reader);
    for (GLint layer = 0; is_read && layer < info->depth; ++layer) {
        is_read = attach(d, reader.target, point, image, texture, level, layer, has_layers) &&
                  (info->samples == 0 || resolve(d, &reader, point, info));
        if (is_read)
            gl->glReadPixels(0, 0, info->width, info->height, out->read.format, out->read.type,
                             (uint8_t *)out->data + (size_t)layer * layer_size);
        is_read &= state_no_error(d);
        gl->glBindFramebuffer(reader.target, reader.source);
    }
    reader_fini(d, &reader);
    return is_read;
}

/* --- otherwise ------------------------------------------------------------------------------------- */

static bool read_buffer_texture(struct state_dump *d, struct state_pixels *out)
{
    GLint buffer = state_get_integer(d, GL_TEXTURE_BUFFER_DATA_STORE_BINDING, 0);
    if (buffer == 0 || out->read.type != GL_UNSIGNED_BYTE)
        return false;
    return state_read_buffer(d, (GLuint)buffer, 0, (GLsizeiptr)out->width * out->read.channels, out->data);
}

bool state_read_level(struct state_dump *d, const struct state_target *t, GLenum image, GLuint texture,
                      GLint level, const struct state_image_info *info, struct state_pixels *out)
{
    struct pack_state pack;
    bool is_read = false;
    if (!pack_state_reset(d->r, &pack))
        return false;
    if (t->target == GL_TEXTURE_BUFFER) {
        is_read = read_buffer_texture(d, out);
    } else if (info->samples > 0 || d->gl.glGetTexImage == NULL || d->context->is_es) {
        is_read = texture != 0 && read_by_framebuffer(d, t, image, texture, level, info, out);
    } else {
        d->gl.glGetTexImage(image, level, out->read.format, out->read.type, out->data);
        is_read = state_no_error(d);
    }
    pack_state_restore(d->r, &pack);
    return is_read;
}
