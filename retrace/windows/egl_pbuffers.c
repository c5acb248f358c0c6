/* SPDX-License-Identifier: MIT */
#include "windows/egl_pbuffers.h"

#include <EGL/eglext.h>

#include "base/error.h"

static EGLSurface try_pbuffer(const struct egl_screen *s, const struct ws_drawable *drawable, int width,
                              int height, bool srgb)
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

int egl_create_pbuffer(const struct egl_screen *s, const struct ws_drawable *drawable, int width, int height,
                       EGLSurface *out)
{
    *out = EGL_NO_SURFACE;
    if (drawable->srgb && s->has_colorspace)
        *out = try_pbuffer(s, drawable, width, height, true);
    if (*out == EGL_NO_SURFACE)
        *out = try_pbuffer(s, drawable, width, height, false);
    return *out != EGL_NO_SURFACE ? 0
                                  : trace_error_set(TRACE_ERR_IO, "cannot create a drawable of %dx%d: %s",
                                                    width, height, egl_error_text());
}
