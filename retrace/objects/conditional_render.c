/* SPDX-License-Identifier: MIT */
#include "objects/conditional_render.h"

#include "objects/replay_state.h"

/* One that is open already stays: another one is an error. */
void conditional_render_begin(struct replayer *r, GLuint query, GLenum mode)
{
    struct conditional_render *c = &r->current->condition;
    if (r->current->list_mode != GL_COMPILE && !c->is_open)
        *c = (struct conditional_render){.is_open = true, .query = query, .mode = mode};
}

void conditional_render_end(struct replayer *r)
{
    if (r->current->list_mode != GL_COMPILE)
        r->current->condition.is_open = false;
}

void conditional_render_begin_query(struct replayer *r, GLuint query)
{
    struct conditional_render *c = &r->current->condition;
    c->has_new_query |= c->is_open && c->query == query;
}

bool conditional_render_pause(struct replayer *r)
{
    const struct replay_context *context = r->current;
    if (!context->condition.is_open || context->condition.has_new_query || context->inside_begin ||
        context->list_mode != 0 || r->gl.glBeginConditionalRender == NULL ||
        r->gl.glEndConditionalRender == NULL)
        return false;
    replay_keep_error(r);
    r->gl.glEndConditionalRender();
    replay_clear_errors(r);
    return true;
}

void conditional_render_resume(struct replayer *r)
{
    r->gl.glBeginConditionalRender(r->current->condition.query, r->current->condition.mode);
    replay_clear_errors(r);
}
