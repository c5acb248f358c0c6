/* SPDX-License-Identifier: MIT
 * Windows whose front and back buffer are off-screen buffers. Such a buffer is a front buffer for the driver,
 * which lets it take the place of the back buffer. Mesa does not for glClearBuffer*() and
 * glClearNamedFramebuffer*().
 */
#include "handlers/handlers.h"

#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "call/replay_values.h"
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

/* (buffer, index, value) */
int handle_clear_buffer(struct replayer *r, struct replay_call *c)
{
    if (!misses_colours(r, c, 0) || bound_framebuffer(r) != 0)
        return replay_generic(r, c);
    return clear_front_as_back(r, c);
}

/* (framebuffer, buffer, index, value) */
int handle_clear_named_framebuffer(struct replayer *r, struct replay_call *c)
{
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

/* The argument before this one is their number. */
static int select_buffers(struct replayer *r, struct replay_call *c, unsigned i)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    const GLenum *buffers = c->args[i].p;
    for (int64_t k = 0; buffers != NULL && k < c->args[i - 1].i; ++k)
        window_buffers_name(r, buffers[k]);
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

int handle_pop_attrib(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    window_buffers_follow(r);
    return rc;
}

/* --- depth and stencil are in the buffer that is drawn to -------------------------------------------- */

static bool is_colour(uint64_t format)
{
    switch (format) {
    case GL_DEPTH_COMPONENT:
    case GL_STENCIL_INDEX:
    case GL_DEPTH_STENCIL:
    case GL_DEPTH:
    case GL_STENCIL:
        return false;
    default:
        return true;
    }
}

/* glReadPixels(x, y, width, height, format, …), glCopyPixels(x, y, width, height, type) */
int handle_read_pixels(struct replayer *r, struct replay_call *c)
{
    GLenum drawn = is_colour(replay_arg_uint(c, 4, 0)) ? GL_NONE : window_buffers_find_depth(r);
    if (drawn == GL_NONE)
        return replay_generic(r, c);
    GLenum selected = (GLenum)replay_get_integer(r, GL_READ_BUFFER, GL_BACK);
    window_buffers_read(r, drawn);
    int rc = replay_generic(r, c);
    window_buffers_read(r, selected);
    return rc;
}
