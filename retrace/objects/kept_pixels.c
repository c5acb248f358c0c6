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

enum { OUTPUTS = 8 }; /* the least GL_MAX_DRAW_BUFFERS of versions that have framebuffer objects */

struct selection {
    GLenum buffers[OUTPUTS];
    int count; /* 0: the selection stays */
};

struct copy_state {
    struct hindrances hindrances;
    GLint draw, read;          /* the bound framebuffer objects */
    struct selection selected; /* of the window */
};

/* Clears and copies heed the scissor test of the first viewport only. That of the others stays. */
static bool has_many_viewports(const struct replayer *r)
{
    return !r->current->is_es && r->current->version >= 41 && r->gl.glEnablei != NULL &&
           r->gl.glDisablei != NULL && r->gl.glScissorIndexed != NULL;
}

static void set_enabled(struct replayer *r, GLenum what, bool enabled)
{
    if (what == GL_SCISSOR_TEST && has_many_viewports(r))
        (enabled ? r->gl.glEnablei : r->gl.glDisablei)(what, 0);
    else
        (enabled ? r->gl.glEnable : r->gl.glDisable)(what);
}

static void disable_hindrances(struct replayer *r, struct hindrances *h, int count)
{
    for (int i = 0; i < count; ++i) {
        h->enabled[i] = r->gl.glIsEnabled(hindrances[i]);
        if (h->enabled[i])
            set_enabled(r, hindrances[i], false);
    }
}

static void enable_hindrances(struct replayer *r, const struct hindrances *h)
{
    for (int i = 0; i < HINDRANCES; ++i)
        if (h->enabled[i])
            set_enabled(r, hindrances[i], true);
}

/* --- copying ------------------------------------------------------------------------------------------ */

/* OpenGL ES has the choice between the only buffer and none. */
static void select_draw_es(struct replayer *r, struct selection *old)
{
    static const GLenum back = GL_BACK;
    if (r->current->version < 30 || r->gl.glDrawBuffers == NULL ||
        replay_get_integer(r, GL_DRAW_BUFFER0, GL_BACK) != GL_NONE)
        return;
    old->buffers[0] = GL_NONE;
    old->count = 1;
    r->gl.glDrawBuffers(1, &back);
}

/* Where the program draws only with a later output, this stays so. */
static void select_draw_buffer(struct replayer *r, GLenum buffer, struct selection *old)
{
    int outputs = r->current->version >= 30 && r->gl.glDrawBuffers != NULL ? OUTPUTS : 1;
    *old = (struct selection){.count = 0};
    if (r->current->is_es)
        select_draw_es(r, old);
    if (r->current->is_es || r->gl.glDrawBuffer == NULL)
        return;
    old->buffers[0] = (GLenum)replay_get_integer(r, GL_DRAW_BUFFER, GL_BACK);
    old->count = 1;
    for (int i = 1; i < outputs; ++i) {
        old->buffers[i] = (GLenum)replay_get_integer(r, GL_DRAW_BUFFER0 + (GLenum)i, GL_NONE);
        if (old->buffers[i] != GL_NONE)
            old->count = i + 1;
    }
    if (old->count == 1 ? old->buffers[0] == buffer : old->buffers[0] == GL_NONE)
        old->count = 0;
    else
        r->gl.glDrawBuffer(buffer);
}

static void select_draw_again(struct replayer *r, const struct selection *old)
{
    if (old->count == 1 && !r->current->is_es)
        r->gl.glDrawBuffer(old->buffers[0]);
    else if (old->count > 0)
        r->gl.glDrawBuffers(old->count, old->buffers);
}

static void select_read_buffer(struct replayer *r, GLenum buffer, struct selection *old)
{
    *old = (struct selection){.count = 0};
    if (r->current->is_es && (r->current->version < 30 || r->gl.glReadBuffer == NULL))
        return;
    old->buffers[0] = (GLenum)replay_get_integer(r, GL_READ_BUFFER, GL_BACK);
    if (old->buffers[0] == buffer || (r->current->is_es && old->buffers[0] != GL_NONE))
        return;
    old->count = 1;
    r->gl.glReadBuffer(r->current->is_es ? GL_BACK : buffer);
}

static void select_read_again(struct replayer *r, const struct selection *old)
{
    if (old->count > 0)
        r->gl.glReadBuffer(old->buffers[0]);
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
    const struct replay_thread *t = r->thread;
    const struct replay_drawable *draw = t->draw;
    struct copy_state state = {0};
    *k = (struct kept_pixels){0};
    if (draw == NULL || !can_keep(r))
        return;
    bool reads_another = t->read != NULL && t->read != draw && t->read->ws != NULL;
    k->width = draw->width;
    k->height = draw->height;
    k->buffer = window_buffers_is_single(draw, r->current) ? GL_FRONT : GL_BACK;
    begin_copy(r, &state);
    make_framebuffer(r, k);
    r->gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    if (reads_another)
        r->ws->ops->make_current(r->ws, t->context->ws, draw->ws, draw->ws);
    select_read_buffer(r, k->buffer, &state.selected);
    copy_parts(r, k);
    select_read_again(r, &state.selected);
    if (reads_another)
        r->ws->ops->make_current(r->ws, t->context->ws, draw->ws, t->read->ws);
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
    select_draw_buffer(r, k->buffer, &state.selected);
    copy_parts(r, k);
    select_draw_again(r, &state.selected);
    end_copy(r, &state);
    r->gl.glDeleteFramebuffers(1, &k->framebuffer);
    r->gl.glDeleteRenderbuffers(1, &k->colours);
    r->gl.glDeleteRenderbuffers(1, &k->depth);
    *k = (struct kept_pixels){0};
}

/* --- clearing ----------------------------------------------------------------------------------------- */

static void get_clear_values(struct replayer *r, struct clear_values *v)
{
    GLfloat depth = 0;
    r->gl.glGetFloatv(GL_COLOR_CLEAR_VALUE, v->colour);
    if (!r->current->is_es && r->gl.glGetDoublev != NULL) {
        r->gl.glGetDoublev(GL_DEPTH_CLEAR_VALUE, &v->depth);
    } else {
        r->gl.glGetFloatv(GL_DEPTH_CLEAR_VALUE, &depth);
        v->depth = (GLdouble)depth;
    }
    r->gl.glGetIntegerv(GL_STENCIL_CLEAR_VALUE, &v->stencil);
}

/* A program whose scissor box reaches beyond the window knows that it is larger. */
static bool clears_a_part(struct replayer *r)
{
    const struct replay_drawable *draw = r->thread->draw;
    GLint box[4] = {0};
    if (!r->gl.glIsEnabled(GL_SCISSOR_TEST))
        return false;
    r->gl.glGetIntegerv(GL_SCISSOR_BOX, box);
    int64_t right = (int64_t)box[0] + box[2], top = (int64_t)box[1] + box[3];
    return box[0] > 0 || box[1] > 0 || right < draw->width || top < draw->height ||
           (right == draw->width && top == draw->height);
}

static void note_colour(struct replayer *r, struct clear_values *noted, const struct clear_values *v)
{
    GLint masks[4] = {0};
    GLenum pname = !r->current->is_es ? GL_DRAW_BUFFER : GL_DRAW_BUFFER0;
    GLenum buffer = GL_BACK;
    if (!r->current->is_es || r->current->version >= 30)
        buffer = (GLenum)replay_get_integer(r, pname, GL_NONE);
    bool is_first = (noted->mask & GL_COLOR_BUFFER_BIT) == 0;
    if (!is_first && noted->buffer != buffer)
        return;
    r->gl.glGetIntegerv(GL_COLOR_WRITEMASK, masks);
    for (int i = 0; i < 4; ++i)
        if (is_first || masks[i])
            noted->colour[i] = v->colour[i];
    noted->buffer = buffer;
}

static void note_depth(struct replayer *r, struct clear_values *noted, const struct clear_values *v)
{
    if ((noted->mask & GL_DEPTH_BUFFER_BIT) == 0 || replay_get_integer(r, GL_DEPTH_WRITEMASK, 1) != 0)
        noted->depth = v->depth;
}

static void note_stencil(struct replayer *r, struct clear_values *noted, const struct clear_values *v)
{
    GLint bits = ~0;
    if ((noted->mask & GL_STENCIL_BUFFER_BIT) != 0)
        bits = replay_get_integer(r, GL_STENCIL_WRITEMASK, bits);
    noted->stencil = (noted->stencil & ~bits) | (v->stencil & bits);
}

void kept_pixels_note_clear(struct replayer *r, GLbitfield mask, const struct clear_values *values)
{
    struct clear_values *noted = &r->thread->draw->cleared, now = {0};
    if (r->gl.glGetFloatv == NULL)
        return;
    replay_keep_error(r);
    if (values != NULL)
        now = *values;
    else
        get_clear_values(r, &now);
    if (r->current->version >= 30 && r->gl.glIsEnabled(GL_RASTERIZER_DISCARD))
        mask = 0;
    if (clears_a_part(r))
        mask &= ~noted->mask;
    if (mask & GL_COLOR_BUFFER_BIT)
        note_colour(r, noted, &now);
    if (mask & GL_DEPTH_BUFFER_BIT)
        note_depth(r, noted, &now);
    if (mask & GL_STENCIL_BUFFER_BIT)
        note_stencil(r, noted, &now);
    noted->mask |= mask;
    replay_clear_errors(r);
}

struct clear_state {
    struct hindrances hindrances;
    GLint box[4], colours[4], depth, stencil;
    bool is_masked;
    struct clear_values values;
    struct selection selected;
};

/* The masks of other outputs stay. */
static void mask_colours(struct replayer *r, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
{
    if (r->current->version >= (r->current->is_es ? 32 : 30) && r->gl.glColorMaski != NULL)
        r->gl.glColorMaski(0, red, green, blue, alpha);
    else
        r->gl.glColorMask(red, green, blue, alpha);
}

static void set_scissor(struct replayer *r, int x, int y, int width, int height)
{
    if (has_many_viewports(r))
        r->gl.glScissorIndexed(0, x, y, width, height);
    else
        r->gl.glScissor(x, y, width, height);
}

static void set_clear_values(struct replayer *r, GLbitfield mask, const struct clear_values *v)
{
    const struct gl_functions *gl = &r->gl;
    if ((mask & GL_COLOR_BUFFER_BIT) && gl->glClearColor != NULL)
        gl->glClearColor(v->colour[0], v->colour[1], v->colour[2], v->colour[3]);
    if ((mask & GL_DEPTH_BUFFER_BIT) && !r->current->is_es && gl->glClearDepth != NULL)
        gl->glClearDepth(v->depth);
    else if ((mask & GL_DEPTH_BUFFER_BIT) && gl->glClearDepthf != NULL)
        gl->glClearDepthf((GLfloat)v->depth);
    if ((mask & GL_STENCIL_BUFFER_BIT) && gl->glClearStencil != NULL)
        gl->glClearStencil(v->stencil);
}

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
    set_enabled(r, GL_SCISSOR_TEST, true);
    if (s->is_masked)
        mask_colours(r, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
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
        mask_colours(r, s->colours[0] != 0, s->colours[1] != 0, s->colours[2] != 0, s->colours[3] != 0);
    set_scissor(r, s->box[0], s->box[1], s->box[2], s->box[3]);
    set_enabled(r, GL_SCISSOR_TEST, false);
    enable_hindrances(r, &s->hindrances);
    replay_clear_errors(r);
}

void kept_pixels_clear(struct replayer *r, const struct clear_values *values, int x, int y, int width,
                       int height)
{
    struct clear_state state = {.depth = GL_TRUE};
    if (width <= 0 || height <= 0 || r->current->inside_begin || r->current->list_mode != 0 ||
        r->gl.glScissor == NULL || r->gl.glColorMask == NULL || r->gl.glDepthMask == NULL)
        return;
    begin_clear(r, &state);
    get_clear_values(r, &state.values);
    if (values->buffer != GL_NONE)
        select_draw_buffer(r, values->buffer, &state.selected);
    set_clear_values(r, values->mask, values);
    set_scissor(r, x, y, width, height);
    r->gl.glClear(values->mask);
    set_clear_values(r, values->mask, &state.values);
    select_draw_again(r, &state.selected);
    end_clear(r, &state);
}
