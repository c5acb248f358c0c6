/* SPDX-License-Identifier: MIT */
#include "windows/egl_front.h"

#include <GL/gl.h>
#include <stddef.h>

static bool is_both(unsigned buffer)
{
    return buffer == GL_FRONT_AND_BACK || buffer == GL_LEFT;
}

static bool is_front(unsigned buffer)
{
    return buffer == GL_FRONT || buffer == GL_FRONT_LEFT;
}

static EGLSurface surface(const struct ws_drawable *drawable, bool front)
{
    if (drawable == NULL)
        return EGL_NO_SURFACE;
    return front && drawable->front != EGL_NO_SURFACE ? drawable->front : drawable->back;
}

static EGLSurface draw_surface(const struct egl_bindings *now)
{
    return surface(now->draw, is_front(now->context->selected.draw));
}

/* OpenGL reads from the front buffer where a name means both (OpenGL 4.6 Compatibility Profile, 18.2.1). They
 * are one while they are drawn to. */
static EGLSurface read_surface(const struct egl_bindings *now)
{
    const struct surface_buffers *selected = &now->context->selected;
    bool are_one = is_both(selected->draw) && now->read == now->draw;
    if (now->read == NULL)
        return draw_surface(now);
    return surface(now->read, (is_front(selected->read) || is_both(selected->read)) && !are_one);
}

bool egl_front_bind(const struct egl_screen *s, const struct egl_bindings *now)
{
    if (!eglMakeCurrent(s->display, draw_surface(now), read_surface(now), now->context->handle))
        return false;
    surface_buffers_set(now->context->selected);
    return true;
}

/* --- copies: they leave other surfaces bound -------------------------------------------------------- */

static void copy(const struct egl_screen *s, const struct egl_bindings *now,
                 const struct ws_drawable *drawable, EGLSurface from, EGLSurface to, unsigned parts)
{
    if (eglMakeCurrent(s->display, to, from, now->context->handle))
        surface_copy(drawable->width, drawable->height, parts);
}

static void show(const struct egl_screen *s, const struct egl_bindings *now, struct ws_drawable *drawable)
{
    copy(s, now, drawable, drawable->back, drawable->front, SURFACE_COLOURS);
    drawable->front_is_old = false;
}

/* It shows the last frame, as far as nothing has been drawn since, or is black. */
static int add_front(const struct egl_screen *s, const struct egl_bindings *now, struct ws_drawable *drawable)
{
    int rc = egl_create_pbuffer(s, drawable->config, drawable->srgb, drawable->width, drawable->height,
                                &drawable->front);
    if (rc != 0)
        return rc;
    if (drawable->has_frame)
        show(s, now, drawable);
    else if (eglMakeCurrent(s->display, drawable->front, drawable->front, now->context->handle))
        surface_clear();
    return 0;
}

/* --- what the context selects, and swaps ------------------------------------------------------------ */

static bool lacks_front(const struct ws_drawable *drawable, unsigned selected)
{
    return drawable != NULL && drawable->has_front && drawable->front == EGL_NO_SURFACE &&
           (is_front(selected) || is_both(selected));
}

static int add_fronts(const struct egl_screen *s, const struct egl_bindings *now)
{
    const struct surface_buffers *selected = &now->context->selected;
    int rc = lacks_front(now->draw, selected->draw) ? add_front(s, now, now->draw) : 0;
    return rc == 0 && lacks_front(now->read, selected->read) ? add_front(s, now, now->read) : rc;
}

static bool is_old(const struct ws_drawable *drawable)
{
    return drawable != NULL && drawable->front_is_old;
}

static bool has_depth(const struct egl_bindings *now)
{
    return now->draw == NULL || now->draw->depth_in_front == (draw_surface(now) == now->draw->front);
}

/* Leaves other surfaces bound. */
static int complete(const struct egl_screen *s, const struct egl_bindings *now)
{
    if (is_old(now->draw))
        show(s, now, now->draw);
    if (is_old(now->read))
        show(s, now, now->read);
    int rc = add_fronts(s, now);
    if (!has_depth(now)) {
        copy(s, now, now->draw, surface(now->draw, now->draw->depth_in_front), draw_surface(now),
             SURFACE_DEPTH);
        now->draw->depth_in_front = !now->draw->depth_in_front;
    }
    return rc;
}

int egl_front_follow(const struct egl_screen *s, const struct egl_bindings *now)
{
    struct surface_buffers *selected = &now->context->selected, wanted = surface_buffers_get();
    if (selected->is_known && selected->draw == wanted.draw && selected->read == wanted.read &&
        selected->output == wanted.output)
        return 0;
    if (is_both(selected->draw) && now->draw != NULL)
        now->draw->front_is_old = now->draw->front != EGL_NO_SURFACE;
    *selected = wanted;
    int rc = complete(s, now);
    egl_front_bind(s, now);
    return rc;
}

int egl_front_show(const struct egl_screen *s, const struct egl_bindings *now, struct ws_drawable *drawable,
                   bool keep)
{
    drawable->has_frame = true;
    if (keep && now->draw == drawable && drawable->has_front && drawable->front == EGL_NO_SURFACE) {
        int rc = egl_create_pbuffer(s, drawable->config, drawable->srgb, drawable->width, drawable->height,
                                    &drawable->front);
        if (rc != 0)
            return rc;
    }
    drawable->front_is_old = drawable->front != EGL_NO_SURFACE;
    return egl_front_catch_up(s, now);
}

int egl_front_catch_up(const struct egl_screen *s, const struct egl_bindings *now)
{
    if (now->context == NULL ||
        (!is_old(now->draw) && !is_old(now->read) && !lacks_front(now->draw, now->context->selected.draw) &&
         !lacks_front(now->read, now->context->selected.read) && has_depth(now)))
        return 0;
    struct surface_buffers selected = surface_buffers_get();
    int rc = complete(s, now);
    egl_front_bind(s, now);
    surface_buffers_set(selected);
    return rc;
}

bool egl_front_read_depth(const struct egl_screen *s, const struct egl_bindings *now, bool begin)
{
    if (now->context == NULL || now->read == NULL)
        return false;
    EGLSurface wanted = surface(now->read, now->read->depth_in_front);
    if (wanted == read_surface(now))
        return false;
    if (begin)
        return eglMakeCurrent(s->display, draw_surface(now), wanted, now->context->handle);
    return egl_front_bind(s, now);
}
