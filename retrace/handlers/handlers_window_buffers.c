/* SPDX-License-Identifier: MIT
 * Windows without a back buffer. An off-screen buffer has only a front buffer, which drivers let take the
 * place of the back buffer. Mesa does not for glClearBuffer*() and glClearNamedFramebuffer*().
 */
#include "handlers/handlers.h"

#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "objects/replay_drawable.h"
#include "objects/replay_state.h"

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

static bool includes_front(uint64_t buffer)
{
    switch (buffer) {
    case GL_FRONT:
    case GL_FRONT_LEFT:
    case GL_FRONT_RIGHT:
    case GL_LEFT:
    case GL_RIGHT:
    case GL_FRONT_AND_BACK:
        return true;
    default:
        return false;
    }
}

/* glDrawBuffer(), glReadBuffer() */
int handle_select_buffer(struct replayer *r, struct replay_call *c)
{
    const struct replay_drawable *draw = r->thread->draw;
    if (r->ws->back_is_front && !r->warned_of_front && draw != NULL &&
        includes_front(replay_arg_uint(c, 0, 0)) && !replay_drawable_is_single(draw, r->current)) {
        r->warned_of_front = true;
        replay_warn(
            r,
            "front and back buffer are the same here; --contexts=GLX has both, where there is an X server");
    }
    return replay_generic(r, c);
}
