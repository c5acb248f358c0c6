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

/* A configuration is a GLXFBConfig or EGLConfig, a context a GLXContext or EGLContext, a surface a GLXWindow,
 * GLXPbuffer or EGLSurface. Functions that return int return 0, or TRACE_ERR_IO with the message set. */
struct x11_api_ops {
    void (*close)(struct x11_api *api);

    /* Finds the configuration that is closest to what is wanted: one for windows, and its visual, unless
     * wanted->buffers.pbuffers_only, when it may be one without; then visual->depth is 0. */
    int (*choose_config)(struct x11_api *api, const struct context_config *wanted, void **config,
                         XVisualInfo *visual);

    /* share may be NULL. */
    int (*create_context)(struct x11_api *api, void **out, const struct context_config *wanted, void *config,
                          void *share);
    void (*destroy_context)(struct x11_api *api, void *context);

    /* buffers: what is wanted beyond the configuration. */
    int (*create_surface)(struct x11_api *api, uintptr_t *out, void *config, Window window,
                          const struct buffer_config *buffers);
    void (*destroy_surface)(struct x11_api *api, uintptr_t surface);

    /* The size is in pixels. buffers: likewise. */
    int (*create_pbuffer)(struct x11_api *api, uintptr_t *out, void *config,
                          const struct buffer_config *buffers, int width, int height);
    void (*destroy_pbuffer)(struct x11_api *api, uintptr_t pbuffer);

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
