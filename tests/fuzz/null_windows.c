/* SPDX-License-Identifier: MIT
 * Contexts and drawables of the null driver. They are memory, so that sanitizers find uses after their end.
 */
#include "null_gl.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

struct ws_drawable {
    int width, height;
};

static unsigned contexts, drawables;

static void expect(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "null driver: %s\n", what);
    abort();
}

static void close_windows(struct window_system *ws)
{
    (void)ws;
}

static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    (void)ws;
    if (config->major > 4)
        return trace_error_set(TRACE_ERR_IO, "there is no version %d.%d", config->major, config->minor);
    *out = null_context_new(share);
    if (*out == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    contexts++;
    return 0;
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    (void)ws;
    null_context_free(context);
    contexts--;
}

static int create_drawable(struct window_system *ws, struct ws_drawable **out, struct ws_context *context,
                           const struct buffer_config *buffers, int width, int height)
{
    (void)ws, (void)buffers;
    expect(null_context_is_valid(context), "a drawable of a context that has ended");
    expect(width > 0 && width <= 16384 && height > 0 && height <= 16384, "a drawable of no possible size");
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    **out = (struct ws_drawable){width, height};
    drawables++;
    return 0;
}

static void destroy_drawable(struct window_system *ws, struct ws_drawable *drawable)
{
    (void)ws;
    free(drawable);
    drawables--;
}

static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    (void)ws;
    expect(context == NULL || null_context_is_valid(context), "a context that has ended becomes current");
    expect(draw == NULL || draw->width > 0, "a drawable that has ended becomes current");
    expect(read == NULL || read->width > 0, "a drawable that has ended becomes current");
    null_context_make_current(context);
    return 0;
}

static void swap_buffers(struct window_system *ws, struct ws_drawable *drawable)
{
    (void)ws;
    expect(drawable->width > 0, "a drawable that has ended is swapped");
}

static int resize(struct window_system *ws, struct ws_drawable *drawable, int width, int height, bool keep)
{
    (void)ws, (void)keep;
    expect(width > 0 && width <= 16384 && height > 0 && height <= 16384, "a drawable of no possible size");
    *drawable = (struct ws_drawable){width, height};
    return 0;
}

static void *get_proc(struct window_system *ws, const char *name)
{
    (void)ws;
    return null_gl_function(name);
}

static struct egl_handles egl_handles(const struct window_system *windows, const struct ws_context *context)
{
    static int display, handle;
    (void)windows;
    return null_context_is_valid(context) ? (struct egl_handles){&display, &handle} : (struct egl_handles){0};
}

static unsigned choose_configs(struct window_system *ws, const int *attribs, struct buffer_config *out,
                               unsigned max)
{
    unsigned count = 0;
    (void)ws;
    for (; attribs != NULL && attribs[count] != 0; ++count)
        continue;
    count = count < max ? count : max;
    for (unsigned i = 0; i < count; ++i)
        out[i] = default_buffers;
    return count;
}

static bool choose_visual(struct window_system *ws, const int *attribs, struct buffer_config *out)
{
    (void)ws;
    *out = default_buffers;
    return attribs[0] != 0;
}

static bool poll_events(struct window_system *ws, bool wait)
{
    (void)ws, (void)wait;
    return true;
}

static const struct window_system_ops ops = {
    .close = close_windows,
    .create_context = create_context,
    .destroy_context = destroy_context,
    .create_drawable = create_drawable,
    .destroy_drawable = destroy_drawable,
    .make_current = make_current,
    .swap_buffers = swap_buffers,
    .resize = resize,
    .get_proc = get_proc,
    .choose_configs = choose_configs,
    .choose_visual = choose_visual,
    .egl_handles = egl_handles,
    .poll_events = poll_events,
};

struct window_system null_windows = {.ops = &ops, .headless = true};

void null_driver_reset(const char *version)
{
    expect(contexts == 0, "a context is left");
    expect(drawables == 0, "a drawable is left");
    null_gl_reset(version);
}
