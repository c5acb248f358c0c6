/* SPDX-License-Identifier: MIT
 * The interface between the replayer and a window system, in which contexts and drawables are created. An
 * implementation is a table of functions. The replayer never asks which one it has.
 */
#ifndef RETRACE_WINDOW_SYSTEM_H
#define RETRACE_WINDOW_SYSTEM_H

#include <stdbool.h>

#include "windows/driver_choice.h"

enum context_api {
    CONTEXT_GL, /* desktop OpenGL */
    CONTEXT_ES, /* OpenGL ES of any version */
};

enum context_profile {
    PROFILE_ANY, /* versions below 3.2 have no profiles */
    PROFILE_CORE,
    PROFILE_COMPATIBILITY,
};

/* The buffers of a drawable. Sizes are in bits of a pixel; a window system takes what is closest. */
struct buffer_config {
    int colour[4]; /* red, green, blue, alpha */
    int depth, stencil;
    int accumulation[4];
    int samples;   /* of a pixel; 0: no multisampling */
    int auxiliary; /* number of auxiliary buffers */
    bool srgb;     /* can encode sRGB */
    bool is_float;
    bool deepest; /* depth is the least; GLX gives the program the deepest buffer that there is */
    bool stereo;
    bool single_buffered;
    bool pbuffers_only; /* windows cannot have them: the configuration has no visual */
    bool front_is_back; /* whatever it is called, there is one buffer: a pbuffer of EGL (EGL 1.5, 2.2.2) */
};

/* Of drawables about which the trace does not tell anything. */
static const struct buffer_config default_buffers = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8};

/* The requirements for a context. Zero-initialised: desktop OpenGL of any version. */
struct context_config {
    enum context_api api;
    bool through_egl; /* created by EGL in the trace; otherwise by GLX */
    int major, minor; /* the minimum version; 0.0 and 1.0: any */
    enum context_profile profile;
    bool forward_compatible;
    bool debug;
    bool robust;                  /* out-of-bounds accesses have defined results */
    bool lose_on_reset;           /* the program asked to be notified of resets of the GPU */
    bool no_error;                /* errors have undefined results */
    bool release_without_flush;   /* commands may be left unfinished when the context is released */
    struct buffer_config buffers; /* of the drawables */
};

/* The API that contexts and drawables of windows belong to. */
enum context_creation {
    CREATE_AS_IN_TRACE, /* or by the other API, if that one cannot */
    CREATE_BY_GLX,
    CREATE_BY_EGL,
};

/* What the user wants. */
struct window_settings {
    bool headless;
    bool fullscreen; /* windows cover the screen */
    enum driver_kind driver;
    enum context_creation creation;
};

/* An EGLDisplay and an EGLContext. */
struct egl_handles {
    void *display, *context;
};

struct ws_context;  /* an OpenGL context */
struct ws_drawable; /* a window or off-screen buffer */

struct window_system {
    const struct window_system_ops *ops;
    bool is_offscreen; /* drawables have one buffer, and configurations that no program chose */
    bool headless;     /* windows stay invisible, or there are none */
    /* What stands for the back buffer of a drawable is the front buffer for the driver. */
    bool back_is_front;
    struct window_settings settings;
    char description[96]; /* what it is, for users */
};

/* Functions that return int return 0, or a negative error code with the message set: TRACE_ERR_IO if the
 * window system cannot provide something, TRACE_ERR_UNSUPPORTED for impossible combinations. */
struct window_system_ops {
    void (*close)(struct window_system *ws);

    /* share may be NULL. The caller owns *out and frees it with destroy_context(). */
    int (*create_context)(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share);
    void (*destroy_context)(struct window_system *ws, struct ws_context *context);

    /* Creates a drawable for context, and for contexts with the same configuration. buffers: NULL: those of
     * the context. */
    int (*create_drawable)(struct window_system *ws, struct ws_drawable **out, struct ws_context *context,
                           const struct buffer_config *buffers, int width, int height);
    void (*destroy_drawable)(struct window_system *ws, struct ws_drawable *drawable);

    /* Binds a context and drawables to the calling thread. If context is NULL, releases the current ones.
     * draw and read may both be NULL, for a context without drawables. */
    int (*make_current)(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read);

    void (*swap_buffers)(struct window_system *ws, struct ws_drawable *drawable);

    /* Returns when the drawable has the new size. keep: something has been drawn to it since the last swap,
     * which should stay, at the lower left. A window may lose it. */
    int (*resize)(struct window_system *ws, struct ws_drawable *drawable, int width, int height, bool keep);

    /* Call it when the context may have selected other buffers of the bound drawables, if each of their
     * buffers is a drawable for the driver. It causes no OpenGL errors. NULL if the driver has all buffers.
     */
    int (*follow_buffers)(struct window_system *ws);

    /* Binds what has depth and stencil of the drawable that is read from; begin false: what the context has
     * selected again. Returns true if that is another one. NULL if follow_buffers is. */
    bool (*read_depth)(struct window_system *ws, bool begin);

    /* Call it after a swap. keep: the drawable gets a front buffer, even if nothing has selected it yet. It
     * causes no OpenGL errors. NULL if follow_buffers is. */
    int (*show_frame)(struct window_system *ws, struct ws_drawable *drawable, bool keep);

    /* Returns the address of an OpenGL function, or NULL if the library of the current context does not have
     * it. Without a current context: the address of an EGL function, if there are contexts of EGL. */
    void *(*get_proc)(struct window_system *ws, const char *name);

    /* Returns how many configurations a program gets that asks GLX for these attributes, which end with 0,
     * and at most max of them in the order of GLX; attribs NULL: how many there are (glXGetFBConfigs()). 0:
     * the window system does not know. The second does the same for glXChooseVisual(). Both may be NULL. */
    unsigned (*choose_configs)(struct window_system *ws, const int *attribs, struct buffer_config *out,
                               unsigned max);
    bool (*choose_visual)(struct window_system *ws, const int *attribs, struct buffer_config *out);

    /* Returns what drawables with these buffers would lack here, for users; NULL: nothing that another window
     * system might have. May be NULL. */
    const char *(*find_lacking)(struct window_system *ws, const struct buffer_config *buffers);

    /* window_system_replace(). NULL if find_lacking is. */
    int (*replace)(struct window_system **ws, const struct buffer_config *buffers);

    /* Returns the handles of a context that belongs to EGL here, whatever it was in the trace; NULLs for any
     * other. */
    struct egl_handles (*egl_handles)(const struct window_system *ws, const struct ws_context *context);

    /* Handles window events, so that windows stay responsive. wait: sleeps until there is an event, or
     * for a moment. Returns false if the user has closed a window. */
    bool (*poll_events)(struct window_system *ws, bool wait);
};

/* Opens windows on X11, which settings->headless hides. Errors: TRACE_ERR_IO if there is no X server. */
int window_system_open_x11(struct window_system **out, const struct window_settings *settings);

/* Opens windows on Wayland by GLFW, which settings->headless hides. Errors: TRACE_ERR_IO if there is no
 * Wayland compositor, or GLFW was built without Wayland. */
int window_system_open_glfw(struct window_system **out, const struct window_settings *settings);

/* Opens EGL without a display server. All drawables are off-screen buffers. Errors: TRACE_ERR_IO if EGL has
 * no platform that works without a display server, or none with such a driver. */
int window_system_open_egl(struct window_system **out, const struct window_settings *settings);

/* Opens windows; if settings->headless, EGL without a display server (unless contexts must be of GLX), or
 * else hidden windows. */
int window_system_open(struct window_system **out, const struct window_settings *settings);

/* Replaces *ws, which has no contexts or drawables, by one whose drawables have these buffers: windows by EGL
 * without a display server, or the reverse. Errors: TRACE_ERR_UNSUPPORTED if there is none; then *ws stays.
 */
int window_system_replace(struct window_system **ws, const struct buffer_config *buffers);

#endif
