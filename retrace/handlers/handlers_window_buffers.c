/* SPDX-License-Identifier: MIT
 * Windows whose front and back buffer are off-screen buffers. Such a buffer is a front buffer for the driver,
 * which lets it take the place of the back buffer. Mesa does not for glClearBuffer*() and
 * glClearNamedFramebuffer*().
 */
#include "handlers/handlers.h"

#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "objects/replay_drawable.h"
#include "objects/replay_state.h"
#include "objects/window_buffers.h"

static GLuint bound_framebuffer(struct replayer *r)
{
    return r->current->version >= 30 ? (GLuint)replay_get_integer(r, GL_DRAW_FRAMEBUFFER_BINDING, 0) : 0;
}

static int clear_front_as_back(struct replayer *r, struct replay_call *c)
{
    if (replay_get_integer(r, GL_DRAW_BUFFER, 0) != GL_BACK)
        return replay_generic(r, c);
    r->gl.glDrawBuffer(GL_FRONT);
    int rc = replay_generic(r, c);
    r->gl.glDrawBuffer(GL_BACK);
    return rc;
}

/* Returns true if argument i is GL_COLOR, and the driver takes the drawable's only buffer for a missing one.
 */
static bool misses_colours(const struct replayer *r, const struct replay_call *c, unsigned i)
{
    return r->ws->back_is_front && !r->current->is_es && !r->current->inside_begin &&
           r->gl.glDrawBuffer != NULL && replay_arg_uint(c, i, 0) == GL_COLOR;
}

/* buffer, index, value or values from this argument on */
static void note_clear(struct replayer *r, const struct replay_call *c, unsigned i)
{
    struct clear_values v = {0};
    const struct trace_value *values = replay_arg(c, i + 2);
    double numbers[4] = {0};
    struct trace_value one;
    for (unsigned k = 0; values->type == TRACE_ARRAY && k < 4 && k < values->count; ++k) {
        trace_array_get(values, k, &one);
        numbers[k] = trace_value_to_double(&one, 0);
    }
    if (replay_arg_sint(c, i + 1, 0) != 0)
        return;
    switch (replay_arg_uint(c, i, 0)) {
    case GL_COLOR:
        for (int k = 0; k < 4; ++k)
            v.colour[k] = (GLfloat)numbers[k];
        replay_clear_drawable(r, GL_COLOR_BUFFER_BIT, &v);
        break;
    case GL_DEPTH:
        v.depth = numbers[0];
        replay_clear_drawable(r, GL_DEPTH_BUFFER_BIT, &v);
        break;
    case GL_STENCIL:
        v.stencil = (GLint)numbers[0];
        replay_clear_drawable(r, GL_STENCIL_BUFFER_BIT, &v);
        break;
    case GL_DEPTH_STENCIL:
        v.depth = trace_value_to_double(values, 0);
        v.stencil = (GLint)replay_arg_sint(c, i + 3, 0);
        replay_clear_drawable(r, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, &v);
        break;
    default:
        break;
    }
}

/* (buffer, index, value) */
int handle_clear_buffer(struct replayer *r, struct replay_call *c)
{
    note_clear(r, c, 0);
    if (!misses_colours(r, c, 0) || bound_framebuffer(r) != 0)
        return replay_generic(r, c);
    return clear_front_as_back(r, c);
}

/* (framebuffer, buffer, index, value) */
int handle_clear_named_framebuffer(struct replayer *r, struct replay_call *c)
{
    if (replay_arg_uint(c, 0, 1) == 0)
        note_clear(r, c, 1);
    if (!misses_colours(r, c, 1) || replay_arg_uint(c, 0, 1) != 0 || r->gl.glBindFramebuffer == NULL)
        return replay_generic(r, c);
    GLuint bound = bound_framebuffer(r);
    if (bound != 0)
        r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    int rc = clear_front_as_back(r, c);
    if (bound != 0)
        r->gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, bound);
    return rc;
}

/* --- what programs select --------------------------------------------------------------------------- */

static int select_buffer(struct replayer *r, struct replay_call *c, unsigned i)
{
    window_buffers_name(r, replay_arg_uint(c, i, 0));
    int rc = replay_generic(r, c);
    window_buffers_follow(r);
    return rc;
}

/* glDrawBuffer(), glReadBuffer() */
int handle_select_buffer(struct replayer *r, struct replay_call *c)
{
    return select_buffer(r, c, 0);
}

/* glNamedFramebufferDrawBuffer(), glNamedFramebufferReadBuffer() */
int handle_select_named_buffer(struct replayer *r, struct replay_call *c)
{
    return select_buffer(r, c, 1);
}

/* Returns true if these are a front and a back buffer, and the driver takes the second for a missing one,
 * which is an error. */
static bool are_both(const struct replayer *r, const GLenum *buffers, int64_t count)
{
    bool has_front = false, has_back = false;
    for (int64_t k = 0; buffers != NULL && k < count; ++k) {
        has_front |= window_buffers_names_front(buffers[k]);
        has_back |= buffers[k] == GL_BACK_LEFT;
    }
    const struct replay_drawable *draw = r->thread->draw;
    return has_front && has_back && r->ws->back_is_front && !r->current->is_es &&
           r->gl.glDrawBuffer != NULL && draw != NULL && !window_buffers_is_single(draw, r->current);
}

/* The argument before this one is their number. */
static int select_buffers(struct replayer *r, struct replay_call *c, unsigned i)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    const GLenum *buffers = c->args[i].p;
    for (int64_t k = 0; buffers != NULL && k < c->args[i - 1].i; ++k)
        window_buffers_name(r, buffers[k]);
    if (i == 1 && !r->current->inside_begin && are_both(r, buffers, c->args[0].i) &&
        bound_framebuffer(r) == 0)
        r->gl.glDrawBuffer(GL_FRONT_AND_BACK); /* as if all outputs were the same */
    else
        rc = replay_invoke(r, c);
    window_buffers_follow(r);
    return rc;
}

/* (n, bufs) */
int handle_select_buffers(struct replayer *r, struct replay_call *c)
{
    return select_buffers(r, c, 1);
}

/* (framebuffer, n, bufs) */
int handle_select_named_buffers(struct replayer *r, struct replay_call *c)
{
    return select_buffers(r, c, 2);
}

/* --- depth and stencil are in one of the buffers ----------------------------------------------------- */

static bool is_depth(uint64_t format)
{
    switch (format) {
    case GL_DEPTH_COMPONENT:
    case GL_DEPTH_COMPONENT16:
    case GL_DEPTH_COMPONENT24:
    case GL_DEPTH_COMPONENT32:
    case GL_DEPTH_COMPONENT32F:
    case GL_DEPTH24_STENCIL8:
    case GL_DEPTH32F_STENCIL8:
    case GL_DEPTH_STENCIL:
    case GL_STENCIL_INDEX:
    case GL_DEPTH:
    case GL_STENCIL:
        return true;
    default:
        return false;
    }
}

static int read_format(struct replayer *r, struct replay_call *c, unsigned format)
{
    bool begun = is_depth(replay_arg_uint(c, format, 0)) && window_buffers_begin_depth(r);
    int rc = replay_generic(r, c);
    if (begun)
        window_buffers_end_depth(r);
    return rc;
}

/* glReadPixels(x, y, width, height, format, …), glCopyPixels(x, y, width, height, type) */
int handle_read_pixels(struct replayer *r, struct replay_call *c)
{
    return read_format(r, c, 4);
}

/* (target, level, format, …) */
int handle_copy_tex_image(struct replayer *r, struct replay_call *c)
{
    return read_format(r, c, 2);
}

enum { BLIT_MASK = 8 }; /* the argument */

static int blit_parts(struct replayer *r, struct replay_call *c, GLbitfield parts)
{
    if (parts == 0)
        return 0;
    c->args[BLIT_MASK].u = parts;
    return replay_invoke(r, c);
}

int handle_blit_framebuffer(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    int64_t x0 = c->args[4].i, y0 = c->args[5].i, x1 = c->args[6].i, y1 = c->args[7].i;
    GLbitfield parts = (GLbitfield)c->args[BLIT_MASK].u;
    replay_grow_drawable(r, x0 > x1 ? x0 : x1, y0 > y1 ? y0 : y1);
    if ((parts & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)) == 0 || !window_buffers_begin_depth(r))
        return replay_invoke(r, c);
    rc = blit_parts(r, c, parts & ~(GLbitfield)GL_COLOR_BUFFER_BIT);
    window_buffers_end_depth(r);
    return rc == 0 ? blit_parts(r, c, parts & GL_COLOR_BUFFER_BIT) : rc;
}
