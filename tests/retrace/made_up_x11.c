/* SPDX-License-Identifier: MIT */
#include "made_up_x11.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <GL/gl.h>

#include "base/error.h"
#include "call_log.h"
#include "windows/glx_configs.h"
#include "windows/window_system.h"
#include "windows/x11_api.h"
#include "windows/x11_window.h"

struct made_up_x11 made_up;

/* --- windows ---------------------------------------------------------------------------------------- */

static int the_display;

int x11_screen_open(struct x11_screen *s, bool fullscreen)
{
    if (made_up.lacks_display)
        return trace_error_set(TRACE_ERR_IO, "no display");
    *s = (struct x11_screen){.display = (Display *)&the_display, .fullscreen = fullscreen};
    note("display%s\n", fullscreen ? ", covered" : "");
    made_up.open++;
    return 0;
}

int XCloseDisplay(Display *display)
{
    (void)display;
    made_up.open--;
    return 0;
}

int x11_window_open(struct x11_screen *s, struct x11_window *out, const XVisualInfo *visual, int width,
                    int height)
{
    (void)s;
    if (made_up.refuses_window)
        return trace_error_set(TRACE_ERR_IO, "no window");
    out->id = (Window)++made_up.last;
    made_up.open++;
    note("window %d: %dx%d, depth %d\n", made_up.last, width, height, visual->depth);
    return 0;
}

void x11_window_close(struct x11_screen *s, struct x11_window *w)
{
    (void)s;
    note("window %lu ends\n", w->id);
    made_up.open--;
}

void x11_window_show(struct x11_screen *s, const struct x11_window *w)
{
    (void)s;
    note("window %lu is shown\n", w->id);
}

int x11_window_resize(struct x11_screen *s, const struct x11_window *w, int width, int height)
{
    (void)s;
    note("window %lu: %dx%d\n", w->id, width, height);
    return made_up.refuses_size ? trace_error_set(TRACE_ERR_UNSUPPORTED, "no size") : 0;
}

bool x11_poll_events(struct x11_screen *s, bool wait)
{
    (void)s;
    return !wait;
}

/* --- APIs ------------------------------------------------------------------------------------------- */

static const char *name_of(const struct x11_api *api)
{
    return api->egl_display != NULL ? "EGL" : "GLX";
}

static void close_api(struct x11_api *api)
{
    note("%s ends\n", name_of(api));
    made_up.open--;
}

static int choose_config(struct x11_api *api, const struct context_config *wanted, void **config,
                         XVisualInfo *visual)
{
    static int configs[100];
    (void)api;
    if (made_up.refuses_config)
        return trace_error_set(TRACE_ERR_IO, "no configuration");
    *config = &configs[wanted->buffers.depth];
    visual->depth = wanted->buffers.pbuffers_only ? 0 : wanted->buffers.depth;
    return 0;
}

static int create_context(struct x11_api *api, void **out, const struct context_config *wanted, void *config,
                          void *share)
{
    (void)wanted, (void)config;
    if (made_up.refuses_context != NULL && strcmp(made_up.refuses_context, name_of(api)) == 0)
        return trace_error_set(TRACE_ERR_IO, "no context of %s", name_of(api));
    *out = (void *)(uintptr_t)++made_up.last;
    made_up.open++;
    note("%s context %d, shares %d\n", name_of(api), made_up.last, (int)(uintptr_t)share);
    return 0;
}

static void destroy_context(struct x11_api *api, void *handle)
{
    note("%s context %d ends\n", name_of(api), (int)(uintptr_t)handle);
    made_up.open--;
}

static int create_surface(struct x11_api *api, uintptr_t *out, void *config, Window id,
                          const struct buffer_config *buffers)
{
    (void)config;
    *out = 99; /* it is of no use after a failure */
    if (made_up.refuses_surface)
        return trace_error_set(TRACE_ERR_IO, "no surface");
    *out = (uintptr_t)++made_up.last;
    made_up.open++;
    note("%s surface %d of %lu%s\n", name_of(api), made_up.last, id, buffers->srgb ? ", srgb" : "");
    return 0;
}

static void destroy_surface(struct x11_api *api, uintptr_t surface)
{
    note("%s surface %d ends\n", name_of(api), (int)surface);
    made_up.open--;
}

static int create_pbuffer(struct x11_api *api, uintptr_t *out, void *config,
                          const struct buffer_config *buffers, int width, int height)
{
    (void)config;
    *out = 99;
    if (made_up.refuses_pbuffer)
        return trace_error_set(TRACE_ERR_IO, "no pbuffer");
    *out = (uintptr_t)++made_up.last;
    made_up.open++;
    note("%s pbuffer %d: %dx%d%s\n", name_of(api), made_up.last, width, height,
         buffers->srgb ? ", srgb" : "");
    return 0;
}

static void destroy_pbuffer(struct x11_api *api, uintptr_t pbuffer)
{
    note("%s pbuffer %d ends\n", name_of(api), (int)pbuffer);
    made_up.open--;
}

static bool make_current(struct x11_api *api, void *handle, const struct context_config *wanted,
                         uintptr_t draw, uintptr_t read)
{
    assert_non_null(wanted);
    note("%s binds %d, %d, %d\n", name_of(api), (int)(uintptr_t)handle, (int)draw, (int)read);
    return !made_up.refuses_binding;
}

static void release(struct x11_api *api, const struct context_config *wanted)
{
    assert_non_null(wanted);
    note("%s releases\n", name_of(api));
}

static void swap_buffers(struct x11_api *api, uintptr_t surface)
{
    note("%s swaps %d\n", name_of(api), (int)surface);
}

static void disable_vsync(struct x11_api *api, uintptr_t surface)
{
    note("%s does not wait for %d\n", name_of(api), (int)surface);
}

static void nothing(void)
{
}

static void (*get_proc(const char *name))(void)
{
    return strcmp(name, "glClear") == 0 ? nothing : NULL;
}

static const struct x11_api_ops api_ops = {
    .close = close_api,
    .choose_config = choose_config,
    .create_context = create_context,
    .destroy_context = destroy_context,
    .create_surface = create_surface,
    .destroy_surface = destroy_surface,
    .create_pbuffer = create_pbuffer,
    .destroy_pbuffer = destroy_pbuffer,
    .make_current = make_current,
    .release = release,
    .swap_buffers = swap_buffers,
    .disable_vsync = disable_vsync,
    .get_proc = get_proc,
};

static int open_api(struct x11_api **out, struct x11_api *api, bool lacks)
{
    assert_null(*out); /* it is opened once */
    if (lacks)
        return trace_error_set(TRACE_ERR_IO, "no %s", name_of(api));
    api->binds_nothing = made_up.binds_nothing;
    *out = api;
    made_up.open++;
    note("%s\n", name_of(api));
    return 0;
}

int x11_glx_open(struct x11_api **out, Display *display)
{
    static struct x11_api api = {.ops = &api_ops};
    (void)display;
    return open_api(out, &api, made_up.lacks_glx);
}

int x11_egl_open(struct x11_api **out, Display *display)
{
    static struct x11_api api = {.ops = &api_ops, .egl_display = &made_up};
    (void)display;
    return open_api(out, &api, made_up.lacks_egl);
}

unsigned glx_choose_configs(Display *display, const int *attribs, struct buffer_config *out, unsigned max)
{
    assert_ptr_equal(display, &the_display);
    for (unsigned i = 0; attribs != NULL && i < max; ++i)
        out[i].depth = attribs[0];
    return max;
}

bool glx_choose_visual(Display *display, const int *attribs, struct buffer_config *out)
{
    assert_ptr_equal(display, &the_display);
    if (attribs != NULL)
        out->depth = attribs[0];
    return !made_up.has_no_visual;
}

int window_system_replace(struct window_system **system, const struct buffer_config *buffers)
{
    (void)system, (void)buffers;
    return TRACE_ERR_UNSUPPORTED;
}

struct surface_buffers surface_buffers_get(void)
{
    const struct surface_buffers fronts = {.is_known = true, .draw = GL_FRONT, .read = GL_FRONT};
    return made_up.selected.is_known ? made_up.selected : fronts;
}

void surface_buffers_set(struct surface_buffers buffers)
{
    if (buffers.draw == GL_BACK)
        note("back buffer%s\n", buffers.read == GL_BACK ? "" : ", reads the front");
    else
        note("draws to 0x%x, reads 0x%x\n", buffers.draw, buffers.read);
}
