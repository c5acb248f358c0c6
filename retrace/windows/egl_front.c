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

static int add_front(const struct egl_screen *s, const struct egl_bindings *now, struct ws_drawable *drawable,
                     bool has_frame)
{
    if (drawable == NULL || !drawable->is_double || drawable->front != EGL_NO_SURFACE)
        return 0;
    int rc = egl_create_pbuffer(s, drawable, drawable->width, drawable->height, &drawable->front);
    if (rc != 0)
        return rc;
    if (has_frame)
        show(s, now, drawable);
    else if (eglMakeCurrent(s->display, drawable->front, drawable->front, now->context->handle))
        surface_clear();
    return 0;
}

/* --- what the context selects, and swaps ------------------------------------------------------------ */

static int select_buffers(const struct egl_screen *s, const struct egl_bindings *now,
                          struct surface_buffers wanted, bool has_frame)
{
    EGLSurface old = draw_surface(now);
    int rc = 0;
    if (is_both(now->context->selected.draw) && now->draw != NULL && now->draw->front != EGL_NO_SURFACE)
        show(s, now, now->draw);
    now->context->selected = wanted;
    if (is_front(wanted.draw) || is_both(wanted.draw))
        rc = add_front(s, now, now->draw, has_frame);
    if (rc == 0 && (is_front(wanted.read) || is_both(wanted.read)))
        rc = add_front(s, now, now->read, has_frame);
    if (draw_surface(now) != old)
        copy(s, now, now->draw, old, draw_surface(now), SURFACE_DEPTH);
    egl_front_bind(s, now);
    return rc;
}

int egl_front_follow(const struct egl_screen *s, const struct egl_bindings *now, bool has_frame)
{
    struct surface_buffers wanted = surface_buffers_get();
    const struct surface_buffers *selected = &now->context->selected;
    if (selected->is_known && selected->draw == wanted.draw && selected->read == wanted.read)
        return 0;
    return select_buffers(s, now, wanted, has_frame);
}

int egl_front_show(const struct egl_screen *s, const struct egl_bindings *now, struct ws_drawable *drawable,
                   bool keep)
{
    if (keep && now->draw == drawable && drawable->is_double && drawable->front == EGL_NO_SURFACE) {
        int rc = egl_create_pbuffer(s, drawable, drawable->width, drawable->height, &drawable->front);
        if (rc != 0)
            return rc;
    }
    drawable->front_is_old = drawable->front != EGL_NO_SURFACE;
    egl_front_catch_up(s, now);
    return 0;
}

void egl_front_catch_up(const struct egl_screen *s, const struct egl_bindings *now)
{
    bool draw_is_old = now->draw != NULL && now->draw->front_is_old;
    bool read_is_old = now->read != NULL && now->read != now->draw && now->read->front_is_old;
    if (!draw_is_old && !read_is_old)
        return;
    struct surface_buffers selected = surface_buffers_get();
    if (draw_is_old)
        show(s, now, now->draw);
    if (read_is_old)
        show(s, now, now->read);
    egl_front_bind(s, now);
    surface_buffers_set(selected);
}
