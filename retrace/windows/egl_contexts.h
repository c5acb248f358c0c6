/* SPDX-License-Identifier: MIT
 * Configurations, contexts and pbuffers of EGL, for windows and for off-screen buffers alike.
 */
#ifndef RETRACE_EGL_CONTEXTS_H
#define RETRACE_EGL_CONTEXTS_H

#include <EGL/egl.h>

#include "windows/window_system.h"

struct egl_screen {
    EGLDisplay display; /* initialised; the caller terminates it */
    EGLint surface_bit; /* the kind of surface that configurations must have */
    bool has_no_config; /* contexts need no configuration of their own */
    bool has_surfaceless;
    bool has_float, has_colorspace;
};

/* Finds out what the display can do. surface_bit: EGL_WINDOW_BIT or EGL_PBUFFER_BIT. */
void egl_screen_init(struct egl_screen *s, EGLDisplay display, EGLint surface_bit);

/* Finds the configuration that is closest to what is wanted. Errors: TRACE_ERR_IO if there is none. */
int egl_choose_config(const struct egl_screen *s, const struct context_config *wanted, EGLConfig *out);

/* The API that the context belongs to, for eglBindAPI(). */
EGLenum egl_api(const struct context_config *wanted);

/* share may be EGL_NO_CONTEXT. Errors: TRACE_ERR_IO. */
int egl_create_context(const struct egl_screen *s, EGLContext *out, const struct context_config *wanted,
                       EGLConfig config, EGLContext share);

/* Creates a pbuffer of this size in pixels. srgb: if the display can do that. Errors: TRACE_ERR_IO; then *out
 * is EGL_NO_SURFACE. */
int egl_create_pbuffer(const struct egl_screen *s, EGLConfig config, bool srgb, int width, int height,
                       EGLSurface *out);

/* Returns what the last error means, for users. */
const char *egl_error_text(void);

#endif
