/* SPDX-License-Identifier: MIT */
#include "stub_gl.h"

#include "windows/window_system.h"

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

struct ws_context {
    int number;
    bool is_current; /* in some thread */
};

struct ws_drawable {
    int number;
};

bool stub_windows_refuse_versions, stub_windows_refuse_extras, stub_windows_lack_accumulation,
    stub_windows_refuse_others;
unsigned stub_windows_polls;
static int last_number;
static _Thread_local struct ws_context *current;

static void close_windows(struct window_system *ws)
{
    (void)ws;
}

/* Lists the differences from double-buffered RGBA8 with depth and stencil. */
static const char *text_of_buffers(const struct buffer_config *b)
{
    static char text[200];
    int n = 0;
    text[0] = '\0';
#define ADD(condition, ...)                                                                                  \
    if (condition)                                                                                           \
    n += snprintf(text + n, sizeof text - (size_t)n, __VA_ARGS__)
    ADD(b->colour[0] != 8 || b->colour[1] != 8 || b->colour[2] != 8, " rgb %d %d %d", b->colour[0],
        b->colour[1], b->colour[2]);
    ADD(b->colour[3] != 8, " alpha %d", b->colour[3]);
    ADD(b->depth != 24, " depth %d", b->depth);
    ADD(b->deepest, " or more");
    ADD(b->stencil != 8, " stencil %d", b->stencil);
    ADD(b->samples != 0, " samples %d", b->samples);
    ADD(b->auxiliary != 0, " auxiliary %d", b->auxiliary);
    ADD(b->accumulation[0] != 0, " accumulation %d %d %d %d", b->accumulation[0], b->accumulation[1],
        b->accumulation[2], b->accumulation[3]);
    ADD(b->srgb, " srgb");
    ADD(b->is_float, " float");
    ADD(b->stereo, " stereo");
    ADD(b->single_buffered, " single");
    ADD(b->pbuffers_only, " pbuffers");
#undef ADD
    return text;
}

static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    static const char *const profiles[] = {"", " core", " compatibility"};
    (void)ws;
    bool has_extras =
        config->robust || config->lose_on_reset || config->no_error || config->release_without_flush;
    if (has_extras && stub_windows_refuse_extras)
        return trace_error_set(TRACE_ERR_IO, "no such context");
    if (stub_windows_refuse_versions && config->major > (config->api == CONTEXT_ES ? 2 : 0))
        return trace_error_set(TRACE_ERR_IO, "no such version");
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "no");
    **out = (struct ws_context){.number = ++last_number};
    stub_gl_log("context %d: %s %d.%d%s%s%s%s%s%s%s%s, shares with %d", (*out)->number,
                config->api == CONTEXT_ES ? "es" : "gl", config->major, config->minor,
                profiles[config->profile], config->debug ? " debug" : "",
                config->forward_compatible ? " forward" : "", text_of_buffers(&config->buffers),
                config->robust ? " robust" : "", config->lose_on_reset ? " lose" : "",
                config->no_error ? " no-error" : "", config->release_without_flush ? " no-flush" : "",
                share != NULL ? share->number : 0);
    return 0;
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    (void)ws;
    stub_gl_log("context %d ends", context->number);
    if (current == context)
        current = NULL;
    else
        assert_false(context->is_current);
    free(context);
}

static int create_drawable(struct window_system *ws, struct ws_drawable **out, struct ws_context *context,
                           const struct buffer_config *buffers, int width, int height)
{
    (void)ws;
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "no");
    (*out)->number = ++last_number;
    stub_gl_log("drawable %d: of context %d, %d x %d%s", (*out)->number, context->number, width, height,
                buffers != NULL ? text_of_buffers(buffers) : "");
    return 0;
}

static void destroy_drawable(struct window_system *ws, struct ws_drawable *drawable)
{
    (void)ws;
    stub_gl_log("drawable %d ends", drawable->number);
    free(drawable);
}

static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    (void)ws;
    if (context != NULL && context != current && context->is_current)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "it is current in another thread");
    if (current != NULL)
        current->is_current = false;
    current = context;
    if (current != NULL)
        current->is_current = true;
    stub_gl_log("current: %d, %d, %d", context != NULL ? context->number : 0, draw != NULL ? draw->number : 0,
                read != NULL ? read->number : 0);
    return 0;
}

static void swap_buffers(struct window_system *ws, struct ws_drawable *drawable)
{
    (void)ws;
    stub_gl_log("swap %d", drawable->number);
}

static int resize(struct window_system *ws, struct ws_drawable *drawable, int width, int height, bool keep)
{
    (void)ws;
    if (stub_gl.refuses_sizes)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "no window of %dx%d", width, height);
    stub_gl_log("resize %d: %d x %d%s", drawable->number, width, height, keep ? ", keeping it" : "");
    return 0;
}

static void *get_proc(struct window_system *ws, const char *name)
{
    (void)ws;
    return stub_gl_function(name);
}

static struct egl_handles egl_handles(const struct window_system *ws, const struct ws_context *context)
{
    (void)ws;
    return stub_gl.is_glx
               ? (struct egl_handles){NULL, NULL}
               : (struct egl_handles){(void *)STUB_EGL_DISPLAY, (void *)((uintptr_t)context->number)};
}

static unsigned choose_configs(struct window_system *ws, const int *attribs, struct buffer_config *out,
                               unsigned max)
{
    (void)ws;
    if (stub_gl.found_configs > 0 && attribs == NULL)
        stub_gl_log("all configs");
    else if (stub_gl.found_configs > 0)
        stub_gl_log("configs for %d, %d, %d", attribs[0], attribs[0] != 0 ? attribs[1] : 0,
                    attribs[0] != 0 ? attribs[2] : 0);
    unsigned count = stub_gl.found_configs < max ? stub_gl.found_configs : max;
    for (unsigned i = 0; i < count; ++i) {
        out[i] = default_buffers;
        out[i].depth = 16 + (int)i;
    }
    return count;
}

static bool choose_visual(struct window_system *ws, const int *attribs, struct buffer_config *out)
{
    (void)ws;
    if (stub_gl.found_configs == 0)
        return false;
    stub_gl_log("visual for %d, %d, %d", attribs[0], attribs[1], attribs[2]);
    *out = default_buffers;
    out->depth = 16;
    return true;
}

static const char *find_lacking(struct window_system *ws, const struct buffer_config *buffers)
{
    (void)ws;
    return stub_windows_lack_accumulation && buffers->accumulation[0] > 0 ? "accumulation buffer" : NULL;
}

static int replace(struct window_system **ws, const struct buffer_config *buffers)
{
    (void)ws, (void)buffers;
    if (stub_windows_refuse_others)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "there are no others");
    stub_gl_log("other windows");
    return 0;
}

static bool poll_events(struct window_system *ws, bool wait)
{
    (void)ws;
    (void)wait;
    stub_windows_polls++;
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
    .egl_handles = egl_handles,
    .find_lacking = find_lacking,
    .replace = replace,
    .choose_configs = choose_configs,
    .choose_visual = choose_visual,
    .poll_events = poll_events,
};

struct window_system stub_windows = {.ops = &ops, .headless = true};

int stub_windows_current(void)
{
    return current != NULL ? current->number : 0;
}

void stub_windows_reset(void)
{
    last_number = 0;
    stub_windows_polls = 0;
    stub_windows = (struct window_system){.ops = stub_windows.ops, .headless = true};
    stub_windows_refuse_versions = stub_windows_refuse_extras = stub_windows_lack_accumulation =
        stub_windows_refuse_others = false;
}
