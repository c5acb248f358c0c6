/* SPDX-License-Identifier: MIT
 * Where replayed contexts and drawables live: the one interface between the replayer and a window system.
 * An implementation is a table of functions; the replayer never asks which one it has.
 */
#ifndef RETRACE_WINDOW_SYSTEM_H
#define RETRACE_WINDOW_SYSTEM_H

#include <stdbool.h>

enum context_api {
    CONTEXT_GL, /* desktop OpenGL */
    CONTEXT_ES, /* OpenGL ES, any version */
};

enum context_profile {
    PROFILE_ANY, /* versions below 3.2 have no profiles */
    PROFILE_CORE,
    PROFILE_COMPATIBILITY,
};

/* What a context must be able to do. Zero-initialised is desktop OpenGL of whatever version there is. */
struct context_config {
    enum context_api api;
    bool through_egl; /* created by EGL in the trace; otherwise by GLX */
    int major, minor; /* at least this version; 0.0 and 1.0: any */
    enum context_profile profile;
    bool forward_compatible;
    bool debug;
    bool robust;
    bool single_buffered;
};

struct ws_context;  /* an OpenGL context */
struct ws_drawable; /* a window or an off-screen buffer, RGBA8 with depth and stencil */

struct window_system {
    const struct window_system_ops *ops;
    bool headless; /* windows stay invisible */
};

/* Functions returning int return 0, or a negative error code after setting the message: TRACE_ERR_IO when the
 * window system does not give what is needed, TRACE_ERR_UNSUPPORTED for combinations that cannot be. */
struct window_system_ops {
    void (*close)(struct window_system *ws);

    /* share may be NULL. The caller owns *out (destroy_context). */
    int (*create_context)(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share);
    void (*destroy_context)(struct window_system *ws, struct ws_context *context);

    /* A drawable that context, and contexts of the same configuration, can draw to. */
    int (*create_drawable)(struct window_system *ws, struct ws_drawable **out, struct ws_context *context,
                           int width, int height);
    void (*destroy_drawable)(struct window_system *ws, struct ws_drawable *drawable);

    /* Binds context and drawables to the calling thread; context NULL releases what is bound. draw and read
     * are both NULL for a context without drawables. */
    int (*make_current)(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read);

    void (*swap_buffers)(struct window_system *ws, struct ws_drawable *drawable);

    /* Returns once the drawable has the new size. */
    int (*resize)(struct window_system *ws, struct ws_drawable *drawable, int width, int height);

    /* The address of an OpenGL function, NULL if the current context's library does not have it. A context
     * must be current. */
    void *(*get_proc)(struct window_system *ws, const char *name);

    /* Handles window events, so that windows stay responsive; wait: sleeps until there is one.
     * False once the user closed a window. */
    bool (*poll_events)(struct window_system *ws, bool wait);
};

/* Windows by GLFW, on X11. TRACE_ERR_IO when there is no display. */
int window_system_open_glfw(struct window_system **out, bool headless);

#endif
