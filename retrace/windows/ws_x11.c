/* SPDX-License-Identifier: MIT
 * Windows and pbuffers on X11. Contexts belong to GLX or EGL as in the trace, but to EGL where there is no
 * GLX. Any context can draw to any window of its API.
 */
#include "windows/x11_drawable.h"

#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "windows/glx_configs.h"
#include "windows/surface_copy.h"

enum { OWN_SIDE = 32 };

struct x11_system {
    struct window_system base;
    struct x11_screen screen;
    struct x11_api *glx, *egl; /* each is NULL until it is needed, or if there is none */
};

/* What this thread has bound. */
static _Thread_local struct {
    struct ws_context *context;
    struct ws_drawable *draw, *read;
} current;

/* --- contexts --------------------------------------------------------------------------------------- */

static int open_api(struct x11_system *s, bool through_egl, struct x11_api **out)
{
    struct x11_api **api = through_egl ? &s->egl : &s->glx;
    int rc = 0;
    if (*api == NULL)
        rc = through_egl ? x11_egl_open(api, s->screen.display) : x11_glx_open(api, s->screen.display);
    *out = *api;
    return rc;
}

static int try_context(struct x11_system *s, struct ws_context *context, bool through_egl,
                       struct ws_context *share)
{
    int rc = open_api(s, through_egl, &context->api);
    if (rc == 0)
        rc = context->api->ops->choose_config(context->api, &context->wanted, &context->config,
                                              &context->visual);
    return rc != 0 ? rc
                   : context->api->ops->create_context(context->api, &context->handle, &context->wanted,
                                                       context->config, share != NULL ? share->handle : NULL);
}

/* Contexts that share objects must belong to the same API. */
static int create_handle(struct x11_system *s, struct ws_context *context, struct ws_context *share)
{
    enum context_creation creation = s->base.settings.creation;
    if (share != NULL)
        return try_context(s, context, share->api == s->egl, share);
    bool through_egl = creation == CREATE_AS_IN_TRACE ? context->wanted.through_egl || s->glx == NULL
                                                      : creation == CREATE_BY_EGL;
    int rc = try_context(s, context, through_egl, NULL);
    if (rc == 0 || creation != CREATE_AS_IN_TRACE || s->glx == NULL)
        return rc;
    return try_context(s, context, !through_egl, NULL);
}

static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    struct ws_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a context");
    context->wanted = *config;
    int rc = create_handle((struct x11_system *)ws, context, share);
    if (rc != 0) {
        free(context);
        return rc;
    }
    *out = context;
    return 0;
}

static void release(void)
{
    if (current.context != NULL)
        current.context->api->ops->release(current.context->api, &current.context->wanted);
    current.context = NULL;
    current.draw = current.read = NULL;
}

/* --- drawables -------------------------------------------------------------------------------------- */

static int create_drawable(struct window_system *ws, struct ws_drawable **out, struct ws_context *context,
                           const struct buffer_config *buffers, int width, int height)
{
    struct x11_system *s = (struct x11_system *)ws;
    int rc = x11_drawable_open(&s->screen, out, context, buffers, width, height);
    if (rc == 0 && !ws->headless && !x11_drawable_is_pbuffer(*out))
        x11_window_show(&s->screen, &(*out)->window);
    return rc;
}

static void destroy_drawable(struct window_system *ws, struct ws_drawable *drawable)
{
    if (current.draw == drawable || current.read == drawable)
        release();
    x11_drawable_close(&((struct x11_system *)ws)->screen, drawable);
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    if (current.context == context)
        release();
    if (context->own != NULL)
        x11_drawable_close(&((struct x11_system *)ws)->screen, context->own);
    context->api->ops->destroy_context(context->api, context->handle);
    free(context);
}

static void swap_buffers(struct window_system *ws, struct ws_drawable *drawable)
{
    (void)ws;
    drawable->api->ops->swap_buffers(drawable->api, drawable->surface);
}

/* --- what is current -------------------------------------------------------------------------------- */

/* GLX lets contexts of OpenGL 3.0 and later be current without a surface. A context of any version has the
 * latest one. */
static bool can_bind_nothing(const struct ws_context *context)
{
    return context->api->binds_nothing && (context->api->egl_display != NULL || context->wanted.major != 2);
}

/* Without surfaces, drawing is an error, as in the program. If the driver cannot do that, a drawable of the
 * context's own stands for them. */
static int bind(struct x11_system *s, struct ws_context *context, struct ws_drawable *draw,
                struct ws_drawable *read)
{
    struct x11_api *api = context->api;
    if (draw == NULL && read == NULL && can_bind_nothing(context) &&
        api->ops->make_current(api, context->handle, &context->wanted, 0, 0)) {
        context->lacked_surface |= !context->has_drawn;
        return 0;
    }
    int rc = 0;
    if (draw == NULL && context->own == NULL)
        rc = x11_drawable_open(&s->screen, &context->own, context, NULL, OWN_SIDE, OWN_SIDE);
    if (rc != 0)
        return rc;
    uintptr_t draw_surface = draw != NULL ? draw->surface : context->own->surface;
    uintptr_t read_surface = read != NULL ? read->surface : draw_surface;
    return api->ops->make_current(api, context->handle, &context->wanted, draw_surface, read_surface)
               ? 0
               : trace_error_set(TRACE_ERR_UNSUPPORTED, "the context cannot draw to this drawable");
}

/* A context of EGL belongs to no configuration (see egl_contexts.h), so the driver selects its buffers when
 * it gets a surface. If it was bound to nothing before, or the surface is a pbuffer, it draws to the front
 * buffer: which windows of EGL do not have, and which is not what a program with a configuration is told. A
 * pbuffer is read from as it is: Mesa keeps that with the surface. */
static void select_back_buffer(struct ws_context *context, const struct ws_drawable *draw)
{
    bool is_pbuffer = x11_drawable_is_pbuffer(draw);
    bool has_front = !context->has_drawn && (context->lacked_surface || is_pbuffer);
    context->has_drawn = true;
    if (!has_front || context->api->egl_display == NULL || context->wanted.buffers.single_buffered)
        return;
    struct surface_buffers now = surface_buffers_get();
    if (now.draw == GL_FRONT)
        now.draw = GL_BACK;
    if (now.read == GL_FRONT && !is_pbuffer)
        now.read = GL_BACK;
    surface_buffers_set(now);
}

static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    if (current.context != context)
        release();
    if (context == NULL)
        return 0;
    if ((draw != NULL && draw->api != context->api) || (read != NULL && read->api != context->api))
        return trace_error_set(
            TRACE_ERR_UNSUPPORTED,
            "a GLX context cannot draw to an EGL surface, nor an EGL context to a GLX drawable");
    x11_pbuffer_renew(draw); /* or else it keeps its size */
    x11_pbuffer_renew(read);
    int rc = bind((struct x11_system *)ws, context, draw, read);
    if (rc != 0)
        return rc;
    x11_pbuffer_end_previous(draw);
    x11_pbuffer_end_previous(read);
    current.context = context;
    current.draw = draw;
    current.read = read;
    if (draw != NULL)
        select_back_buffer(context, draw);
    if (draw != NULL && !draw->is_free) /* the speed of the replay must not depend on the refresh rate */
        draw->api->ops->disable_vsync(draw->api, draw->surface);
    if (draw != NULL)
        draw->is_free = true;
    return 0;
}

/* --- sizes ------------------------------------------------------------------------------------------ */

/* One that this thread has not bound gets its size when it is bound. */
static int resize_pbuffer(struct window_system *ws, struct ws_drawable *drawable, int width, int height)
{
    drawable->width = width;
    drawable->height = height;
    drawable->has_old_size = true;
    if (current.draw != drawable && current.read != drawable)
        return 0;
    int rc = x11_pbuffer_renew(drawable);
    return rc == 0 ? make_current(ws, current.context, current.draw, current.read) : rc;
}

/* Mesa's software driver queries a window's size when it swaps. Without this swap, it would draw the new
 * frame to buffers of the old size. */
static int resize(struct window_system *ws, struct ws_drawable *drawable, int width, int height, bool keep)
{
    (void)keep;
    if (x11_drawable_is_pbuffer(drawable))
        return resize_pbuffer(ws, drawable, width, height);
    int rc = x11_window_resize(&((struct x11_system *)ws)->screen, &drawable->window, width, height);
    if (rc == 0)
        swap_buffers(ws, drawable);
    return rc;
}

/* --- the rest --------------------------------------------------------------------------------------- */

static void *get_proc(struct window_system *ws, const char *name)
{
    const struct x11_api *api =
        current.context != NULL ? current.context->api : ((struct x11_system *)ws)->egl;
    if (api == NULL)
        return NULL;
    union {
        void (*function)(void);
        void *object;
    } address = {.function = api->ops->get_proc(name)};
    return address.object;
}

/* Windows show colours of fixed point only. */
static const char *find_lacking(struct window_system *ws, const struct buffer_config *buffers)
{
    (void)ws;
    return buffers->is_float ? "floating-point colours" : NULL;
}

static struct egl_handles egl_handles(const struct window_system *ws, const struct ws_context *context)
{
    (void)ws;
    void *display = context->api->egl_display;
    return (struct egl_handles){display, display != NULL ? context->handle : NULL};
}

static bool poll_events(struct window_system *ws, bool wait)
{
    return x11_poll_events(&((struct x11_system *)ws)->screen, wait);
}

static unsigned choose_configs(struct window_system *ws, const int *attribs, struct buffer_config *out,
                               unsigned max)
{
    const struct x11_system *s = (const struct x11_system *)ws;
    return s->glx != NULL ? glx_choose_configs(s->screen.display, attribs, out, max) : 0;
}

static bool choose_visual(struct window_system *ws, const int *attribs, struct buffer_config *out)
{
    const struct x11_system *s = (const struct x11_system *)ws;
    return s->glx != NULL && glx_choose_visual(s->screen.display, attribs, out);
}

static void close_x11(struct window_system *ws)
{
    struct x11_system *s = (struct x11_system *)ws;
    release();
    if (s->glx != NULL)
        s->glx->ops->close(s->glx);
    if (s->egl != NULL)
        s->egl->ops->close(s->egl);
    XCloseDisplay(s->screen.display);
    free(s);
}

static const struct window_system_ops x11_ops = {
    .close = close_x11,
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
    .egl_handles = egl_handles,
    .choose_configs = choose_configs,
    .choose_visual = choose_visual,
    .poll_events = poll_events,
};

int window_system_open_x11(struct window_system **out, const struct window_settings *settings)
{
    struct x11_system *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the window system");
    int rc = x11_screen_open(&s->screen, settings->fullscreen && !settings->headless);
    if (rc != 0) {
        free(s);
        return rc;
    }
    s->base.ops = &x11_ops;
    s->base.headless = settings->headless;
    s->base.settings = *settings;
    snprintf(s->base.description, sizeof s->base.description, "%swindows on X11",
             settings->headless ? "hidden " : "");
    rc = x11_glx_open(&s->glx, s->screen.display);
    if (rc != 0 && settings->creation == CREATE_BY_GLX) {
        close_x11(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}
