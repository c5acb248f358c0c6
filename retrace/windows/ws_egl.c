/* SPDX-License-Identifier: MIT
 * EGL without a display server: contexts of GLX and EGL alike, with pbuffers in place of windows. Any context
 * can draw to any drawable.
 */
#include "windows/egl_pbuffers.h"

#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "windows/egl_front.h"
#include "windows/egl_platform.h"

struct egl_system {
    struct window_system base;
    struct egl_screen screen;
    void (*flush)(void); /* glFlush(); NULL until it is needed */
    uint64_t drawables;  /* how many have been created */
};

/* What this thread has bound. */
static _Thread_local struct egl_bindings current;

/* --- contexts --------------------------------------------------------------------------------------- */

static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    struct egl_system *s = (struct egl_system *)ws;
    struct ws_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a context");
    context->wanted = *config;
    context->api = egl_api(config);
    int rc = egl_choose_config(&s->screen, config, &context->config);
    if (rc == 0)
        rc = egl_create_context(&s->screen, &context->handle, config, context->config,
                                share != NULL ? share->handle : EGL_NO_CONTEXT);
    if (rc != 0) {
        free(context);
        return rc;
    }
    *out = context;
    return 0;
}

/* EGL keeps current contexts by API. */
static void release(struct egl_system *s)
{
    if (current.context == NULL)
        return;
    eglBindAPI(current.context->api);
    eglMakeCurrent(s->screen.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    current = (struct egl_bindings){NULL, NULL, NULL};
}

static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    struct egl_system *s = (struct egl_system *)ws;
    const struct egl_bindings wanted = {context, draw, read};
    if (context == NULL || (current.context != NULL && current.context->api != context->api))
        release(s);
    if (context == NULL)
        return 0;
    eglBindAPI(context->api);
    egl_front_expect(&wanted);
    if (!egl_front_bind(&s->screen, &wanted))
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "the context cannot draw to this drawable: %s",
                               egl_error_text());
    current = wanted;
    s->base.back_is_front |= egl_front_begin(&current);
    egl_front_catch_up(&s->screen, &current); /* without a front buffer, the only one stands for both */
    return 0;
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    struct egl_system *s = (struct egl_system *)ws;
    if (current.context == context)
        release(s);
    eglDestroyContext(s->screen.display, context->handle);
    int_map_fini(&context->reads);
    free(context);
}

/* --- drawables -------------------------------------------------------------------------------------- */

static int create_drawable(struct window_system *ws, struct ws_drawable **out, struct ws_context *context,
                           const struct buffer_config *buffers, int width, int height)
{
    struct egl_system *s = (struct egl_system *)ws;
    struct ws_drawable *drawable = calloc(1, sizeof *drawable);
    if (drawable == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a drawable");
    struct context_config wanted = context->wanted;
    if (buffers != NULL)
        wanted.buffers = *buffers;
    drawable->number = s->drawables++;
    drawable->width = width;
    drawable->height = height;
    drawable->srgb = wanted.buffers.srgb;
    drawable->is_double = !wanted.buffers.single_buffered;
    drawable->has_front = drawable->is_double && !wanted.buffers.front_is_back;
    int rc = egl_choose_config(&s->screen, &wanted, &drawable->config);
    if (rc == 0)
        rc = egl_create_pbuffer(&s->screen, drawable->config, drawable->srgb, width, height, &drawable->back);
    if (rc != 0) {
        free(drawable);
        return rc;
    }
    *out = drawable;
    return 0;
}

/* Surfaces exist until they are not current any more. */
static void destroy_drawable(struct window_system *ws, struct ws_drawable *drawable)
{
    struct egl_system *s = (struct egl_system *)ws;
    eglDestroySurface(s->screen.display, drawable->back);
    if (drawable->front != EGL_NO_SURFACE)
        eglDestroySurface(s->screen.display, drawable->front);
    if (current.draw == drawable)
        current.draw = NULL;
    if (current.read == drawable)
        current.read = NULL;
    free(drawable);
}

/* A swap of a pbuffer has no effect, but that of a window makes the driver draw the frame. Without that,
 * frames would pile up. */
static void swap_buffers(struct window_system *ws, struct ws_drawable *drawable)
{
    struct egl_system *s = (struct egl_system *)ws;
    eglSwapBuffers(s->screen.display, drawable->back);
    if (s->flush == NULL)
        s->flush = eglGetProcAddress("glFlush");
    if (s->flush != NULL && current.draw == drawable)
        s->flush();
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A pbuffer has a fixed size, so the drawable gets another one. keep: the pixels of the old one. */
static int replace_pbuffer(struct egl_system *s, const struct ws_drawable *drawable, EGLSurface *pbuffer,
                           int width, int height, bool keep)
{
    EGLSurface old = *pbuffer;
    int rc = egl_create_pbuffer(&s->screen, drawable->config, drawable->srgb, width, height, pbuffer);
    if (rc != 0) {
        *pbuffer = old;
        return rc;
    }
    if (keep && eglMakeCurrent(s->screen.display, *pbuffer, old, current.context->handle)) {
        surface_clear();
        surface_copy(smaller(width, drawable->width), smaller(height, drawable->height),
                     SURFACE_COLOURS | SURFACE_DEPTH);
    }
    eglDestroySurface(s->screen.display, old);
    return 0;
}

static int resize(struct window_system *ws, struct ws_drawable *drawable, int width, int height, bool keep)
{
    struct egl_system *s = (struct egl_system *)ws;
    bool is_current = current.context != NULL && (current.draw == drawable || current.read == drawable);
    bool is_drawn_to = is_current && current.draw == drawable;
    struct surface_buffers buffers = {.is_known = false};
    if (is_current)
        buffers = surface_buffers_get();
    int rc = replace_pbuffer(s, drawable, &drawable->back, width, height, keep && is_drawn_to);
    if (rc == 0 && drawable->front != EGL_NO_SURFACE)
        rc = replace_pbuffer(s, drawable, &drawable->front, width, height, is_drawn_to);
    if (rc == 0) {
        drawable->width = width;
        drawable->height = height;
    }
    if (!is_current)
        return rc;
    int bound = make_current(ws, current.context, current.draw, current.read);
    if (bound == 0)
        surface_buffers_set(buffers);
    return rc != 0 ? rc : bound;
}

static int follow_buffers(struct window_system *ws)
{
    if (current.context == NULL || !ws->back_is_front)
        return 0;
    return egl_front_follow(&((struct egl_system *)ws)->screen, &current);
}

static bool read_depth(struct window_system *ws, bool begin)
{
    return egl_front_read_depth(&((struct egl_system *)ws)->screen, &current, begin);
}

static int show_frame(struct window_system *ws, struct ws_drawable *drawable, bool keep)
{
    return egl_front_show(&((struct egl_system *)ws)->screen, &current, drawable, keep && ws->back_is_front);
}

/* --- the rest --------------------------------------------------------------------------------------- */

static void *get_proc(struct window_system *ws, const char *name)
{
    union {
        void (*function)(void);
        void *object;
    } address = {.function = eglGetProcAddress(name)};
    (void)ws;
    return address.object;
}

/* EGL has no such configurations. */
static const char *find_lacking(struct window_system *ws, const struct buffer_config *buffers)
{
    const int *accumulation = buffers->accumulation;
    if (accumulation[0] > 0 || accumulation[1] > 0 || accumulation[2] > 0 || accumulation[3] > 0)
        return "accumulation buffer";
    if (buffers->auxiliary > 0)
        return "auxiliary buffers";
    if (buffers->is_float && !((struct egl_system *)ws)->screen.has_float)
        return "floating-point colours";
    return buffers->stereo ? "stereo buffers" : NULL;
}

static struct egl_handles egl_handles(const struct window_system *ws, const struct ws_context *context)
{
    return (struct egl_handles){((const struct egl_system *)ws)->screen.display, context->handle};
}

/* There are no events to wait for, only signals, which may arrive just before the wait. */
static bool poll_events(struct window_system *ws, bool wait)
{
    (void)ws;
    if (wait)
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    return true;
}

static void close_egl(struct window_system *ws)
{
    struct egl_system *s = (struct egl_system *)ws;
    release(s);
    eglTerminate(s->screen.display);
    free(s);
}

static const struct window_system_ops egl_ops = {
    .close = close_egl,
    .create_context = create_context,
    .destroy_context = destroy_context,
    .create_drawable = create_drawable,
    .destroy_drawable = destroy_drawable,
    .make_current = make_current,
    .swap_buffers = swap_buffers,
    .resize = resize,
    .follow_buffers = follow_buffers,
    .read_depth = read_depth,
    .show_frame = show_frame,
    .get_proc = get_proc,
    .find_lacking = find_lacking,
    .replace = window_system_replace,
    .egl_handles = egl_handles,
    .poll_events = poll_events,
};

int window_system_open_egl(struct window_system **out, const struct window_settings *settings)
{
    struct egl_system *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the window system");
    EGLDisplay display;
    int rc = egl_platform_open(&display, settings->driver, s->base.description, sizeof s->base.description);
    if (rc != 0) {
        free(s);
        return rc;
    }
    egl_screen_init(&s->screen, display, EGL_PBUFFER_BIT);
    s->base.ops = &egl_ops;
    s->base.headless = true;
    s->base.is_offscreen = true;
    *out = &s->base;
    return 0;
}
