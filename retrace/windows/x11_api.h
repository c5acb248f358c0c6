/* SPDX-License-Identifier: MIT
 * The two APIs by which OpenGL draws to windows of X11, behind one interface: GLX and EGL.
 */
#ifndef RETRACE_X11_API_H
#define RETRACE_X11_API_H

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>
#include <stdint.h>

#include "windows/window_system.h"

struct x11_api {
    const struct x11_api_ops *ops;
    Display *display;
    void *egl_display;  /* an EGLDisplay; NULL: this is GLX */
    bool binds_nothing; /* contexts can be current without a surface; of GLX, those of OpenGL 3.0 and later */
};

/* A configuration is a GLXFBConfig or EGLConfig, a context a GLXContext or EGLContext, a surface a GLXWindow
 * or EGLSurface. Functions that return int return 0, or TRACE_ERR_IO with the message set. */
struct x11_api_ops {
    void (*close)(struct x11_api *api);

    /* Finds the configuration for windows that is closest to what is wanted, and its visual. */
    int (*choose_config)(struct x11_api *api, const struct context_config *wanted, void **config,
                         XVisualInfo *visual);

    /* share may be NULL. */
    int (*create_context)(struct x11_api *api, void **out, const struct context_config *wanted, void *config,
                          void *share);
    void (*destroy_context)(struct x11_api *api, void *context);

    int (*create_surface)(struct x11_api *api, uintptr_t *out, void *config, Window window, bool srgb);
    void (*destroy_surface)(struct x11_api *api, uintptr_t surface);

    /* Binds a context to the calling thread, with surfaces, or without any if both are 0. wanted: what it was
     * created with. */
    bool (*make_current)(struct x11_api *api, void *context, const struct context_config *wanted,
                         uintptr_t draw, uintptr_t read);
    /* Releases the current context, which was created with `wanted`. */
    void (*release)(struct x11_api *api, const struct context_config *wanted);

    void (*swap_buffers)(struct x11_api *api, uintptr_t surface);

    /* Swaps of this surface, which is bound for drawing, do not wait for the display any more. */
    void (*disable_vsync)(struct x11_api *api, uintptr_t surface);

    void (*(*get_proc)(const char *name))(void);
};

/* Open the API on this display. The caller owns *out. Errors: TRACE_ERR_IO if there is none. */
int x11_glx_open(struct x11_api **out, Display *display);
int x11_egl_open(struct x11_api **out, Display *display);

#endif
