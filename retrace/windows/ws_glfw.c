/* SPDX-License-Identifier: MIT
 * Windows with GLFW, on X11 or Wayland. In GLFW, each context belongs to a window, whereas in GLX and EGL any
 * context can draw to any drawable. So each context has a hidden window, which the context's first drawable
 * adopts. All other combinations are bound through GLFW's native handles. Contexts belong to GLX or EGL as in
 * the trace, but to EGL where there is no GLX.
 */
#include "windows/window_system.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GLFW_INCLUDE_NONE
#define GLFW_EXPOSE_NATIVE_EGL
#include <GL/glx.h>
#include <EGL/egl.h>
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>

#include "base/error.h"
#include "windows/glx_configs.h"

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
    bool through_egl;
    bool interval_set; /* swaps do not wait for the display any more */
};

/* GLFW's functions for X11, which it does not have if it was built for Wayland only. */
struct x11_functions {
    Display *(*glfwGetX11Display)(void);
    GLXWindow (*glfwGetGLXWindow)(GLFWwindow *);
    GLXContext (*glfwGetGLXContext)(GLFWwindow *);
};

struct glfw_system {
    struct window_system base;
    struct x11_functions x11;
    bool has_glx;
    enum context_creation creation;
    bool closed;     /* the user has closed a window */
    bool fullscreen; /* windows cover the screen */
};

/* What this thread has bound; get_proc uses it. */
static _Thread_local struct ws_context *current;

static bool load_x11(struct x11_functions *x11)
{
    static const char *const names[] = {"glfwGetX11Display", "glfwGetGLXWindow", "glfwGetGLXContext"};
    void *found[sizeof names / sizeof *names];
    _Static_assert(sizeof found == sizeof *x11, "a name for each function");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        found[i] = dlsym(RTLD_DEFAULT, names[i]);
        if (found[i] == NULL)
            return false;
    }
    memcpy(x11, found, sizeof *x11);
    return x11->glfwGetX11Display() != NULL;
}

static int fail(const char *action)
{
    const char *reason = NULL;
    glfwGetError(&reason);
    return trace_error_set(TRACE_ERR_IO, "%s: %s", action,
                           reason != NULL ? reason : "unknown window system error");
}

static void window_unref(struct glfw_window *window)
{
    if (--window->references > 0)
        return;
    glfwDestroyWindow(window->handle);
    free(window);
}

static void set_buffer_hints(const struct buffer_config *b)
{
    glfwWindowHint(GLFW_RED_BITS, b->colour[0]);
    glfwWindowHint(GLFW_GREEN_BITS, b->colour[1]);
    glfwWindowHint(GLFW_BLUE_BITS, b->colour[2]);
    glfwWindowHint(GLFW_ALPHA_BITS, b->colour[3]);
    glfwWindowHint(GLFW_DEPTH_BITS, b->depth);
    glfwWindowHint(GLFW_STENCIL_BITS, b->stencil);
    glfwWindowHint(GLFW_ACCUM_RED_BITS, b->accumulation[0]);
    glfwWindowHint(GLFW_ACCUM_GREEN_BITS, b->accumulation[1]);
    glfwWindowHint(GLFW_ACCUM_BLUE_BITS, b->accumulation[2]);
    glfwWindowHint(GLFW_ACCUM_ALPHA_BITS, b->accumulation[3]);
    glfwWindowHint(GLFW_SAMPLES, b->samples);
    glfwWindowHint(GLFW_AUX_BUFFERS, b->auxiliary);
    glfwWindowHint(GLFW_SRGB_CAPABLE, b->srgb);
    glfwWindowHint(GLFW_STEREO, b->stereo);
    glfwWindowHint(GLFW_DOUBLEBUFFER, !b->single_buffered);
}

static void set_hints(const struct context_config *config)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    set_buffer_hints(&config->buffers);
    glfwWindowHint(GLFW_CLIENT_API, config->api == CONTEXT_ES ? GLFW_OPENGL_ES_API : GLFW_OPENGL_API);
    glfwWindowHint(GLFW_CONTEXT_CREATION_API,
                   config->through_egl ? GLFW_EGL_CONTEXT_API : GLFW_NATIVE_CONTEXT_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, config->major > 0 ? config->major : 1);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, config->major > 0 ? config->minor : 0);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, config->debug);
    if (config->robust || config->lose_on_reset)
        glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS,
                       config->lose_on_reset ? GLFW_LOSE_CONTEXT_ON_RESET : GLFW_NO_RESET_NOTIFICATION);
    glfwWindowHint(GLFW_CONTEXT_NO_ERROR, config->no_error);
    if (config->release_without_flush)
        glfwWindowHint(GLFW_CONTEXT_RELEASE_BEHAVIOR, GLFW_RELEASE_BEHAVIOR_NONE);
    if (config->api == CONTEXT_GL && (config->major > 3 || (config->major == 3 && config->minor >= 2))) {
        static const int profiles[] = {GLFW_OPENGL_ANY_PROFILE, GLFW_OPENGL_CORE_PROFILE,
                                       GLFW_OPENGL_COMPAT_PROFILE};
        glfwWindowHint(GLFW_OPENGL_PROFILE, profiles[config->profile]);
    }
    if (config->api == CONTEXT_GL && config->major >= 3)
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, config->forward_compatible);
}

/* Without the buffers that the program had, others are better than none. */
static GLFWwindow *create_window(const struct context_config *config, GLFWwindow *share, int width,
                                 int height)
{
    static const char title[] = "trace-cli retrace";
    set_hints(config);
    GLFWwindow *handle = glfwCreateWindow(width, height, title, NULL, share);
    if (handle == NULL && glfwGetError(NULL) == GLFW_FORMAT_UNAVAILABLE) {
        set_buffer_hints(&default_buffers);
        handle = glfwCreateWindow(width, height, title, NULL, share);
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
    window->handle = create_window(config, share, width, height);
    if (window->handle == NULL) {
        free(window);
        char action[96];
        snprintf(action, sizeof action, "cannot create an OpenGL%s %d.%d context",
                 config->api == CONTEXT_ES ? " ES" : "", config->major, config->minor);
        return fail(action);
    }
    window->references = 1;
    *out = window;
    return 0;
}

/* Contexts that share objects must belong to the same API. */
static bool uses_egl(const struct glfw_system *system, const struct context_config *config,
                     const struct ws_context *share)
{
    if (share != NULL)
        return share->config.through_egl;
    if (!system->has_glx || system->creation == CREATE_BY_EGL)
        return true;
    return system->creation == CREATE_AS_IN_TRACE && config->through_egl;
}

static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    struct glfw_system *system = (struct glfw_system *)ws;
    GLFWwindow *shared = share != NULL ? share->window->handle : NULL;
    struct ws_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a context");
    context->config = *config;
    context->config.through_egl = uses_egl(system, config, share);
    int rc = window_new(&context->window, &context->config, shared, INITIAL_SIDE, INITIAL_SIDE);
    if (rc != 0 && shared == NULL && system->has_glx && system->creation == CREATE_AS_IN_TRACE) {
        context->config.through_egl = !context->config.through_egl;
        rc = window_new(&context->window, &context->config, NULL, INITIAL_SIDE, INITIAL_SIDE);
    }
    if (rc != 0) {
        free(context);
        return rc;
    }
    *out = context;
    return 0;
}

/* The speed of the replay must not depend on the refresh rate. draw must be bound. */
static void disable_vsync(struct glfw_system *system, struct ws_drawable *draw)
{
    typedef void (*swap_interval_function)(Display *, GLXDrawable, int);
    if (draw->interval_set)
        return;
    draw->interval_set = true;
    if (draw->through_egl) {
        eglSwapInterval(glfwGetEGLDisplay(), 0);
        return;
    }
    union {
        void (*generic)(void);
        swap_interval_function exact;
    } proc = {.generic = glXGetProcAddressARB((const GLubyte *)"glXSwapIntervalEXT")};
    if (proc.exact != NULL && glfwExtensionSupported("GLX_EXT_swap_control"))
        proc.exact(system->x11.glfwGetX11Display(), system->x11.glfwGetGLXWindow(draw->window->handle), 0);
}

static int bind(struct glfw_system *system, struct ws_context *context, struct ws_drawable *draw,
                struct ws_drawable *read)
{
    GLFWwindow *own = context->window->handle;
    GLFWwindow *draw_window = draw != NULL ? draw->window->handle : own;
    GLFWwindow *read_window = read != NULL ? read->window->handle : draw_window;
    if (draw_window == own && read_window == own) {
        glfwMakeContextCurrent(own);
        return 0;
    }
    bool done = false;
    if (context->config.through_egl)
        done = eglMakeCurrent(glfwGetEGLDisplay(), glfwGetEGLSurface(draw_window),
                              glfwGetEGLSurface(read_window), glfwGetEGLContext(own));
    else
        done = glXMakeContextCurrent(
            system->x11.glfwGetX11Display(), system->x11.glfwGetGLXWindow(draw_window),
            system->x11.glfwGetGLXWindow(read_window), system->x11.glfwGetGLXContext(own));
    return done ? 0 : trace_error_set(TRACE_ERR_UNSUPPORTED, "the context cannot draw to this drawable");
}

/* Without surfaces, drawing is an error, as in the program; the context's own window may stand for one that
 * has a picture. If the driver cannot do that, it stays bound. */
static void release_window(const struct ws_context *context)
{
    if (context->config.through_egl)
        eglMakeCurrent(glfwGetEGLDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE,
                       glfwGetEGLContext(context->window->handle));
}

static void unbind(struct glfw_system *system, struct ws_context *context)
{
    /* GLFW does not know about native bindings, so these are also released natively. */
    if (context->config.through_egl)
        eglMakeCurrent(glfwGetEGLDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    else
        glXMakeContextCurrent(system->x11.glfwGetX11Display(), None, None, NULL);
    glfwMakeContextCurrent(NULL);
}

static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    struct glfw_system *system = (struct glfw_system *)ws;
    if (current != NULL && current != context)
        unbind(system, current);
    current = NULL;
    if (context == NULL)
        return 0;
    if ((draw != NULL && draw->through_egl != context->config.through_egl) ||
        (read != NULL && read->through_egl != context->config.through_egl))
        return trace_error_set(
            TRACE_ERR_UNSUPPORTED,
            "a GLX context cannot draw to an EGL surface, nor an EGL context to a GLX drawable");
    int rc = bind(system, context, draw, read);
    if (rc != 0)
        return rc;
    current = context;
    if (draw != NULL)
        disable_vsync(system, draw);
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

static void swap_buffers(struct window_system *ws, struct ws_drawable *drawable)
{
    struct glfw_system *system = (struct glfw_system *)ws;
    GLFWwindow *window = drawable->window->handle;
    /* glfwSwapBuffers() requires the window's own context to be current */
    if (drawable->through_egl)
        eglSwapBuffers(glfwGetEGLDisplay(), glfwGetEGLSurface(window));
    else
        glXSwapBuffers(system->x11.glfwGetX11Display(), system->x11.glfwGetGLXWindow(window));
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
    /* The X server and a window manager, if there is one, reply later, and the driver gets the size from
     * them. */
    for (int i = 0; i < RESIZE_ATTEMPTS; ++i) {
        int now_width, now_height, points_wide, points_high;
        glfwPollEvents();
        glfwGetFramebufferSize(window, &now_width, &now_height);
        if (now_width == width && now_height == height) {
            /* Mesa's software driver queries a window's size when it swaps. Without this swap, it would draw
             * the new frame to buffers of the old size. */
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

static bool has_buffers(const struct ws_context *context, const struct buffer_config *buffers)
{
    const struct buffer_config *own = &context->config.buffers;
    return memcmp(own->colour, buffers->colour, sizeof own->colour) == 0 && own->depth == buffers->depth &&
           own->stencil == buffers->stencil && own->samples == buffers->samples &&
           own->srgb == buffers->srgb &&
           memcmp(own->accumulation, buffers->accumulation, sizeof own->accumulation) == 0 &&
           own->auxiliary == buffers->auxiliary && own->stereo == buffers->stereo &&
           own->single_buffered == buffers->single_buffered;
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
    drawable->through_egl = context->config.through_egl;
    int rc = 0;
    if (!context->adopted && has_buffers(context, &config.buffers)) {
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
    if (current == NULL)
        return NULL;
    union {
        void (*function)(void);
        void *object;
    } address;
    if (current->config.through_egl)
        address.function = eglGetProcAddress(name);
    else
        address.function = glXGetProcAddressARB((const GLubyte *)name);
    return address.object;
}

/* Windows show colours of fixed point only, and GLFW has nothing else. */
static const char *find_lacking(struct window_system *ws, const struct buffer_config *buffers)
{
    (void)ws;
    return buffers->is_float ? "floating-point colours" : NULL;
}

static bool is_egl(const struct ws_context *context)
{
    return context->config.through_egl;
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

static unsigned choose_configs(struct window_system *ws, const int *attribs, struct buffer_config *out,
                               unsigned max)
{
    const struct glfw_system *system = (const struct glfw_system *)ws;
    return system->has_glx ? glx_choose_configs(system->x11.glfwGetX11Display(), attribs, out, max) : 0;
}

static bool choose_visual(struct window_system *ws, const int *attribs, struct buffer_config *out)
{
    const struct glfw_system *system = (const struct glfw_system *)ws;
    return system->has_glx && glx_choose_visual(system->x11.glfwGetX11Display(), attribs, out);
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
    .is_egl = is_egl,
    .choose_configs = choose_configs,
    .choose_visual = choose_visual,
    .poll_events = poll_events,
};

int window_system_open_glfw(struct window_system **out, const struct window_settings *settings)
{
    /* GLFW prepares for text, which nobody enters: reading the rules of the compose key would take half of
     * its time. */
    setenv("XCOMPOSEFILE", "/dev/null", 0);
    if (!glfwInit())
        return fail("cannot open a window system (is DISPLAY or WAYLAND_DISPLAY set? --headless needs none)");
    struct glfw_system *system = calloc(1, sizeof *system);
    if (system == NULL) {
        glfwTerminate();
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the window system");
    }
    system->base.ops = &glfw_ops;
    system->base.headless = settings->headless;
    system->fullscreen = settings->fullscreen && !settings->headless;
    bool is_x11 = load_x11(&system->x11);
    system->creation = settings->creation;
    system->has_glx = is_x11 && glXQueryExtension(system->x11.glfwGetX11Display(), NULL, NULL);
    snprintf(system->base.description, sizeof system->base.description, "%swindows on %s",
             settings->headless ? "hidden " : "", is_x11 ? "X11" : "Wayland");
    if (settings->creation == CREATE_BY_GLX && !system->has_glx) {
        close_glfw(&system->base);
        return trace_error_set(TRACE_ERR_IO, "there is no GLX on %s", is_x11 ? "this display" : "Wayland");
    }
    *out = &system->base;
    return 0;
}
