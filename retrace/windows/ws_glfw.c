/* SPDX-License-Identifier: MIT
 * Windows on Wayland, by GLFW. In GLFW, each context belongs to a window, whereas in EGL any context can draw
 * to any surface. So each context has a hidden window, which the context's first drawable adopts. All other
 * combinations are bound through GLFW's native handles. There is no GLX: all contexts belong to EGL.
 */
#include "windows/window_system.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GLFW_INCLUDE_NONE
#define GLFW_EXPOSE_NATIVE_EGL
#include <EGL/egl.h>
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>

#include "base/error.h"
#include "windows/buffer_distance.h"
#include "windows/glfw_hints.h"

enum { INITIAL_SIDE = 32, RESIZE_ATTEMPTS = 200 };

/* A window is freed when both the context that it was created for and the drawable that adopted it are gone.
 */
struct glfw_window {
    GLFWwindow *handle;
    unsigned references;
};

struct ws_context {
    struct glfw_window *window;
    struct context_config config;
    bool adopted; /* a drawable uses the window, or has used it */
};

struct ws_drawable {
    struct glfw_window *window;
    bool interval_set; /* swaps do not wait for the display any more */
};

struct glfw_system {
    struct window_system base;
    bool closed;     /* the user has closed a window */
    bool fullscreen; /* windows cover the screen */
};

/* What this thread has bound; get_proc uses it. */
static _Thread_local struct ws_context *current;

/* reason: of GLFW, or NULL */
static int fail_for(const char *action, const char *reason)
{
    return trace_error_set(TRACE_ERR_IO, "%s: %s", action,
                           reason != NULL ? reason : "unknown window system error");
}

static int fail(const char *action)
{
    const char *reason = NULL;
    glfwGetError(&reason);
    return fail_for(action, reason);
}

static void window_unref(struct glfw_window *window)
{
    if (--window->references > 0)
        return;
    glfwDestroyWindow(window->handle);
    free(window);
}

/* Without the buffers that the program had, others are better than none. *reason: why there is no window */
static GLFWwindow *create_window(const struct context_config *config, GLFWwindow *share, int width,
                                 int height, const char **reason)
{
    static const char title[] = "trace-cli retrace";
    glfw_hint_window(config);
    GLFWwindow *handle = glfwCreateWindow(width, height, title, NULL, share);
    if (handle == NULL && glfwGetError(reason) == GLFW_FORMAT_UNAVAILABLE) {
        glfw_hint_buffers(&default_buffers);
        handle = glfwCreateWindow(width, height, title, NULL, share);
        if (handle == NULL)
            glfwGetError(reason);
    }
    return handle;
}

/* The window is invisible. *out has one reference. */
static int window_new(struct glfw_window **out, const struct context_config *config, GLFWwindow *share,
                      int width, int height)
{
    struct glfw_window *window = calloc(1, sizeof *window);
    if (window == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a window");
    const char *reason = NULL;
    window->handle = create_window(config, share, width, height, &reason);
    if (window->handle == NULL) {
        free(window);
        char action[96];
        snprintf(action, sizeof action, "cannot create an OpenGL%s %d.%d context",
                 config->api == CONTEXT_ES ? " ES" : "", config->major, config->minor);
        return fail_for(action, reason);
    }
    window->references = 1;
    *out = window;
    return 0;
}

static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    GLFWwindow *shared = share != NULL ? share->window->handle : NULL;
    struct ws_context *context = calloc(1, sizeof *context);
    (void)ws;
    if (context == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a context");
    context->config = *config;
    int rc = window_new(&context->window, &context->config, shared, INITIAL_SIDE, INITIAL_SIDE);
    if (rc != 0) {
        free(context);
        return rc;
    }
    *out = context;
    return 0;
}

/* The speed of the replay must not depend on the refresh rate. draw must be bound. */
static void disable_vsync(struct ws_drawable *draw)
{
    if (!draw->interval_set)
        eglSwapInterval(glfwGetEGLDisplay(), 0);
    draw->interval_set = true;
}

static int bind(struct ws_context *context, struct ws_drawable *draw, struct ws_drawable *read)
{
    GLFWwindow *own = context->window->handle;
    GLFWwindow *draw_window = draw != NULL ? draw->window->handle : own;
    GLFWwindow *read_window = read != NULL ? read->window->handle : draw_window;
    if (draw_window == own && read_window == own) {
        glfwMakeContextCurrent(own);
        return 0;
    }
    return eglMakeCurrent(glfwGetEGLDisplay(), glfwGetEGLSurface(draw_window), glfwGetEGLSurface(read_window),
                          glfwGetEGLContext(own))
               ? 0
               : trace_error_set(TRACE_ERR_UNSUPPORTED, "the context cannot draw to this drawable");
}

/* Without surfaces, drawing is an error, as in the program; the context's own window may stand for one that
 * has a picture. If the driver cannot do that, it stays bound. */
static void release_window(const struct ws_context *context)
{
    eglMakeCurrent(glfwGetEGLDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE,
                   glfwGetEGLContext(context->window->handle));
}

static void unbind(void)
{
    /* GLFW does not know about native bindings, so these are also released natively. */
    eglMakeCurrent(glfwGetEGLDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    glfwMakeContextCurrent(NULL);
}

static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    (void)ws;
    if (current != NULL && current != context)
        unbind();
    current = NULL;
    if (context == NULL)
        return 0;
    int rc = bind(context, draw, read);
    if (rc != 0)
        return rc;
    current = context;
    if (draw != NULL)
        disable_vsync(draw);
    else if (read == NULL)
        release_window(context);
    return 0;
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    if (current == context)
        make_current(ws, NULL, NULL, NULL);
    window_unref(context->window);
    free(context);
}

static void on_close(GLFWwindow *window)
{
    struct glfw_system *system = glfwGetWindowUserPointer(window);
    system->closed = true;
}

/* glfwSwapBuffers() requires the window's own context to be current. */
static void swap_buffers(struct window_system *ws, struct ws_drawable *drawable)
{
    (void)ws;
    eglSwapBuffers(glfwGetEGLDisplay(), glfwGetEGLSurface(drawable->window->handle));
}

static int resize(struct window_system *ws, struct ws_drawable *drawable, int width, int height, bool keep)
{
    (void)keep;
    GLFWwindow *window = drawable->window->handle;
    glfwSetWindowSize(window, width, height);
    if (((struct glfw_system *)ws)->fullscreen) {
        /* The screen has the mode that is closest, so the window may be larger. */
        glfwPollEvents();
        swap_buffers(ws, drawable);
        return 0;
    }
    /* The compositor replies later. */
    for (int i = 0; i < RESIZE_ATTEMPTS; ++i) {
        int now_width, now_height, points_wide, points_high;
        glfwPollEvents();
        glfwGetFramebufferSize(window, &now_width, &now_height);
        if (now_width == width && now_height == height) {
            /* Without this swap, Mesa would draw the new frame to buffers of the old size. */
            swap_buffers(ws, drawable);
            return 0;
        }
        glfwGetWindowSize(window, &points_wide, &points_high);
        if (points_wide == width && points_high == height && now_width > 0) /* the screen is scaled */
            glfwSetWindowSize(window, (int)((int64_t)width * width / now_width),
                              (int)((int64_t)height * width / now_width));
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "the window manager refused a window of %dx%d", width,
                           height);
}

static void show(struct window_system *ws, GLFWwindow *window, int width, int height)
{
    glfwShowWindow(window);
    if (((struct glfw_system *)ws)->fullscreen && glfwGetPrimaryMonitor() != NULL)
        glfwSetWindowMonitor(window, glfwGetPrimaryMonitor(), 0, 0, width, height, GLFW_DONT_CARE);
}

static int create_drawable(struct window_system *ws, struct ws_drawable **out, struct ws_context *context,
                           const struct buffer_config *buffers, int width, int height)
{
    struct context_config config = context->config;
    if (buffers != NULL)
        config.buffers = *buffers;
    struct ws_drawable *drawable = calloc(1, sizeof *drawable);
    if (drawable == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a drawable");
    int rc = 0;
    if (!context->adopted && buffers_are_equal(&context->config.buffers, &config.buffers)) {
        context->adopted = true;
        drawable->window = context->window;
        drawable->window->references++;
        if (width != INITIAL_SIDE || height != INITIAL_SIDE)
            rc = resize(ws, drawable, width, height, false);
    } else {
        rc = window_new(&drawable->window, &config, NULL, width, height);
    }
    if (rc != 0) {
        if (drawable->window != NULL)
            window_unref(drawable->window);
        free(drawable);
        return rc;
    }
    glfwSetWindowUserPointer(drawable->window->handle, ws);
    glfwSetWindowCloseCallback(drawable->window->handle, on_close);
    if (!ws->headless)
        show(ws, drawable->window->handle, width, height);
    *out = drawable;
    return 0;
}

static void destroy_drawable(struct window_system *ws, struct ws_drawable *drawable)
{
    (void)ws;
    glfwHideWindow(drawable->window->handle);
    window_unref(drawable->window);
    free(drawable);
}

static void *get_proc(struct window_system *ws, const char *name)
{
    (void)ws;
    union {
        void (*function)(void);
        void *object;
    } address = {.function = eglGetProcAddress(name)};
    return address.object;
}

/* Windows show colours of fixed point only, and GLFW has nothing else. */
static const char *find_lacking(struct window_system *ws, const struct buffer_config *buffers)
{
    (void)ws;
    return buffers->is_float ? "floating-point colours" : NULL;
}

static struct egl_handles egl_handles(const struct window_system *ws, const struct ws_context *context)
{
    (void)ws;
    return (struct egl_handles){glfwGetEGLDisplay(), glfwGetEGLContext(context->window->handle)};
}

static bool poll_events(struct window_system *ws, bool wait)
{
    struct glfw_system *system = (struct glfw_system *)ws;
    if (wait)
        glfwWaitEventsTimeout(0.1); /* a signal does not end it */
    else
        glfwPollEvents();
    return !system->closed;
}

static void close_glfw(struct window_system *ws)
{
    glfwTerminate();
    free(ws);
}

static const struct window_system_ops glfw_ops = {
    .close = close_glfw,
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
    .egl_handles = egl_handles,
    .poll_events = poll_events,
};

int window_system_open_glfw(struct window_system **out, const struct window_settings *settings)
{
    /* GLFW prepares for text, which nobody enters: reading the rules of the compose key would take half of
     * its time. */
    setenv("XCOMPOSEFILE", "/dev/null", 0);
#ifdef GLFW_PLATFORM_WAYLAND
    glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_WAYLAND);
#endif
    if (!glfwInit())
        return fail("Wayland");
    if (settings->creation == CREATE_BY_GLX) {
        glfwTerminate();
        return trace_error_set(TRACE_ERR_IO, "there is no GLX on Wayland");
    }
    struct glfw_system *system = calloc(1, sizeof *system);
    if (system == NULL) {
        glfwTerminate();
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the window system");
    }
    system->base.ops = &glfw_ops;
    system->base.headless = settings->headless;
    system->fullscreen = settings->fullscreen && !settings->headless;
    snprintf(system->base.description, sizeof system->base.description, "%swindows on Wayland",
             settings->headless ? "hidden " : "");
    *out = &system->base;
    return 0;
}
