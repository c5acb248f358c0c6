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

/* --- what is selected at first ----------------------------------------------------------------------- */

static unsigned first_read(const struct ws_drawable *drawable)
{
    return drawable->is_double ? GL_BACK : GL_FRONT;
}

static bool has_read(const struct ws_context *context, const struct ws_drawable *drawable, uint64_t *buffer)
{
    return int_map_get(&context->reads, drawable->number, buffer);
}

/* Without memory, the next binding finds what a drawable has at first. */
static void note_read(struct ws_context *context, const struct ws_drawable *drawable, unsigned buffer)
{
    if (drawable != NULL)
        int_map_set(&context->reads, drawable->number, buffer);
}

void egl_front_expect(const struct egl_bindings *next)
{
    struct surface_buffers *selected = &next->context->selected;
    uint64_t buffer;
    if (selected->is_known && next->read != NULL)
        selected->read =
            has_read(next->context, next->read, &buffer) ? (unsigned)buffer : first_read(next->read);
}

/* The context is bound to a drawable for the first time. Drivers let the only buffer of a pbuffer take the
 * place of the back buffer, but select it as the front buffer. */
static void choose_draw(const struct ws_context *context, const struct ws_drawable *draw,
                        struct surface_buffers *now)
{
    const struct context_config *wanted = &context->wanted;
    if (now->draw == GL_FRONT && !wanted->buffers.single_buffered &&
        (draw->is_double || !wanted->through_egl))
        now->draw = GL_BACK;
}

bool egl_front_begin(const struct egl_bindings *now)
{
    struct ws_context *context = now->context;
    uint64_t buffer;
    bool begins = now->draw != NULL && !context->is_known;
    bool begins_reading = now->read != NULL && !has_read(context, now->read, &buffer);
    if (!begins && !begins_reading)
        return false;
    struct surface_buffers selected = surface_buffers_get();
    bool is_front = begins && (selected.draw == GL_FRONT || selected.read == GL_FRONT);
    if (begins && !context->selected.is_known)
        choose_draw(context, now->draw, &selected);
    if (begins_reading && selected.read == GL_FRONT)
        selected.read = first_read(now->read);
    note_read(context, now->read, selected.read);
    surface_buffers_set(selected);
    context->is_known |= begins;
    if (is_front && context->wanted.buffers.single_buffered)
        context->selected = selected; /* it may draw to the front buffer of a drawable that has both */
    return is_front;
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
    note_read(now->context, now->read, wanted.read);
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
