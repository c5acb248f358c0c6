/* SPDX-License-Identifier: MIT */
#include "gl/gl_drawable_sizes.h"

#include "capture/fake_calls.h"
#include "lookup/real_functions.h"
#include "lookup/x_windows.h"

#include "spec_ids.h"

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

/* Says what glXQueryDrawable() answers. */
static void tell_glx(struct capture_thread *t, int32_t attribute, unsigned value)
{
    const union spec_arg args[4] = {t->draw_display, t->drawable, {.i = attribute}, spec_arg_ptr(&value)};
    if (value != 0)
        capture_fake_call(t, SPEC_FN_glXQueryDrawable, args);
}

/* A drawable of GLX */
static void ask_glx(struct capture_thread *t, uint32_t attribute)
{
    uint32_t value;
    if (x_glx_attribute(t->draw_display.p, (unsigned long)t->drawable.u, attribute, &value))
        tell_glx(t, (int32_t)attribute, value);
}

static void ask_glx_or_x(struct capture_thread *t)
{
    unsigned width, height;
    switch (x_window_size(t->draw_display.p, (unsigned long)t->drawable.u, &width, &height)) {
    case X_WINDOW_HAS_SIZE:
        tell_glx(t, GLX_WIDTH, width);
        tell_glx(t, GLX_HEIGHT, height);
        break;
    case X_WINDOW_IS_NONE:
        ask_glx(t, GLX_WIDTH);
        ask_glx(t, GLX_HEIGHT);
        break;
    default:
        break;
    }
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
        ask_glx_or_x(t);
    }
}
