/* SPDX-License-Identifier: MIT
 * Drawables on X11, and the contexts that draw to them. Pbuffers stand for those of EGL, and for all that has
 * a configuration without a visual; other drawables are windows.
 */
#ifndef RETRACE_X11_DRAWABLE_H
#define RETRACE_X11_DRAWABLE_H

#include "windows/x11_api.h"
#include "windows/x11_window.h"

struct ws_context {
    struct x11_api *api;
    void *handle, *config;
    XVisualInfo visual; /* depth 0: the configuration has none */
    struct context_config wanted;
    struct ws_drawable *own; /* an invisible drawable that stands for none; NULL until it is needed */
    bool has_drawn;          /* it has been bound to a surface */
    bool lacked_surface;     /* it has been bound to nothing before */
};

struct ws_drawable {
    struct x11_api *api;
    struct x11_window window; /* id None: it is a pbuffer */
    uintptr_t surface;
    bool is_free; /* swaps do not wait for the display any more */
    /* of pbuffers: */
    void *config;
    struct buffer_config buffers;
    int width, height;
    bool has_old_size;  /* the surface has not got this width and height yet */
    uintptr_t previous; /* the surface that was there before, which may be bound; 0: none */
};

/* Creates an invisible drawable that fits the context. buffers: NULL: those of the context. The sizes are in
 * pixels. Errors: TRACE_ERR_IO. */
int x11_drawable_open(struct x11_screen *screen, struct ws_drawable **out, const struct ws_context *context,
                      const struct buffer_config *buffers, int width, int height);

/* It must not be bound to the calling thread. */
void x11_drawable_close(struct x11_screen *screen, struct ws_drawable *drawable);

bool x11_drawable_is_pbuffer(const struct ws_drawable *drawable);

/* A pbuffer keeps its size, so another one takes its place if the drawable's size has changed. drawable may
 * be NULL. The caller binds the new one, and then ends the old one by x11_pbuffer_end_previous(). Errors:
 * TRACE_ERR_IO; then the old one stays. */
int x11_pbuffer_renew(struct ws_drawable *drawable);
void x11_pbuffer_end_previous(struct ws_drawable *drawable);

#endif
