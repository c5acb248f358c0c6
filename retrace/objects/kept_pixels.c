/* SPDX-License-Identifier: MIT */
#include "objects/kept_pixels.h"

#include "objects/replay_state.h"
#include "objects/window_buffers.h"

/* --- copying ------------------------------------------------------------------------------------------ */

struct copy_state {
    struct gl_access access;
    struct hindrances hindrances;
    GLint draw, read; /* the bound framebuffer objects */
};

static void copy(struct replayer *r, const struct kept_pixels *k, GLbitfield parts)
{
    r->gl.glBlitFramebuffer(0, 0, k->width, k->height, 0, 0, k->width, k->height, parts, GL_NEAREST);
}

/* Depth and stencil may be missing, or be of a format that cannot be copied. */
static void copy_parts(struct replayer *r, const struct kept_pixels *k)
{
    copy(r, k, GL_COLOR_BUFFER_BIT);
    copy(r, k, GL_DEPTH_BUFFER_BIT);
    copy(r, k, GL_STENCIL_BUFFER_BIT);
}

static void begin_copy(struct replayer *r, struct copy_state *s)
{
    replay_keep_error(r);
    *s = (struct copy_state){.access = replay_gl_access(r)};
    r->gl.glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &s->draw);
    r->gl.glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &s->read);
    hindrances_lift(&s->access, &s->hindrances, true);
}

static void end_copy(struct replayer *r, const struct copy_state *s)
{
    hindrances_restore(&s->access, &s->hindrances);
    r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)s->draw);
    r->gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->read);
    replay_clear_errors(r);
}

/* --- where they are kept ------------------------------------------------------------------------------ */

/* Returns how many bits the window has of a component; 0: none, or it is not known. */
static GLint window_bits(struct replayer *r, GLenum buffer, GLenum component)
{
    GLint type = GL_NONE, bits = 0;
    r->gl.glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, buffer,
                                                GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    if (type != GL_NONE)
        r->gl.glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, buffer, component, &bits);
    return bits;
}

static GLenum colour_buffer(const struct replayer *r, GLenum buffer)
{
    if (r->current->is_es)
        return GL_BACK;
    return buffer == GL_FRONT ? GL_FRONT_LEFT : GL_BACK_LEFT;
}

/* Copies between sRGB and other formats convert in OpenGL ES, which cannot switch that off. */
static GLenum colour_format(struct replayer *r, GLenum buffer)
{
    GLint encoding = GL_LINEAR;
    buffer = colour_buffer(r, buffer);
    if (window_bits(r, buffer, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE) > 8)
        return r->current->is_es ? GL_RGB10_A2 : GL_RGBA16;
    if (!r->current->is_es)
        return GL_RGBA8;
    r->gl.glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, buffer,
                                                GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING, &encoding);
    return encoding == GL_SRGB ? GL_SRGB8_ALPHA8 : GL_RGBA8;
}

/* The window's own format, without which nothing can be copied. */
static GLenum depth_format(struct replayer *r)
{
    GLint depth = window_bits(r, GL_DEPTH, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE);
    GLint stencil = window_bits(r, GL_STENCIL, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE);
    if (stencil > 0)
        return depth > 24 ? GL_DEPTH32F_STENCIL8 : GL_DEPTH24_STENCIL8;
    if (depth > 24)
        return r->current->is_es ? GL_DEPTH_COMPONENT32F : GL_DEPTH_COMPONENT32;
    return depth > 16 ? GL_DEPTH_COMPONENT24 : GL_DEPTH_COMPONENT16;
}

static GLuint make_buffer(struct replayer *r, const struct kept_pixels *k, GLenum format, GLenum attachment)
{
    GLuint buffer = 0;
    r->gl.glGenRenderbuffers(1, &buffer);
    r->gl.glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    if (k->samples > 1)
        r->gl.glRenderbufferStorageMultisample(GL_RENDERBUFFER, k->samples, format, k->width, k->height);
    else
        r->gl.glRenderbufferStorage(GL_RENDERBUFFER, format, k->width, k->height);
    r->gl.glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    return buffer;
}

/* A window of EGL that was to have one buffer may have two all the same. Then the back buffer is selected. */
static GLenum buffer_of_window(struct replayer *r, const struct replay_drawable *draw)
{
    GLint selected = GL_FRONT;
    if (!window_buffers_is_single(draw, r->current))
        return GL_BACK;
    if (!r->current->is_es)
        r->gl.glGetIntegerv(GL_DRAW_BUFFER, &selected);
    return selected == GL_BACK ? GL_BACK : GL_FRONT;
}

/* OpenGL ES cannot copy to samples. */
static GLint window_samples(struct replayer *r)
{
    return r->current->is_es || r->gl.glRenderbufferStorageMultisample == NULL
               ? 1
               : replay_get_integer(r, GL_SAMPLES, 1);
}

/* The front buffer is kept, too, if the program draws to it. */
static bool draws_to_front(struct replayer *r, const struct kept_pixels *k)
{
    return k->buffer == GL_BACK && !r->current->is_es &&
           window_buffers_names_front((GLenum)replay_get_integer(r, GL_DRAW_BUFFER, GL_BACK));
}

static void make_framebuffer(struct replayer *r, struct kept_pixels *k)
{
    GLint bound = 0;
    r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    k->buffer = buffer_of_window(r, r->thread->draw);
    GLenum colours = colour_format(r, k->buffer), depth = depth_format(r);
    k->samples = window_samples(r);
    bool has_front = draws_to_front(r, k);
    bool has_stencil = depth == GL_DEPTH24_STENCIL8 || depth == GL_DEPTH32F_STENCIL8;
    r->gl.glGetIntegerv(GL_RENDERBUFFER_BINDING, &bound);
    r->gl.glGenFramebuffers(1, &k->framebuffer);
    r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, k->framebuffer);
    if (has_front)
        k->front = make_buffer(r, k, colours, GL_COLOR_ATTACHMENT0);
    k->colours = make_buffer(r, k, colours, GL_COLOR_ATTACHMENT0);
    k->depth = make_buffer(r, k, depth, has_stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT);
    r->gl.glBindRenderbuffer(GL_RENDERBUFFER, replay_can_bind_renderbuffer(r, bound) ? (GLuint)bound : 0);
}

static bool can_keep(const struct replayer *r)
{
    const struct gl_functions *gl = &r->gl;
    const struct replay_context *c = r->current;
    return c != NULL && c->version >= 30 && !c->inside_begin && c->list_mode == 0 &&
           gl->glBindFramebuffer != NULL && gl->glBlitFramebuffer != NULL &&
           gl->glFramebufferRenderbuffer != NULL && gl->glGetFramebufferAttachmentParameteriv != NULL &&
           (c->is_es || (gl->glDrawBuffer != NULL && gl->glReadBuffer != NULL));
}

static void attach_colours(struct replayer *r, GLenum target, GLuint buffer)
{
    r->gl.glFramebufferRenderbuffer(target, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
}

/* The window is bound for reading. */
static void take(struct replayer *r, const struct kept_pixels *k, const struct gl_access *access)
{
    struct buffer_selection selected;
    read_buffer_select(access, k->buffer, &selected);
    copy_parts(r, k);
    read_buffer_restore(access, &selected);
    if (k->front == 0)
        return;
    attach_colours(r, GL_DRAW_FRAMEBUFFER, k->front);
    read_buffer_select(access, GL_FRONT, &selected);
    copy(r, k, GL_COLOR_BUFFER_BIT);
    read_buffer_restore(access, &selected);
}

/* The window is bound for drawing. */
static void put_back(struct replayer *r, const struct kept_pixels *k, const struct gl_access *access)
{
    struct buffer_selection selected;
    if (k->front != 0) {
        draw_buffer_select(access, GL_FRONT, &selected);
        copy(r, k, GL_COLOR_BUFFER_BIT);
        draw_buffer_restore(access, &selected);
        attach_colours(r, GL_READ_FRAMEBUFFER, k->colours);
    }
    draw_buffer_select(access, k->buffer, &selected);
    copy_parts(r, k);
    draw_buffer_restore(access, &selected);
}

void kept_pixels_take(struct replayer *r, struct kept_pixels *k)
{
    const struct replay_thread *t = r->thread;
    const struct replay_drawable *draw = t->draw;
    struct copy_state state;
    *k = (struct kept_pixels){0};
    if (draw == NULL || !can_keep(r))
        return;
    bool reads_another = t->read != NULL && t->read != draw && t->read->ws != NULL;
    k->width = draw->width;
    k->height = draw->height;
    begin_copy(r, &state);
    make_framebuffer(r, k);
    r->gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    if (reads_another)
        r->ws->ops->make_current(r->ws, t->context->ws, draw->ws, draw->ws);
    take(r, k, &state.access);
    if (reads_another)
        r->ws->ops->make_current(r->ws, t->context->ws, draw->ws, t->read->ws);
    end_copy(r, &state);
}

void kept_pixels_put_back(struct replayer *r, struct kept_pixels *k)
{
    struct copy_state state;
    if (k->framebuffer == 0)
        return;
    begin_copy(r, &state);
    r->gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, k->framebuffer);
    r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    put_back(r, k, &state.access);
    end_copy(r, &state);
    r->gl.glDeleteFramebuffers(1, &k->framebuffer);
    r->gl.glDeleteRenderbuffers(1, &k->colours);
    if (k->front != 0)
        r->gl.glDeleteRenderbuffers(1, &k->front);
    r->gl.glDeleteRenderbuffers(1, &k->depth);
    *k = (struct kept_pixels){0};
}
