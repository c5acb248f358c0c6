/* SPDX-License-Identifier: MIT */
#include "objects/window_buffers.h"

#include "base/error.h"
#include "objects/conditional_render.h"
#include "objects/replay_state.h"

bool window_buffers_names_front(uint64_t buffer)
{
    switch (buffer) {
    case GL_FRONT:
    case GL_FRONT_LEFT:
    case GL_FRONT_RIGHT:
    case GL_LEFT:
    case GL_RIGHT:
    case GL_FRONT_AND_BACK:
        return true;
    default:
        return false;
    }
}

bool window_buffers_is_single(const struct replay_drawable *drawable, const struct replay_context *context)
{
    return (drawable->has_buffers ? &drawable->buffers : &context->config.buffers)->single_buffered;
}

/* With --check, front buffers are kept from the first swap on. */
static bool has_lost_frame(const struct replayer *r)
{
    const struct replay_drawable *draw = r->thread->draw;
    return draw != NULL && draw->swaps > 0 && draw->is_drawn && !r->check.enabled &&
           !window_buffers_is_single(draw, r->current);
}

void window_buffers_name(struct replayer *r, uint64_t buffer)
{
    if (r->ws->ops->follow_buffers == NULL || !window_buffers_names_front(buffer))
        return;
    r->current->list_selects_front |= r->current->list_mode != 0;
    if (r->current->group->names_front)
        return;
    r->current->group->names_front = true;
    if (has_lost_frame(r))
        replay_warn(r,
                    "the front buffer begins with what is in the back buffer now; --check keeps the frame");
}

void window_buffers_draw(struct replayer *r)
{
    struct replay_context *context = r->current;
    if (context == NULL || !context->list_selects_front)
        return;
    if (context->list_mode != 0)
        replay_warn(r, "what a display list draws goes to the buffer that was selected before it");
    context->list_selects_front = false;
}

/* Between glBegin() and glEnd(), nothing can be selected. What a list selects is seen when it ends. */
static bool can_select(const struct replayer *r)
{
    return !r->current->is_es && !r->current->inside_begin && r->current->list_mode == 0;
}

/* A context without a back buffer draws to the front buffer of any drawable. */
static bool can_differ(const struct replayer *r)
{
    return r->ws->ops->follow_buffers != NULL &&
           (r->current->group->names_front || r->current->config.buffers.single_buffered) && can_select(r);
}

void window_buffers_follow(struct replayer *r)
{
    if (!can_differ(r))
        return;
    bool is_paused = conditional_render_pause(r);
    if (r->ws->ops->follow_buffers(r->ws) != 0)
        replay_warn(r, "%s", trace_error_message());
    if (is_paused)
        conditional_render_resume(r);
}

void window_buffers_swap(struct replayer *r, struct replay_drawable *drawable)
{
    if (r->ws->ops->show_frame == NULL || (r->current != NULL && !can_select(r)))
        return;
    bool is_paused = r->current != NULL && conditional_render_pause(r);
    if (r->ws->ops->show_frame(r->ws, drawable->ws, r->check.enabled) != 0)
        replay_warn(r, "%s", trace_error_message());
    if (is_paused)
        conditional_render_resume(r);
}

void window_buffers_read(struct replayer *r, GLenum buffer)
{
    r->gl.glReadBuffer(buffer);
    window_buffers_follow(r);
}

bool window_buffers_begin_depth(struct replayer *r)
{
    return r->ws->ops->read_depth != NULL && can_select(r) && r->ws->ops->read_depth(r->ws, true);
}

void window_buffers_end_depth(struct replayer *r)
{
    r->ws->ops->read_depth(r->ws, false);
}
