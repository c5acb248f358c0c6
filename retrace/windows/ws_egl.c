/* SPDX-License-Identifier: MIT
 * EGL without a display server: contexts of GLX and EGL alike, with pbuffers in place of windows. Any context
 * can draw to any drawable.
 */
#include "windows/window_system.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "windows/egl_contexts.h"
#include "windows/egl_platform.h"
#include "windows/surface_copy.h"

struct ws_context {
    EGLContext handle;
    EGLConfig config;
    struct context_config wanted;
    EGLenum api;
    bool is_known; /* it has been bound to a drawable */
};

struct ws_drawable {
    EGLSurface surface;
    EGLConfig config;
    int width, height;
    bool srgb;
    bool is_double; /* the trace's drawable has a back buffer, which a pbuffer has not */
    bool is_known;  /* it has been bound */
};

struct egl_system {
    struct window_system base;
    struct egl_screen screen;
    void (*flush)(void); /* glFlush(); NULL until it is needed */
};

/* What this thread has bound. */
static _Thread_local struct {
    struct ws_context *context;
    struct ws_drawable *draw, *read;
} current;

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
    current.context = NULL;
    current.draw = current.read = NULL;
}

/* A program that draws to the back buffer of a window is told that it does. Drivers let the only buffer of a
 * pbuffer take its place, but select it as the front buffer at first. */
static void select_back_buffer(struct egl_system *s, struct ws_context *context, struct ws_drawable *draw)
{
    if (draw == NULL || (draw->is_known && context->is_known))
        return;
    draw->is_known = context->is_known = true;
    struct surface_buffers now = surface_buffers_get();
    s->base.back_is_front |= now.draw == GL_FRONT;
    if (draw->is_double)
        surface_buffers_set(
            (struct surface_buffers){now.draw == GL_FRONT ? GL_BACK : 0, now.read == GL_FRONT ? GL_BACK : 0});
}

static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    struct egl_system *s = (struct egl_system *)ws;
    EGLSurface draw_surface = draw != NULL ? draw->surface : EGL_NO_SURFACE;
    EGLSurface read_surface = read != NULL ? read->surface : draw_surface;
    if (context == NULL || (current.context != NULL && current.context->api != context->api))
        release(s);
    if (context == NULL)
        return 0;
    eglBindAPI(context->api);
    if (!eglMakeCurrent(s->screen.display, draw_surface, read_surface, context->handle))
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "the context cannot draw to this drawable: %s",
                               egl_error_text());
    current.context = context;
    current.draw = draw;
    current.read = read;
    select_back_buffer(s, context, draw);
    return 0;
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    struct egl_system *s = (struct egl_system *)ws;
    if (current.context == context)
        release(s);
    eglDestroyContext(s->screen.display, context->handle);
    free(context);
}

/* --- drawables -------------------------------------------------------------------------------------- */

static EGLSurface try_surface(struct egl_system *s, const struct ws_drawable *drawable, int width, int height,
                              bool srgb)
{
    const EGLint attribs[] = {EGL_WIDTH,
                              width,
                              EGL_HEIGHT,
                              height,
                              srgb ? EGL_GL_COLORSPACE_KHR : EGL_NONE,
                              EGL_GL_COLORSPACE_SRGB_KHR,
                              EGL_NONE};
    return eglCreatePbufferSurface(s->screen.display, drawable->config, attribs);
}

static int create_surface(struct egl_system *s, const struct ws_drawable *drawable, int width, int height,
                          EGLSurface *out)
{
    *out = EGL_NO_SURFACE;
    if (drawable->srgb && s->screen.has_colorspace)
        *out = try_surface(s, drawable, width, height, true);
    if (*out == EGL_NO_SURFACE)
        *out = try_surface(s, drawable, width, height, false);
    return *out != EGL_NO_SURFACE ? 0
                                  : trace_error_set(TRACE_ERR_IO, "cannot create a drawable of %dx%d: %s",
                                                    width, height, egl_error_text());
}

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
    drawable->width = width;
    drawable->height = height;
    drawable->srgb = wanted.buffers.srgb;
    drawable->is_double = !wanted.buffers.single_buffered;
    int rc = egl_choose_config(&s->screen, &wanted, &drawable->config);
    if (rc == 0)
        rc = create_surface(s, drawable, width, height, &drawable->surface);
    if (rc != 0) {
        free(drawable);
        return rc;
    }
    *out = drawable;
    return 0;
}

/* The surface exists until it is not current any more. */
static void destroy_drawable(struct window_system *ws, struct ws_drawable *drawable)
{
    struct egl_system *s = (struct egl_system *)ws;
    eglDestroySurface(s->screen.display, drawable->surface);
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
    eglSwapBuffers(s->screen.display, drawable->surface);
    if (s->flush == NULL)
        s->flush = eglGetProcAddress("glFlush");
    if (s->flush != NULL && current.draw == drawable)
        s->flush();
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A pbuffer has a fixed size, so the drawable gets another one. */
static int resize(struct window_system *ws, struct ws_drawable *drawable, int width, int height, bool keep)
{
    struct egl_system *s = (struct egl_system *)ws;
    EGLSurface old = drawable->surface, new;
    int rc = create_surface(s, drawable, width, height, &new);
    if (rc != 0)
        return rc;
    bool is_current = current.context != NULL && (current.draw == drawable || current.read == drawable);
    struct surface_buffers buffers = {0, 0};
    if (is_current)
        buffers = surface_buffers_get();
    if (keep && is_current && current.draw == drawable &&
        eglMakeCurrent(s->screen.display, new, old, current.context->handle))
        surface_copy(smaller(width, drawable->width), smaller(height, drawable->height));
    drawable->surface = new;
    drawable->width = width;
    drawable->height = height;
    if (is_current)
        rc = make_current(ws, current.context, current.draw, current.read);
    if (is_current && rc == 0)
        surface_buffers_set(buffers);
    eglDestroySurface(s->screen.display, old);
    return rc;
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

static bool is_egl(const struct ws_context *context)
{
    (void)context;
    return true;
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
    .get_proc = get_proc,
    .find_lacking = find_lacking,
    .replace = window_system_replace,
    .is_egl = is_egl,
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
