/* SPDX-License-Identifier: MIT */
#include "objects/replay_drawable.h"

#include <stdlib.h>

#include "base/error.h"
#include "objects/conditional_render.h"
#include "objects/kept_pixels.h"
#include "objects/replay_state.h"
#include "objects/window_buffers.h"
#include "objects/window_clears.h"
#include "call/replay_values.h"

enum { INITIAL_SIDE = 32, MAX_SIDE = 16384, NOTED_CLEARS = 4 /* in a frame */ };

static struct replay_drawable *lookup(const struct replayer *r, uint64_t traced)
{
    uint64_t value;
    return int_map_get(&r->drawables, traced, &value) ? (void *)(uintptr_t)value : NULL;
}

void replay_drawable_unref(struct replayer *r, struct replay_drawable *drawable)
{
    if (drawable == NULL || --drawable->references > 0)
        return;
    if (drawable->ws != NULL)
        r->ws->ops->destroy_drawable(r->ws, drawable->ws);
    free(drawable);
}

struct buffer_config replay_buffers_with_options(const struct replay_options *options,
                                                 const struct buffer_config *buffers)
{
    struct buffer_config b = *buffers;
    b.single_buffered = options->single_buffered || (b.single_buffered && !options->double_buffered);
    if (options->samples > 0)
        b.samples = options->samples > 1 ? options->samples : 0;
    return b;
}

const struct buffer_config *replay_buffers(struct replayer *r, const struct replay_call *c, unsigned argument)
{
    const struct trace_value *v = replay_arg(c, argument);
    uint64_t handle = replay_visual_handle(v);
    return replay_configs_find(&r->configs, handle != 0 ? handle : trace_value_to_uint(v, 0));
}

int replay_drawable_create(struct replayer *r, uint64_t traced, const struct buffer_config *buffers,
                           int width, int height)
{
    struct replay_drawable *drawable = calloc(1, sizeof *drawable);
    if (drawable == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a drawable");
    drawable->traced = traced;
    drawable->references = 1;
    drawable->has_buffers = buffers != NULL;
    if (buffers != NULL)
        drawable->buffers = replay_buffers_with_options(r->options, buffers);
    drawable->is_fixed = width > 0 && width <= MAX_SIDE && height > 0 && height <= MAX_SIDE;
    drawable->width = drawable->is_fixed ? width : INITIAL_SIDE;
    drawable->height = drawable->is_fixed ? height : INITIAL_SIDE;
    drawable->is_covered = true;
    replay_drawable_delete(r, traced);
    int rc = int_map_set(&r->drawables, traced, (uintptr_t)drawable);
    if (rc != 0)
        replay_drawable_unref(r, drawable);
    return rc;
}

void replay_drawable_delete(struct replayer *r, uint64_t traced)
{
    struct replay_drawable *drawable = lookup(r, traced);
    if (drawable == NULL)
        return;
    int_map_remove(&r->drawables, traced);
    replay_drawable_unref(r, drawable);
}

int replay_drawable_find(struct replayer *r, uint64_t traced, struct replay_drawable **out)
{
    *out = NULL;
    if (traced == 0)
        return 0;
    *out = lookup(r, traced);
    if (*out != NULL)
        return 0;
    int rc = replay_drawable_create(r, traced, NULL, 0, 0);
    *out = lookup(r, traced);
    return rc;
}

static bool draws_to_framebuffer_object(struct replayer *r)
{
    return replay_draw_framebuffer(r) != 0;
}

/* A program may keep the viewport of another drawable, if this one is as large. */
static void guess_size(struct replayer *r, struct replay_drawable *drawable,
                       const struct replay_context *context)
{
    GLint viewport[4] = {0};
    if (drawable->is_fixed || drawable->is_sized || r->current != context || context->inside_begin ||
        draws_to_framebuffer_object(r))
        return;
    r->gl.glGetIntegerv(GL_VIEWPORT, viewport);
    if (viewport[0] != 0 || viewport[1] != 0 || viewport[2] <= 0 || viewport[3] <= 0)
        return;
    drawable->width = viewport[2] < MAX_SIDE ? viewport[2] : MAX_SIDE;
    drawable->height = viewport[3] < MAX_SIDE ? viewport[3] : MAX_SIDE;
    drawable->is_guessed = true;
}

int replay_drawable_realise(struct replayer *r, struct replay_drawable *drawable,
                            struct replay_context *context)
{
    if (drawable == NULL || drawable->ws != NULL)
        return 0;
    guess_size(r, drawable, context);
    struct buffer_config one = drawable->has_buffers ? drawable->buffers : context->config.buffers;
    one.front_is_back = true;
    return r->ws->ops->create_drawable(r->ws, &drawable->ws, context->ws,
                                       drawable->keeps_swapped ? &one
                                       : drawable->has_buffers ? &drawable->buffers
                                                               : NULL,
                                       drawable->width, drawable->height);
}

/* --- sizes ------------------------------------------------------------------------------------------ */

/* Mesa's software driver asks for the size of a window without a back buffer only when it has flushed changes
 * of it, which may be none. It asks for that of others when they swap. */
static void refresh_size(struct replayer *r, const struct replay_drawable *drawable)
{
    const struct replay_context *context = r->current;
    if (context == NULL || context->inside_begin || drawable != r->thread->draw || r->gl.glClear == NULL ||
        !window_buffers_is_single(drawable, context))
        return;
    replay_keep_error(r);
    r->gl.glClear(0);
    r->gl.glFlush();
    replay_clear_errors(r);
}

/* Questions to a driver may make it wait for its other threads, so there are none in a benchmark, whose
 * frames nobody looks at. A program that clears a larger window than is known sets its viewport soon after
 * that. */
void replay_clear_drawable(struct replayer *r, GLbitfield mask, const struct clear_values *values)
{
    struct replay_drawable *draw = r->thread->draw;
    if (draw == NULL || draw->is_fixed || draw->clears == NOTED_CLEARS || r->options->benchmark ||
        r->current == NULL || r->current->inside_begin || r->current->list_mode != 0)
        return;
    draw->clears++;
    if (!draws_to_framebuffer_object(r))
        window_clears_note(r, mask, values);
}

/* OpenGL ES cannot copy to samples. */
static bool loses_samples(const struct replayer *r, const struct replay_drawable *drawable)
{
    return r->current->is_es &&
           (drawable->has_buffers ? &drawable->buffers : &r->current->config.buffers)->samples > 1;
}

/* A program that cleared a smaller drawable in this frame had the larger one already: Qt sets the viewport
 * after glClear(). Windows are new after they have grown; off-screen, the old pixels are at the lower left.
 */
static void clear_again(struct replayer *r, const struct replay_drawable *drawable, int old_width,
                        int old_height)
{
    const struct clear_values *cleared = &drawable->cleared;
    if (cleared->mask == 0 || drawable != r->thread->draw || r->current == NULL ||
        draws_to_framebuffer_object(r))
        return;
    if (!r->ws->is_offscreen || loses_samples(r, drawable))
        old_width = old_height = 0;
    window_clears_repeat(r, cleared, 0, old_height, drawable->width, drawable->height - old_height);
    window_clears_repeat(r, cleared, old_width, 0, drawable->width - old_width, old_height);
}

static void resize_and_keep(struct replayer *r, struct replay_drawable *drawable, int width, int height)
{
    struct kept_pixels kept = {0};
    int old_width = drawable->width, old_height = drawable->height;
    if (drawable->is_drawn && drawable == r->thread->draw && !r->ws->is_offscreen)
        kept_pixels_take(r, &kept);
    drawable->width = width;
    drawable->height = height;
    if (drawable->ws == NULL)
        return;
    bool can_err = r->current != NULL && !r->current->inside_begin && r->gl.glGetError != NULL;
    if (can_err)
        replay_keep_error(r);
    int rc = r->ws->ops->resize(r->ws, drawable->ws, drawable->width, drawable->height, drawable->is_drawn);
    if (can_err)
        replay_clear_errors(r);
    if (rc != 0)
        replay_warn(r, "%s", trace_error_message());
    else
        refresh_size(r, drawable);
    clear_again(r, drawable, old_width, old_height);
    kept_pixels_put_back(r, &kept);
}

/* Sizes outside of what windows can have are cut. A size that the window system refuses is reported. */
static void resize(struct replayer *r, struct replay_drawable *drawable, int64_t width, int64_t height)
{
    bool is_paused = r->current != NULL && conditional_render_pause(r);
    drawable->is_sized = true;
    drawable->has_shrunk = false;
    resize_and_keep(r, drawable, (int)(width < MAX_SIDE ? width : MAX_SIDE),
                    (int)(height < MAX_SIDE ? height : MAX_SIDE));
    if (is_paused)
        conditional_render_resume(r);
}

int replay_drawable_width(const struct replay_drawable *drawable)
{
    return drawable->has_shrunk ? drawable->shrunk_width : drawable->width;
}

int replay_drawable_height(const struct replay_drawable *drawable)
{
    return drawable->has_shrunk ? drawable->shrunk_height : drawable->height;
}

/* While a list is compiled, nothing can be copied or cleared. The list draws when it has ended, at the
 * earliest. Between glBegin() and glEnd(), viewports are errors.
 */
static bool grows_later(struct replay_context *context, int64_t width, int64_t height)
{
    if (context->list_mode != GL_COMPILE)
        return context->inside_begin;
    context->list_width = width > context->list_width ? width : context->list_width;
    context->list_height = height > context->list_height ? height : context->list_height;
    return true;
}

void replay_grow_after_list(struct replayer *r)
{
    struct replay_context *context = r->current;
    if (context->list_mode == 0)
        replay_grow_drawable(r, context->list_width, context->list_height);
    if (r->thread->draw != NULL && (context->told_width > 0 || context->told_height > 0))
        replay_drawable_set_size(r, r->thread->draw->traced, context->told_width, context->told_height);
    context->list_width = context->list_height = 0;
    context->told_width = context->told_height = 0;
}

void replay_grow_drawable(struct replayer *r, int64_t width, int64_t height)
{
    struct replay_drawable *draw = r->thread->draw;
    if (draw == NULL || draw->is_fixed || draw->is_told || r->current == NULL ||
        grows_later(r->current, width, height) ||
        (width <= replay_drawable_width(draw) && height <= replay_drawable_height(draw)) ||
        draws_to_framebuffer_object(r))
        return;
    if (draw->has_shrunk) /* it was only a part of the window that was drawn to first */
        draw->is_covered = draw->has_shrunk = false;
    if (width > draw->width || height > draw->height)
        resize(r, draw, width > draw->width ? width : draw->width,
               height > draw->height ? height : draw->height);
}

static void shrink(struct replayer *r, struct replay_drawable *drawable, int64_t width, int64_t height)
{
    if (drawable->is_guessed) { /* it has never had the larger size */
        resize(r, drawable, width, height);
        return;
    }
    drawable->has_shrunk = true;
    drawable->shrunk_width = (int)width;
    drawable->shrunk_height = (int)height;
}

void replay_fit_viewport(struct replayer *r, int64_t x, int64_t y, int64_t width, int64_t height,
                         bool is_initial)
{
    struct replay_drawable *draw = r->thread->draw;
    if (draw == NULL || draw->is_fixed || r->current == NULL || width <= 0 || height <= 0 ||
        (!is_initial && grows_later(r->current, x + width, y + height)))
        return;
    bool at_corner = x == 0 && y == 0;
    if (is_initial && at_corner) {
        replay_drawable_set_size(r, draw->traced, width, height);
        return;
    }
    if (draw->is_told)
        return;
    int now_width = replay_drawable_width(draw), now_height = replay_drawable_height(draw);
    if (x + width > now_width || y + height > now_height) {
        replay_grow_drawable(r, x + width, y + height);
        return;
    }
    if (!draw->is_covered || (at_corner && width == now_width && height == now_height) ||
        draws_to_framebuffer_object(r))
        return;
    draw->is_covered = at_corner && (draw->swaps > 0 || draw->is_guessed) && !draw->is_drawn;
    if (draw->is_covered)
        shrink(r, draw, width, height);
    draw->is_guessed = false;
}

void replay_drawable_set_size(struct replayer *r, uint64_t traced, int64_t width, int64_t height)
{
    struct replay_drawable *drawable = lookup(r, traced);
    if (drawable == NULL || drawable->is_fixed)
        return;
    if (r->current != NULL && r->current->list_mode != 0 && drawable == r->thread->draw) {
        r->current->told_width = width > 0 ? width : r->current->told_width;
        r->current->told_height = height > 0 ? height : r->current->told_height;
        return;
    }
    width = width > 0 ? width : drawable->width;
    height = height > 0 ? height : drawable->height;
    if (width != drawable->width || height != drawable->height)
        resize(r, drawable, width, height);
    drawable->has_shrunk = false;
}

void replay_drawable_tell(struct replayer *r, uint64_t traced)
{
    struct replay_drawable *drawable = lookup(r, traced);
    if (drawable != NULL)
        drawable->is_told = true;
}

void replay_swap_buffers(struct replayer *r, uint64_t traced)
{
    struct replay_drawable *drawable = traced != 0 ? lookup(r, traced) : r->thread->draw;
    if (drawable == NULL || drawable->ws == NULL)
        return;
    if (!drawable->keeps_swapped) {
        r->ws->ops->swap_buffers(r->ws, drawable->ws);
        window_buffers_swap(r, drawable);
    }
    drawable->swaps++;
    drawable->is_drawn = false;
    drawable->cleared.mask = 0;
    drawable->clears = 0;
    if (drawable->has_shrunk && drawable == r->thread->draw)
        resize(r, drawable, drawable->shrunk_width, drawable->shrunk_height);
    drawable->has_shrunk = false;
}
