/* SPDX-License-Identifier: MIT */
#include "windows/x11_drawable.h"

#include <stdlib.h>

#include "base/error.h"
#include "windows/buffer_distance.h"

bool x11_drawable_is_pbuffer(const struct ws_drawable *drawable)
{
    return drawable->window.id == None;
}

/* --- pbuffers --------------------------------------------------------------------------------------- */

static int create_pbuffer(struct ws_drawable *drawable, uintptr_t *out)
{
    return drawable->api->ops->create_pbuffer(drawable->api, out, drawable->config, &drawable->buffers,
                                              drawable->width, drawable->height);
}

static int open_pbuffer(struct ws_drawable *drawable, int width, int height)
{
    drawable->width = width;
    drawable->height = height;
    drawable->is_free = true; /* nobody sees its swaps */
    return create_pbuffer(drawable, &drawable->surface);
}

void x11_pbuffer_end_previous(struct ws_drawable *drawable)
{
    if (drawable == NULL || drawable->previous == 0)
        return;
    drawable->api->ops->destroy_pbuffer(drawable->api, drawable->previous);
    drawable->previous = 0;
}

int x11_pbuffer_renew(struct ws_drawable *drawable)
{
    uintptr_t surface;
    if (drawable == NULL || !drawable->has_old_size)
        return 0;
    drawable->has_old_size = false;
    x11_pbuffer_end_previous(drawable);
    int rc = create_pbuffer(drawable, &surface);
    if (rc != 0)
        return rc;
    drawable->previous = drawable->surface;
    drawable->surface = surface;
    return 0;
}

/* --- windows ---------------------------------------------------------------------------------------- */

static int open_window(struct x11_screen *screen, struct ws_drawable *drawable, const XVisualInfo *visual,
                       int width, int height)
{
    struct x11_api *api = drawable->api;
    int rc = x11_window_open(screen, &drawable->window, visual, width, height);
    if (rc != 0)
        return rc;
    rc = api->ops->create_surface(api, &drawable->surface, drawable->config, drawable->window.id,
                                  &drawable->buffers);
    if (rc != 0)
        x11_window_close(screen, &drawable->window);
    drawable->is_free = false;
    return rc;
}

/* --- both ------------------------------------------------------------------------------------------- */

/* The drawable has a configuration with a visual if the context's has one, since drivers let a context draw
 * only to what has colours like its own. */
static int choose_config(struct ws_drawable *drawable, const struct ws_context *context,
                         const struct buffer_config *buffers, XVisualInfo *visual)
{
    struct context_config wanted = context->wanted;
    drawable->config = context->config;
    drawable->buffers = buffers != NULL ? *buffers : wanted.buffers;
    *visual = context->visual;
    if (buffers == NULL || buffer_distance(&wanted.buffers, buffers) == 0)
        return 0;
    bool pbuffers_only = wanted.buffers.pbuffers_only;
    wanted.buffers = *buffers;
    wanted.buffers.pbuffers_only = pbuffers_only;
    return context->api->ops->choose_config(context->api, &wanted, &drawable->config, visual);
}

/* A pbuffer of EGL has one buffer, which no window of EGL has. One of GLX is like a window, which is what the
 * user can see. */
static bool is_of_egl(const struct ws_drawable *drawable)
{
    return drawable->buffers.front_is_back && drawable->api->egl_display != NULL;
}

int x11_drawable_open(struct x11_screen *screen, struct ws_drawable **out, const struct ws_context *context,
                      const struct buffer_config *buffers, int width, int height)
{
    struct ws_drawable *drawable = calloc(1, sizeof *drawable);
    XVisualInfo visual;
    if (drawable == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a drawable");
    drawable->api = context->api;
    int rc = choose_config(drawable, context, buffers, &visual);
    bool has_visual = rc == 0 && visual.depth != 0, is_pbuffer = !has_visual || is_of_egl(drawable);
    if (rc == 0 && is_pbuffer)
        rc = open_pbuffer(drawable, width, height);
    if (has_visual && (!is_pbuffer || rc != 0)) /* a window can stand for a pbuffer */
        rc = open_window(screen, drawable, &visual, width, height);
    if (rc != 0) {
        free(drawable);
        return rc;
    }
    *out = drawable;
    return 0;
}

void x11_drawable_close(struct x11_screen *screen, struct ws_drawable *drawable)
{
    if (x11_drawable_is_pbuffer(drawable)) {
        x11_pbuffer_end_previous(drawable);
        drawable->api->ops->destroy_pbuffer(drawable->api, drawable->surface);
    } else {
        drawable->api->ops->destroy_surface(drawable->api, drawable->surface);
        x11_window_close(screen, &drawable->window);
    }
    free(drawable);
}
