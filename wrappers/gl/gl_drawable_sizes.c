/* SPDX-License-Identifier: MIT */
#include "gl/gl_drawable_sizes.h"

#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "lookup/x_windows.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

#include <string.h>
#include <time.h>

enum { EGL_HEIGHT = 0x3056, EGL_WIDTH = 0x3057, GLX_WIDTH = 0x801D, GLX_HEIGHT = 0x801E };

/* (display, drawable for drawing, …, context). A call without drawables binds none. */
bool gl_drawable_bind(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args)
{
    const union spec_arg none = {.u = 0}, before = t->drawable;
    bool has_drawable = f->param_count >= 3;
    t->draw_display = has_drawable ? args[0] : none;
    t->drawable = has_drawable ? args[1] : none;
    t->binds_surface = f == &spec_functions[SPEC_FN_eglMakeCurrent];
    return t->drawable.u != before.u;
}

void gl_drawable_unbind(struct capture_thread *t)
{
    t->drawable.u = 0;
}

/* --- seen boxes --------------------------------------------------------------------------------------- */

static struct seen_boxes *seen_boxes(struct capture_thread *t)
{
    struct seen_boxes *seen = &t->context->seen_boxes;
    if (seen->drawable != t->drawable.u)
        *seen = (struct seen_boxes){.drawable = t->drawable.u};
    return seen;
}

static bool has_seen(const struct seen_boxes *seen, const int32_t *box)
{
    for (unsigned i = 0; i < SEEN_BOXES && i < seen->count; ++i)
        if (memcmp(seen->boxes[i], box, sizeof seen->boxes[i]) == 0)
            return true;
    return false;
}

static void see(struct seen_boxes *seen, int32_t x, int32_t y, int32_t width, int32_t height)
{
    const int32_t box[4] = {x, y, width, height};
    if (!has_seen(seen, box))
        memcpy(seen->boxes[seen->count++ % SEEN_BOXES], box, sizeof box);
}

void gl_drawable_see_whole(struct capture_thread *t, int32_t width, int32_t height)
{
    see(seen_boxes(t), 0, 0, width, height);
}

/* --- the answers of window systems -------------------------------------------------------------------- */

/* Says what glXQueryDrawable() answers. */
static void tell_glx(struct capture_thread *t, int32_t attribute, unsigned value)
{
    const union spec_arg args[4] = {t->draw_display, t->drawable, {.i = attribute}, spec_arg_ptr(&value)};
    if (value != 0)
        capture_fake_call(t, SPEC_FN_glXQueryDrawable, args);
}

/* Returns false if nobody knows. */
static bool ask_glx_or_x(const struct capture_thread *t, unsigned *width, unsigned *height)
{
    void *display = t->draw_display.p;
    unsigned long drawable = (unsigned long)t->drawable.u;
    switch (x_window_size(display, drawable, width, height)) {
    case X_WINDOW_HAS_SIZE:
        return true;
    case X_WINDOW_IS_NONE: /* a drawable of GLX */
        return x_glx_attribute(display, drawable, GLX_WIDTH, width) &&
               x_glx_attribute(display, drawable, GLX_HEIGHT, height);
    default:
        return false;
    }
}

/* Tells the trace, unless it knows. */
static void tell_size_glx(struct capture_thread *t)
{
    struct seen_boxes *seen = seen_boxes(t);
    unsigned width = 0, height = 0;
    if (!ask_glx_or_x(t, &width, &height) || (width == seen->width && height == seen->height))
        return;
    tell_glx(t, GLX_WIDTH, width);
    tell_glx(t, GLX_HEIGHT, height);
    seen->width = width;
    seen->height = height;
    seen->count = 0;
    gl_drawable_see_whole(t, (int32_t)width, (int32_t)height);
}

static void ask_egl(struct capture_thread *t, int32_t attribute)
{
    int32_t value = 0;
    const union spec_arg args[4] = {t->draw_display, t->drawable, {.i = attribute}, spec_arg_ptr(&value)};
    capture_function get = real_function_find(SPEC_FN_eglQuerySurface);
    const union spec_arg ret = {
        .u = ((uint32_t(*)(void *, void *, int32_t, int32_t *))get)(args[0].p, args[1].p, attribute, &value)};
    if (ret.u != 0)
        capture_fake_answer(t, SPEC_FN_eglQuerySurface, args, &ret);
}

void gl_drawable_tell_size(struct capture_thread *t)
{
    if (t->drawable.u == 0)
        return;
    if (t->binds_surface) {
        ask_egl(t, EGL_WIDTH);
        ask_egl(t, EGL_HEIGHT);
    } else {
        t->context->seen_boxes.drawable = 0; /* the trace may have been told another size meanwhile */
        tell_size_glx(t);
    }
}

/* --- when it is asked --------------------------------------------------------------------------------- */

enum { MAX_QUESTIONS = 16 /* in a frame, or in PAUSE */, PAUSE = 10000000 /* ns */ };

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Each question takes a round trip to the X server. Some programs draw to many boxes in each frame. */
static bool may_ask(struct seen_boxes *seen)
{
    if (seen->questions == MAX_QUESTIONS && now() - seen->since >= PAUSE)
        seen->questions = 0;
    if (seen->questions == MAX_QUESTIONS)
        return false;
    if (++seen->questions == MAX_QUESTIONS)
        seen->since = now();
    return true;
}

static bool is_within(const struct seen_boxes *seen, int64_t x, int64_t y, int64_t width, int64_t height)
{
    return x >= 0 && y >= 0 && x + width <= seen->width && y + height <= seen->height;
}

/* The program is going to draw to a box. */
static void draw_to(struct capture_thread *t, int64_t x, int64_t y, int64_t width, int64_t height)
{
    const struct gl_context *c = t->context;
    const int32_t box[4] = {(int32_t)x, (int32_t)y, (int32_t)width, (int32_t)height};
    if (t->drawable.u == 0 || t->binds_surface || c->draw_framebuffer != 0 || c->in_begin ||
        has_seen(seen_boxes(t), box) || !may_ask(seen_boxes(t)))
        return;
    tell_size_glx(t);
    see(seen_boxes(t), box[0], box[1], box[2], box[3]);
    seen_boxes(t)->beyond |= !is_within(seen_boxes(t), x, y, width, height);
}

/* Boxes as floats, which may have any value. */
static void draw_to_floats(struct capture_thread *t, const float *box)
{
    const float limit = 1 << 24;
    for (unsigned i = 0; i < 4; ++i)
        if (!(box[i] > -limit && box[i] < limit))
            return;
    draw_to(t, (int64_t)box[0], (int64_t)box[1], (int64_t)box[2], (int64_t)box[3]);
}

/* (x, y, width, height) */
DEFINE_HOOK(viewport)
{
    UNUSED_HOOK_ARGUMENTS;
    draw_to(t, args[0].i, args[1].i, args[2].i, args[3].i);
}

/* (index, x, y, width, height) */
DEFINE_HOOK(indexed_viewport)
{
    UNUSED_HOOK_ARGUMENTS;
    draw_to_floats(t, (const float[4]){args[1].f32, args[2].f32, args[3].f32, args[4].f32});
}

/* (index, box) */
DEFINE_HOOK(indexed_viewport_v)
{
    UNUSED_HOOK_ARGUMENTS;
    if (program_memory_readable(args[1].p, 4 * sizeof(float)))
        draw_to_floats(t, args[1].p);
}

/* (first, count, boxes): they are parts of one window. */
DEFINE_HOOK(viewport_array)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[1].i > 0 && program_memory_readable(args[2].p, 4 * sizeof(float)))
        draw_to_floats(t, args[2].p);
}

/* (…, x0, y0, x1, y1, mask, filter) */
DEFINE_HOOK(blit_framebuffer)
{
    UNUSED_HOOK_ARGUMENTS;
    draw_to(t, args[4].i, args[5].i, args[6].i - args[4].i, args[7].i - args[5].i);
}

/* A swap */
DEFINE_HOOK(begin_frame)
{
    UNUSED_HOOK_ARGUMENTS;
    struct seen_boxes *seen = &t->context->seen_boxes;
    seen->questions = 0;
    if (seen->beyond)
        seen->count = 0;
    seen->beyond = false;
}

/* (target, framebuffer) */
DEFINE_HOOK(bind_framebuffer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[0].u != SPEC_GL_READ_FRAMEBUFFER && !t->context->in_begin)
        t->context->draw_framebuffer = (uint32_t)args[1].u;
}

/* (count, framebuffers) */
DEFINE_HOOK(delete_framebuffers)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint32_t *names = args[1].p;
    if (t->context->in_begin || args[0].i <= 0 ||
        !program_memory_readable(names, (uint64_t)args[0].i * sizeof *names))
        return;
    for (int64_t i = 0; i < args[0].i; ++i)
        if (names[i] == t->context->draw_framebuffer)
            t->context->draw_framebuffer = 0;
}
