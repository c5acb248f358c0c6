/* SPDX-License-Identifier: MIT */
#include "state/state_attachment.h"

#include "objects/replay_state.h"
#include "state/state_level.h"
#include "state/state_units.h"

static bool examine_renderbuffer(struct state_dump *d, GLuint name, struct state_image_info *out)
{
    const struct gl_functions *gl = &d->r->gl;
    GLint bound = state_get_integer(d, GL_RENDERBUFFER_BINDING, 0);
    if (gl->glBindRenderbuffer == NULL || gl->glGetRenderbufferParameteriv == NULL)
        return false;
    out->is_deleted = bound != (GLint)name && (!replay_can_bind_renderbuffer(d->r, (GLint)name) ||
                                               !replay_can_bind_renderbuffer(d->r, bound));
    if (out->is_deleted)
        return false;
    if (bound != (GLint)name)
        gl->glBindRenderbuffer(GL_RENDERBUFFER, name);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &out->width);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_HEIGHT, &out->height);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &out->internal_format);
    bool is_known = state_no_error(d);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &out->samples);
    if (!state_no_error(d))
        out->samples = 0;
    if (bound != (GLint)name)
        gl->glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)bound);
    state_no_error(d);
    out->depth = 1;
    return is_known && out->width > 0 && out->height > 0;
}

static bool examine_texture(struct state_dump *d, GLuint name, GLint level, GLint face,
                            struct state_image_info *out)
{
    GLint bound;
    const struct state_target *t = state_bind_texture(d, name, &bound);
    out->is_deleted = t == NULL; /* it has some target */
    if (t == NULL)
        return false;
    GLenum image = t->target != GL_TEXTURE_CUBE_MAP ? t->target
                   : face != 0                      ? (GLenum)face
                                                    : GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    bool exists = state_examine_level(d, image, level, out);
    state_unbind_texture(d, t, name, bound);
    if (t->rows_are_layers)
        out->height = 1;
    return exists;
}

bool state_examine_attachment(struct state_dump *d, GLenum target, GLenum point, GLenum *type, GLuint *name,
                              struct state_image_info *out)
{
    const struct gl_functions *gl = &d->r->gl;
    GLint kind = GL_NONE, object = 0, level = 0, face = 0;
    *out = (struct state_image_info){0};
    if (gl->glGetFramebufferAttachmentParameteriv == NULL)
        return false;
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &kind);
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &object);
    *type = (GLenum)kind;
    *name = (GLuint)object;
    if (!state_no_error(d) || object == 0)
        return false;
    if (kind == GL_RENDERBUFFER)
        return examine_renderbuffer(d, *name, out);
    if (kind != GL_TEXTURE)
        return false;
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, &level);
    if (!state_no_error(d))
        level = 0;
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE,
                                              &face);
    if (!state_no_error(d))
        face = 0;
    return examine_texture(d, *name, level, face, out);
}

/* --- samples --------------------------------------------------------------------------------------- */

/* Attaches a new renderbuffer to the copy, and copies one kind of pixels to it. */
static void resolve_attachment(struct state_dump *d, GLuint from, GLenum point, GLbitfield bits,
                               const struct state_image_info *info, struct state_resolved *out)
{
    const struct gl_functions *gl = &d->r->gl;
    GLuint *image = &out->images[out->count++];
    gl->glGenRenderbuffers(1, image);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, *image);
    gl->glRenderbufferStorage(GL_RENDERBUFFER, (GLenum)info->internal_format, info->width, info->height);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    gl->glFramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, *image);
    if (bits == GL_COLOR_BUFFER_BIT) {
        if (d->gl.glDrawBuffer != NULL)
            d->gl.glDrawBuffer(point);
        gl->glReadBuffer(point);
    }
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl->glBlitFramebuffer(0, 0, info->width, info->height, 0, 0, info->width, info->height, bits, GL_NEAREST);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    state_no_error(d);
}

static bool can_resolve(const struct gl_functions *gl)
{
    return gl->glBlitFramebuffer != NULL && gl->glGenFramebuffers != NULL && gl->glGenRenderbuffers != NULL &&
           gl->glRenderbufferStorage != NULL && gl->glFramebufferRenderbuffer != NULL &&
           gl->glReadBuffer != NULL && gl->glBindRenderbuffer != NULL && gl->glEnable != NULL &&
           gl->glDisable != NULL;
}

/* Copies what one blit after the other can copy from the draw framebuffer. */
static void resolve_all(struct state_dump *d, GLuint from, GLenum colour,
                        const struct state_image_info info[3], const GLuint names[3],
                        struct state_resolved *out)
{
    const struct gl_functions *gl = &d->r->gl;
    GLint selected;
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    state_no_error(d);
    selected = state_get_integer(d, GL_READ_BUFFER, GL_COLOR_ATTACHMENT0);
    if (selected != (GLint)colour)
        gl->glReadBuffer(colour);
    state_no_error(d);
    if (info[0].width > 0)
        resolve_attachment(d, from, colour, GL_COLOR_BUFFER_BIT, &info[0], out);
    if (info[1].width > 0 && names[1] == names[2])
        resolve_attachment(d, from, GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT,
                           &info[1], out);
    else {
        if (info[1].width > 0)
            resolve_attachment(d, from, GL_DEPTH_ATTACHMENT, GL_DEPTH_BUFFER_BIT, &info[1], out);
        if (info[2].width > 0)
            resolve_attachment(d, from, GL_STENCIL_ATTACHMENT, GL_STENCIL_BUFFER_BIT, &info[2], out);
    }
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    if (selected != (GLint)colour)
        gl->glReadBuffer((GLenum)selected);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    state_no_error(d);
}

void state_resolve(struct state_dump *d, GLuint framebuffer, struct state_resolved *out)
{
    const struct gl_functions *gl = &d->r->gl;
    GLenum colour = (GLenum)state_get_integer(d, GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT0);
    const GLenum points[3] = {colour, GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT};
    struct state_image_info info[3] = {{0}};
    GLuint names[3] = {0};
    GLint samples = 0;
    *out = (struct state_resolved){0};
    for (int i = 0; i < 3; ++i) {
        GLenum type;
        if (points[i] != GL_NONE &&
            state_examine_attachment(d, GL_DRAW_FRAMEBUFFER, points[i], &type, &names[i], &info[i]))
            samples += info[i].samples;
    }
    out->renderbuffer = state_get_integer(d, GL_RENDERBUFFER_BINDING, 0);
    if (samples == 0 || !can_resolve(gl) || !replay_can_bind_renderbuffer(d->r, out->renderbuffer))
        return;
    bool scissor = state_is_enabled(d, GL_SCISSOR_TEST);
    out->draw = (GLint)framebuffer;
    gl->glGenFramebuffers(1, &out->framebuffer);
    if (scissor)
        gl->glDisable(GL_SCISSOR_TEST);
    resolve_all(d, framebuffer, colour, info, names, out);
    if (scissor)
        gl->glEnable(GL_SCISSOR_TEST);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)out->renderbuffer);
    state_no_error(d);
}

void state_resolved_fini(struct state_dump *d, struct state_resolved *resolved)
{
    const struct gl_functions *gl = &d->r->gl;
    if (resolved->framebuffer == 0)
        return;
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)resolved->draw);
    gl->glDeleteFramebuffers(1, &resolved->framebuffer);
    gl->glDeleteRenderbuffers(resolved->count, resolved->images);
    state_no_error(d);
}
