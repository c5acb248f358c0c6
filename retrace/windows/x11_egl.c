/* SPDX-License-Identifier: MIT
 * EGL on X11.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>

#include "base/error.h"
#include "windows/egl_contexts.h"
#include "windows/x11_api.h"

struct x11_egl {
    struct x11_api base;
    struct egl_screen screen;
};

static struct egl_screen *screen_of(struct x11_api *api)
{
    return &((struct x11_egl *)api)->screen;
}

static int choose_config(struct x11_api *api, const struct context_config *wanted, void **config,
                         XVisualInfo *visual)
{
    const struct egl_screen *s = screen_of(api);
    EGLint id = 0;
    int count = 0;
    int rc = egl_choose_config(s, wanted, config);
    if (rc != 0)
        return rc;
    eglGetConfigAttrib(s->display, *config, EGL_NATIVE_VISUAL_ID, &id);
    XVisualInfo *found =
        XGetVisualInfo(api->display, VisualIDMask, &(XVisualInfo){.visualid = (VisualID)id}, &count);
    if (found == NULL)
        return trace_error_set(TRACE_ERR_IO, "the X server has no visual 0x%x, which EGL wants",
                               (unsigned)id);
    *visual = *found;
    XFree(found);
    return 0;
}

static int create_context(struct x11_api *api, void **out, const struct context_config *wanted, void *config,
                          void *share)
{
    return egl_create_context(screen_of(api), out, wanted, config, share);
}

static void destroy_context(struct x11_api *api, void *context)
{
    eglDestroyContext(screen_of(api)->display, context);
}

static EGLSurface try_surface(const struct egl_screen *s, EGLConfig config, Window window, bool srgb,
                              bool single_buffered)
{
    EGLint attribs[5], n = 0;
    if (srgb) {
        attribs[n++] = EGL_GL_COLORSPACE_KHR;
        attribs[n++] = EGL_GL_COLORSPACE_SRGB_KHR;
    }
    if (single_buffered) {
        attribs[n++] = EGL_RENDER_BUFFER;
        attribs[n++] = EGL_SINGLE_BUFFER;
    }
    attribs[n] = EGL_NONE;
    return eglCreateWindowSurface(s->display, config, window, attribs);
}

static int create_surface(struct x11_api *api, uintptr_t *out, void *config, Window window,
                          const struct buffer_config *buffers)
{
    const struct egl_screen *s = screen_of(api);
    EGLSurface surface = EGL_NO_SURFACE;
    if (buffers->srgb && s->has_colorspace)
        surface = try_surface(s, config, window, true, buffers->single_buffered);
    if (surface == EGL_NO_SURFACE)
        surface = try_surface(s, config, window, false, buffers->single_buffered);
    *out = (uintptr_t)surface;
    return surface != EGL_NO_SURFACE
               ? 0
               : trace_error_set(TRACE_ERR_IO, "EGL cannot draw to a window: %s", egl_error_text());
}

static void destroy_surface(struct x11_api *api, uintptr_t surface)
{
    eglDestroySurface(screen_of(api)->display, (EGLSurface)surface);
}

static int create_pbuffer(struct x11_api *api, uintptr_t *out, void *config,
                          const struct buffer_config *buffers, int width, int height)
{
    EGLSurface surface = EGL_NO_SURFACE;
    int rc = egl_create_pbuffer(screen_of(api), config, buffers->srgb, width, height, &surface);
    *out = (uintptr_t)surface;
    return rc;
}

static bool make_current(struct x11_api *api, void *context, const struct context_config *wanted,
                         uintptr_t draw, uintptr_t read)
{
    eglBindAPI(egl_api(wanted));
    return eglMakeCurrent(screen_of(api)->display, (EGLSurface)draw, (EGLSurface)read, context);
}

/* EGL keeps current contexts by API. */
static void release(struct x11_api *api, const struct context_config *wanted)
{
    eglBindAPI(egl_api(wanted));
    eglMakeCurrent(screen_of(api)->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

static void swap_buffers(struct x11_api *api, uintptr_t surface)
{
    eglSwapBuffers(screen_of(api)->display, (EGLSurface)surface);
}

static void disable_vsync(struct x11_api *api, uintptr_t surface)
{
    (void)surface;
    eglSwapInterval(screen_of(api)->display, 0);
}

static void close_egl(struct x11_api *api)
{
    eglTerminate(screen_of(api)->display);
    free(api);
}

static const struct x11_api_ops ops = {
    .close = close_egl,
    .choose_config = choose_config,
    .create_context = create_context,
    .destroy_context = destroy_context,
    .create_surface = create_surface,
    .destroy_surface = destroy_surface,
    .create_pbuffer = create_pbuffer,
    .destroy_pbuffer = destroy_surface,
    .make_current = make_current,
    .release = release,
    .swap_buffers = swap_buffers,
    .disable_vsync = disable_vsync,
    .get_proc = eglGetProcAddress,
};

int x11_egl_open(struct x11_api **out, Display *display)
{
    EGLDisplay egl = eglGetDisplay(display);
    if (egl == EGL_NO_DISPLAY || !eglInitialize(egl, NULL, NULL))
        return trace_error_set(TRACE_ERR_IO, "there is no EGL on this display: %s", egl_error_text());
    struct x11_egl *e = calloc(1, sizeof *e);
    if (e == NULL) {
        eglTerminate(egl);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the window system");
    }
    egl_screen_init(&e->screen, egl, EGL_WINDOW_BIT);
    e->base = (struct x11_api){
        .ops = &ops, .display = display, .egl_display = egl, .binds_nothing = e->screen.has_surfaceless};
    *out = &e->base;
    return 0;
}
