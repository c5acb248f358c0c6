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
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "windows/egl_platform.h"
#include "windows/surface_copy.h"

enum {
    MAX_CONFIGS = 1024,
    MAX_ATTRIBS = 32,
    MISSING_BIT = 1000,  /* how much worse a bit too few is than one too many */
    MORE_THAN_DEEP = 64, /* more bits of depth than there are */
};

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
    EGLDisplay display;
    bool has_no_config; /* contexts need no configuration of their own */
    bool has_float, has_colorspace;
    void (*flush)(void); /* glFlush(); NULL until it is needed */
};

/* What this thread has bound. */
static _Thread_local struct {
    struct ws_context *context;
    struct ws_drawable *draw, *read;
} current;

static const char *egl_error_text(void)
{
    switch (eglGetError()) {
    case EGL_BAD_MATCH:
        return "the driver cannot combine these attributes";
    case EGL_BAD_ALLOC:
        return "out of memory";
    case EGL_BAD_CONFIG:
    case EGL_BAD_ATTRIBUTE:
        return "the driver does not have this configuration";
    case EGL_BAD_ACCESS:
        return "it is current in another thread";
    default:
        return "EGL failed";
    }
}

/* --- configurations --------------------------------------------------------------------------------- */

static EGLint attribute(struct egl_system *s, EGLConfig config, EGLint name)
{
    EGLint value = 0;
    eglGetConfigAttrib(s->display, config, name, &value);
    return value;
}

/* Returns how far a configuration is from what is wanted. */
static int distance(struct egl_system *s, EGLConfig config, const struct buffer_config *wanted)
{
    const struct {
        EGLint name, wanted;
    } sizes[] = {{EGL_RED_SIZE, wanted->colour[0]},  {EGL_GREEN_SIZE, wanted->colour[1]},
                 {EGL_BLUE_SIZE, wanted->colour[2]}, {EGL_ALPHA_SIZE, wanted->colour[3]},
                 {EGL_DEPTH_SIZE, wanted->depth},    {EGL_STENCIL_SIZE, wanted->stencil},
                 {EGL_SAMPLES, wanted->samples}};
    int sum = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        int more = attribute(s, config, sizes[i].name) - sizes[i].wanted;
        if (sizes[i].name == EGL_DEPTH_SIZE && wanted->deepest && more >= 0)
            more = MORE_THAN_DEEP - more;
        sum += more < 0 ? -more * MISSING_BIT : more;
    }
    return sum;
}

static EGLint renderable_bit(const struct context_config *config)
{
    if (config->api == CONTEXT_GL)
        return EGL_OPENGL_BIT;
    return config->major >= 3   ? EGL_OPENGL_ES3_BIT_KHR
           : config->major == 2 ? EGL_OPENGL_ES2_BIT
                                : EGL_OPENGL_ES_BIT;
}

/* Finds the configuration that is closest to what is wanted. Returns false if there is none. */
static bool find_config(struct egl_system *s, const struct context_config *wanted, bool is_float,
                        EGLConfig *out)
{
    const EGLint attribs[] = {EGL_SURFACE_TYPE,
                              EGL_PBUFFER_BIT,
                              EGL_RENDERABLE_TYPE,
                              renderable_bit(wanted),
                              s->has_float ? EGL_COLOR_COMPONENT_TYPE_EXT : EGL_NONE,
                              is_float ? EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT
                                       : EGL_COLOR_COMPONENT_TYPE_FIXED_EXT,
                              EGL_NONE};
    EGLConfig configs[MAX_CONFIGS];
    EGLint count = 0;
    if (!eglChooseConfig(s->display, attribs, configs, MAX_CONFIGS, &count) || count == 0)
        return false;
    *out = configs[0];
    for (EGLint i = 1, best = distance(s, configs[0], &wanted->buffers); i < count; ++i) {
        int now = distance(s, configs[i], &wanted->buffers);
        if (now < best) {
            best = now;
            *out = configs[i];
        }
    }
    return true;
}

static int choose_config(struct egl_system *s, const struct context_config *wanted, EGLConfig *out)
{
    if ((s->has_float && wanted->buffers.is_float && find_config(s, wanted, true, out)) ||
        find_config(s, wanted, false, out))
        return 0;
    return trace_error_set(TRACE_ERR_IO, "the driver has no configuration for OpenGL%s",
                           wanted->api == CONTEXT_ES ? " ES of this version" : "");
}

/* --- contexts --------------------------------------------------------------------------------------- */

struct attrib_list {
    EGLint values[MAX_ATTRIBS];
    unsigned count;
};

static void add(struct attrib_list *list, EGLint name, EGLint value)
{
    list->values[list->count++] = name;
    list->values[list->count++] = value;
    list->values[list->count] = EGL_NONE;
}

static void list_context_attribs(struct attrib_list *list, const struct context_config *c)
{
    *list = (struct attrib_list){.values = {EGL_NONE}};
    if (c->major > 0) {
        add(list, EGL_CONTEXT_MAJOR_VERSION_KHR, c->major);
        add(list, EGL_CONTEXT_MINOR_VERSION_KHR, c->minor);
    }
    EGLint flags = (c->debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0) |
                   (c->forward_compatible ? EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR : 0);
    if (c->robust && c->api == CONTEXT_GL)
        flags |= EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR;
    else if (c->robust)
        add(list, EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT, EGL_TRUE);
    if (flags != 0)
        add(list, EGL_CONTEXT_FLAGS_KHR, flags);
    if (c->profile != PROFILE_ANY)
        add(list, EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
            c->profile == PROFILE_CORE ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR
                                       : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT_KHR);
    if (c->lose_on_reset)
        add(list,
            c->api == CONTEXT_GL ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR
                                 : EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
            EGL_LOSE_CONTEXT_ON_RESET_KHR);
    if (c->no_error)
        add(list, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE);
    if (c->release_without_flush)
        add(list, EGL_CONTEXT_RELEASE_BEHAVIOR_KHR, EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR);
}

static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    struct egl_system *s = (struct egl_system *)ws;
    struct ws_context *context = calloc(1, sizeof *context);
    struct attrib_list list;
    if (context == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a context");
    context->wanted = *config;
    context->api = config->api == CONTEXT_GL ? EGL_OPENGL_API : EGL_OPENGL_ES_API;
    int rc = choose_config(s, config, &context->config);
    if (rc == 0) {
        list_context_attribs(&list, config);
        eglBindAPI(context->api);
        context->handle = eglCreateContext(s->display, s->has_no_config ? EGL_NO_CONFIG_KHR : context->config,
                                           share != NULL ? share->handle : EGL_NO_CONTEXT, list.values);
        if (context->handle == EGL_NO_CONTEXT)
            rc = trace_error_set(TRACE_ERR_IO, "cannot create an OpenGL%s %d.%d context: %s",
                                 config->api == CONTEXT_ES ? " ES" : "", config->major, config->minor,
                                 egl_error_text());
    }
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
    eglMakeCurrent(s->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    current.context = NULL;
    current.draw = current.read = NULL;
}

/* A program that draws to the back buffer of a window is told that it does. Drivers let the only buffer of a
 * pbuffer take its place, but select it as the front buffer at first. */
static void select_back_buffer(struct ws_context *context, struct ws_drawable *draw)
{
    if (draw == NULL || (draw->is_known && context->is_known))
        return;
    draw->is_known = context->is_known = true;
    struct surface_buffers now = surface_buffers_get();
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
    if (!eglMakeCurrent(s->display, draw_surface, read_surface, context->handle))
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "the context cannot draw to this drawable: %s",
                               egl_error_text());
    current.context = context;
    current.draw = draw;
    current.read = read;
    select_back_buffer(context, draw);
    return 0;
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    struct egl_system *s = (struct egl_system *)ws;
    if (current.context == context)
        release(s);
    eglDestroyContext(s->display, context->handle);
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
    return eglCreatePbufferSurface(s->display, drawable->config, attribs);
}

static int create_surface(struct egl_system *s, const struct ws_drawable *drawable, int width, int height,
                          EGLSurface *out)
{
    *out = EGL_NO_SURFACE;
    if (drawable->srgb && s->has_colorspace)
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
    int rc = choose_config(s, &wanted, &drawable->config);
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
    eglDestroySurface(s->display, drawable->surface);
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
    eglSwapBuffers(s->display, drawable->surface);
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
        eglMakeCurrent(s->display, new, old, current.context->handle))
        surface_copy(smaller(width, drawable->width), smaller(height, drawable->height));
    drawable->surface = new;
    drawable->width = width;
    drawable->height = height;
    if (is_current)
        rc = make_current(ws, current.context, current.draw, current.read);
    if (is_current && rc == 0)
        surface_buffers_set(buffers);
    eglDestroySurface(s->display, old);
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
    if (buffers->is_float && !((struct egl_system *)ws)->has_float)
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
    eglTerminate(s->display);
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

static bool has_extension(const char *extensions, const char *name)
{
    return extensions != NULL && strstr(extensions, name) != NULL;
}

int window_system_open_egl(struct window_system **out, const struct window_settings *settings)
{
    struct egl_system *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the window system");
    int rc =
        egl_platform_open(&s->display, settings->driver, s->base.description, sizeof s->base.description);
    if (rc != 0) {
        free(s);
        return rc;
    }
    const char *extensions = eglQueryString(s->display, EGL_EXTENSIONS);
    s->has_no_config = has_extension(extensions, "EGL_KHR_no_config_context") ||
                       has_extension(extensions, "EGL_MESA_configless_context");
    s->has_float = has_extension(extensions, "EGL_EXT_pixel_format_float");
    s->has_colorspace = has_extension(extensions, "EGL_KHR_gl_colorspace");
    s->base.ops = &egl_ops;
    s->base.headless = true;
    s->base.is_offscreen = true;
    *out = &s->base;
    return 0;
}
