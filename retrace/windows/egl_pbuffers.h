/* SPDX-License-Identifier: MIT
 * Drawables of pbuffers, without a display server, and the contexts that draw to them.
 */
#ifndef RETRACE_EGL_PBUFFERS_H
#define RETRACE_EGL_PBUFFERS_H

#include "base/hash_map.h"
#include "windows/egl_contexts.h"
#include "windows/surface_copy.h"
#include "windows/window_system.h"

struct ws_context {
    EGLContext handle;
    EGLConfig config;
    struct context_config wanted;
    EGLenum api;
    bool is_known;                   /* it has been bound to a drawable */
    struct surface_buffers selected; /* at the last egl_front_follow(), if any, but see `reads` */
    struct int_map reads;            /* number of a drawable that it has read: the selected buffer */
};

struct ws_drawable {
    uint64_t number;  /* no other drawable has or had it */
    EGLSurface back;  /* the only one of a drawable without a back buffer */
    EGLSurface front; /* EGL_NO_SURFACE until a context that has selected it is bound */
    EGLConfig config;
    int width, height;
    bool srgb;
    bool is_double;      /* the trace's drawable has a back buffer, which a pbuffer has not */
    bool has_front;      /* which is another buffer */
    bool has_frame;      /* it has been swapped */
    bool front_is_old;   /* it does not show the frame that was swapped last */
    bool depth_in_front; /* where depth and stencil are: in the pbuffer that was drawn to last */
};

/* What a thread has bound. */
struct egl_bindings {
    struct ws_context *context;
    struct ws_drawable *draw, *read;
};

#endif
