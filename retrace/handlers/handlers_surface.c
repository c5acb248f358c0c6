/* SPDX-License-Identifier: MIT
 * GLX and EGL calls that copy the contents of drawables. They are replayed with OpenGL, so that every window
 * system has them.
 */
#include "handlers/handlers.h"

#include "base/error.h"
#include "objects/conditional_render.h"
#include "objects/replay_drawable.h"
#include "objects/replay_state.h"
#include "objects/surface_texture.h"
#include "objects/window_buffers.h"
#include "call/replay_values.h"

static int fail(const struct replay_call *c, const char *reason)
{
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: %s", spec_string(c->function->spec->name), reason);
}

/* Binding points and settings that a copy changes. */
struct copy_state {
    GLint draw_framebuffer, read_framebuffer, draw_buffer, read_buffer;
    bool scissor;
};

static void save(struct replayer *r, struct copy_state *s)
{
    s->draw_framebuffer = replay_get_integer(r, GL_DRAW_FRAMEBUFFER_BINDING, 0);
    s->read_framebuffer = replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, 0);
    s->scissor = r->gl.glIsEnabled(GL_SCISSOR_TEST) != GL_FALSE;
    r->gl.glBindFramebuffer(GL_FRAMEBUFFER, 0);
    s->draw_buffer = replay_get_integer(r, GL_DRAW_BUFFER, GL_BACK);
    s->read_buffer = replay_get_integer(r, GL_READ_BUFFER, GL_BACK);
}

static void restore(struct replayer *r, const struct copy_state *s)
{
    const struct gl_functions *gl = &r->gl;
    gl->glDrawBuffer((GLenum)s->draw_buffer);
    window_buffers_read(r, (GLenum)s->read_buffer);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)s->draw_framebuffer);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->read_framebuffer);
    if (s->scissor)
        gl->glEnable(GL_SCISSOR_TEST);
    replay_clear_errors(r);
}

static bool can_blit(const struct replayer *r)
{
    const struct gl_functions *gl = &r->gl;
    return r->current != NULL && !r->current->is_es && r->current->version >= 30 &&
           !r->current->inside_begin && gl->glBlitFramebuffer != NULL && gl->glBindFramebuffer != NULL &&
           gl->glIsEnabled != NULL && gl->glDrawBuffer != NULL && gl->glReadBuffer != NULL &&
           gl->glEnable != NULL && gl->glDisable != NULL;
}

/* glXCopySubBufferMESA(dpy, drawable, x, y, width, height): from the back buffer to the front buffer.
 * eglPostSubBufferNV() has the same arguments. OpenGL ES has no front buffer, so nobody can see a difference.
 */
int handle_copy_sub_buffer(struct replayer *r, struct replay_call *c)
{
    const struct gl_functions *gl = &r->gl;
    const struct replay_drawable *draw = r->thread->draw;
    struct copy_state state;
    if (r->current != NULL && r->current->is_es && !r->current->inside_begin) {
        r->gl.glFlush();
        return 0;
    }
    if (!can_blit(r) || draw == NULL || draw->traced != replay_arg_uint(c, 1, 0))
        return fail(c, "the drawable is not current");
    if (window_buffers_is_single(draw, r->current) || replay_arg_sint(c, 4, 0) <= 0 ||
        replay_arg_sint(c, 5, 0) <= 0)
        return 0;
    GLint x = (GLint)replay_arg_sint(c, 2, 0), y = (GLint)replay_arg_sint(c, 3, 0);
    GLint right = (GLint)(x + replay_arg_sint(c, 4, 0)), top = (GLint)(y + replay_arg_sint(c, 5, 0));
    bool is_paused = conditional_render_pause(r);
    save(r, &state);
    gl->glDisable(GL_SCISSOR_TEST);
    window_buffers_name(r, GL_FRONT);
    gl->glDrawBuffer(GL_FRONT);
    window_buffers_read(r, GL_BACK);
    gl->glBlitFramebuffer(x, y, right, top, x, y, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl->glFlush();
    restore(r, &state);
    if (is_paused)
        conditional_render_resume(r);
    return 0;
}

/* eglBindTexImage(dpy, surface, buffer). The texture gets the size of the surface, even if nothing was drawn.
 */
int handle_egl_bind_tex_image(struct replayer *r, struct replay_call *c)
{
    const struct replay_thread *t = r->thread;
    struct replay_drawable *surface;
    int rc = replay_drawable_find(r, replay_arg_uint(c, 1, 0), &surface);
    if (rc != 0)
        return rc;
    if (r->current == NULL || r->gl.glCopyTexImage2D == NULL)
        return fail(c, "no context is current");
    if (surface == NULL)
        return 0;
    surface_texture_bind(r, surface);
    rc = replay_drawable_realise(r, surface, t->context);
    if (rc == 0)
        rc = r->ws->ops->make_current(r->ws, t->context->ws, surface->ws, surface->ws);
    if (rc != 0)
        return rc;
    surface_texture_copy(r, surface);
    return r->ws->ops->make_current(r->ws, t->context->ws, t->draw != NULL ? t->draw->ws : NULL,
                                    t->read != NULL ? t->read->ws : NULL);
}

/* eglReleaseTexImage(dpy, surface, buffer) */
int handle_egl_release_tex_image(struct replayer *r, struct replay_call *c)
{
    struct replay_drawable *surface;
    int rc = replay_drawable_find(r, replay_arg_uint(c, 1, 0), &surface);
    if (rc == 0 && surface != NULL)
        surface_texture_release(surface);
    return rc;
}

/* eglCopyBuffers() copies to a pixmap, which no GL call can see. It also flushes. */
int handle_egl_copy_buffers(struct replayer *r, struct replay_call *c)
{
    (void)c;
    if (r->current != NULL && !r->current->inside_begin)
        r->gl.glFlush();
    return 0;
}
