/* SPDX-License-Identifier: MIT */
#include "objects/kept_pixels.h"

#include "objects/replay_state.h"
#include "objects/window_buffers.h"

/* --- what would hinder it ----------------------------------------------------------------------------- */

/* The first two concern clearing, too. OpenGL ES lacks the last one. */
static const GLenum hindrances[] = {GL_SCISSOR_TEST, GL_RASTERIZER_DISCARD, GL_FRAMEBUFFER_SRGB};
enum { HINDRANCES = sizeof hindrances / sizeof hindrances[0], CLEAR_HINDRANCES = 2 };

struct hindrances {
    GLboolean enabled[HINDRANCES];
};

struct copy_state {
    struct hindrances hindrances;
    GLint draw, read; /* the bound framebuffer objects */
    GLint selected;   /* the buffer of the window; GL_NONE: it stays */
};

static void disable_hindrances(struct replayer *r, struct hindrances *h, int count)
{
    for (int i = 0; i < count; ++i) {
        h->enabled[i] = r->gl.glIsEnabled(hindrances[i]);
        if (h->enabled[i])
            r->gl.glDisable(hindrances[i]);
    }
}

static void enable_hindrances(struct replayer *r, const struct hindrances *h)
{
    for (int i = 0; i < HINDRANCES; ++i)
        if (h->enabled[i])
            r->gl.glEnable(hindrances[i]);
}

/* --- copying ------------------------------------------------------------------------------------------ */

/* OpenGL ES has no choice. Where the program draws to no buffer at all, or only with its second output, this
 * stays so: it could not be selected again. */
static bool selects_another(struct replayer *r, GLenum selection, GLenum buffer, GLint *selected)
{
    if (r->current->is_es)
        return false;
    r->gl.glGetIntegerv(selection, selected);
    return *selected != GL_NONE && (GLenum)*selected != buffer;
}

static void select_draw_buffer(struct replayer *r, GLenum buffer, struct copy_state *s)
{
    if (selects_another(r, GL_DRAW_BUFFER, buffer, &s->selected))
        r->gl.glDrawBuffer(buffer);
    else
        s->selected = GL_NONE;
}

static void select_read_buffer(struct replayer *r, GLenum buffer, struct copy_state *s)
{
    if (selects_another(r, GL_READ_BUFFER, buffer, &s->selected))
        r->gl.glReadBuffer(buffer);
    else
        s->selected = GL_NONE;
}

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
    r->gl.glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &s->draw);
    r->gl.glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &s->read);
    disable_hindrances(r, &s->hindrances, r->current->is_es ? HINDRANCES - 1 : HINDRANCES);
}

static void end_copy(struct replayer *r, const struct copy_state *s)
{
    enable_hindrances(r, &s->hindrances);
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
    r->gl.glRenderbufferStorage(GL_RENDERBUFFER, format, k->width, k->height);
    r->gl.glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    return buffer;
}

static void make_framebuffer(struct replayer *r, struct kept_pixels *k)
{
    GLint bound = 0;
    r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    GLenum colours = colour_format(r, k->buffer), depth = depth_format(r);
    bool has_stencil = depth == GL_DEPTH24_STENCIL8 || depth == GL_DEPTH32F_STENCIL8;
    r->gl.glGetIntegerv(GL_RENDERBUFFER_BINDING, &bound);
    r->gl.glGenFramebuffers(1, &k->framebuffer);
    r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, k->framebuffer);
    k->colours = make_buffer(r, k, colours, GL_COLOR_ATTACHMENT0);
    k->depth = make_buffer(r, k, depth, has_stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT);
    r->gl.glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)bound);
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

void kept_pixels_take(struct replayer *r, struct kept_pixels *k)
{
    const struct replay_drawable *draw = r->thread->draw;
    struct copy_state state = {0};
    *k = (struct kept_pixels){0};
    if (draw == NULL || !can_keep(r))
        return;
    k->width = draw->width;
    k->height = draw->height;
    k->buffer = window_buffers_is_single(draw, r->current) ? GL_FRONT : GL_BACK;
    begin_copy(r, &state);
    make_framebuffer(r, k);
    r->gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    select_read_buffer(r, k->buffer, &state);
    copy_parts(r, k);
    if (state.selected != GL_NONE)
        r->gl.glReadBuffer((GLenum)state.selected);
    end_copy(r, &state);
}

void kept_pixels_put_back(struct replayer *r, struct kept_pixels *k)
{
    struct copy_state state = {0};
    if (k->framebuffer == 0)
        return;
    begin_copy(r, &state);
    r->gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, k->framebuffer);
    r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    select_draw_buffer(r, k->buffer, &state);
    copy_parts(r, k);
    if (state.selected != GL_NONE)
        r->gl.glDrawBuffer((GLenum)state.selected);
    end_copy(r, &state);
    r->gl.glDeleteFramebuffers(1, &k->framebuffer);
    r->gl.glDeleteRenderbuffers(1, &k->colours);
    r->gl.glDeleteRenderbuffers(1, &k->depth);
    *k = (struct kept_pixels){0};
}

/* --- clearing ----------------------------------------------------------------------------------------- */

struct clear_state {
    struct hindrances hindrances;
    GLint box[4], colours[4], depth, stencil;
    bool is_masked;
};

static void begin_clear(struct replayer *r, struct clear_state *s)
{
    const struct gl_functions *gl = &r->gl;
    replay_keep_error(r);
    disable_hindrances(r, &s->hindrances, CLEAR_HINDRANCES);
    gl->glGetIntegerv(GL_SCISSOR_BOX, s->box);
    gl->glGetIntegerv(GL_COLOR_WRITEMASK, s->colours);
    gl->glGetIntegerv(GL_DEPTH_WRITEMASK, &s->depth);
    gl->glGetIntegerv(GL_STENCIL_WRITEMASK, &s->stencil);
    s->is_masked = !s->colours[0] || !s->colours[1] || !s->colours[2] || !s->colours[3];
    gl->glEnable(GL_SCISSOR_TEST);
    if (s->is_masked)
        gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    if (!s->depth)
        gl->glDepthMask(GL_TRUE);
    if (gl->glStencilMaskSeparate != NULL)
        gl->glStencilMaskSeparate(GL_FRONT, ~0u);
}

static void end_clear(struct replayer *r, const struct clear_state *s)
{
    const struct gl_functions *gl = &r->gl;
    if (gl->glStencilMaskSeparate != NULL)
        gl->glStencilMaskSeparate(GL_FRONT, (GLuint)s->stencil);
    if (!s->depth)
        gl->glDepthMask(GL_FALSE);
    if (s->is_masked)
        gl->glColorMask(s->colours[0] != 0, s->colours[1] != 0, s->colours[2] != 0, s->colours[3] != 0);
    gl->glScissor(s->box[0], s->box[1], s->box[2], s->box[3]);
    gl->glDisable(GL_SCISSOR_TEST);
    enable_hindrances(r, &s->hindrances);
    replay_clear_errors(r);
}

void kept_pixels_clear(struct replayer *r, GLbitfield mask, int x, int y, int width, int height)
{
    struct clear_state state = {.depth = GL_TRUE};
    if (width <= 0 || height <= 0 || r->current->inside_begin || r->current->list_mode != 0 ||
        r->gl.glScissor == NULL || r->gl.glColorMask == NULL || r->gl.glDepthMask == NULL)
        return;
    begin_clear(r, &state);
    r->gl.glScissor(x, y, width, height);
    r->gl.glClear(mask);
    end_clear(r, &state);
}
