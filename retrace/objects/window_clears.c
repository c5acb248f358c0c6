/* SPDX-License-Identifier: MIT */
#include "objects/window_clears.h"

#include "objects/replay_state.h"

/* --- what was cleared --------------------------------------------------------------------------------- */

static void get_clear_values(struct replayer *r, struct clear_values *v)
{
    GLfloat depth = 0;
    r->gl.glGetFloatv(GL_COLOR_CLEAR_VALUE, v->colour);
    if (!r->current->is_es && r->gl.glGetDoublev != NULL) {
        r->gl.glGetDoublev(GL_DEPTH_CLEAR_VALUE, &v->depth);
    } else {
        r->gl.glGetFloatv(GL_DEPTH_CLEAR_VALUE, &depth);
        v->depth = (GLdouble)depth;
    }
    r->gl.glGetIntegerv(GL_STENCIL_CLEAR_VALUE, &v->stencil);
}

/* A program whose scissor box reaches beyond the window knows that it is larger. */
static bool clears_a_part(struct replayer *r)
{
    const struct replay_drawable *draw = r->thread->draw;
    GLint box[4] = {0};
    if (!r->gl.glIsEnabled(GL_SCISSOR_TEST))
        return false;
    r->gl.glGetIntegerv(GL_SCISSOR_BOX, box);
    int64_t right = (int64_t)box[0] + box[2], top = (int64_t)box[1] + box[3];
    return box[0] > 0 || box[1] > 0 || right < draw->width || top < draw->height ||
           (right == draw->width && top == draw->height);
}

static void note_colour(struct replayer *r, struct clear_values *noted, const struct clear_values *v)
{
    GLint masks[4] = {0};
    GLenum pname = !r->current->is_es ? GL_DRAW_BUFFER : GL_DRAW_BUFFER0;
    GLenum buffer = GL_BACK;
    if (!r->current->is_es || r->current->version >= 30)
        buffer = (GLenum)replay_get_integer(r, pname, GL_NONE);
    bool is_first = (noted->mask & GL_COLOR_BUFFER_BIT) == 0;
    if (!is_first && noted->buffer != buffer)
        return;
    r->gl.glGetIntegerv(GL_COLOR_WRITEMASK, masks);
    for (int i = 0; i < 4; ++i)
        if (is_first || masks[i])
            noted->colour[i] = v->colour[i];
    noted->buffer = buffer;
}

static void note_depth(struct replayer *r, struct clear_values *noted, const struct clear_values *v)
{
    if ((noted->mask & GL_DEPTH_BUFFER_BIT) == 0 || replay_get_integer(r, GL_DEPTH_WRITEMASK, 1) != 0)
        noted->depth = v->depth;
}

static void note_stencil(struct replayer *r, struct clear_values *noted, const struct clear_values *v)
{
    GLint bits = ~0;
    if ((noted->mask & GL_STENCIL_BUFFER_BIT) != 0)
        bits = replay_get_integer(r, GL_STENCIL_WRITEMASK, bits);
    noted->stencil = (noted->stencil & ~bits) | (v->stencil & bits);
}

void window_clears_note(struct replayer *r, GLbitfield mask, const struct clear_values *values)
{
    struct clear_values *noted = &r->thread->draw->cleared, now = {0};
    if (r->gl.glGetFloatv == NULL)
        return;
    replay_keep_error(r);
    if (values != NULL)
        now = *values;
    else
        get_clear_values(r, &now);
    if (r->current->version >= 30 && r->gl.glIsEnabled(GL_RASTERIZER_DISCARD))
        mask = 0;
    if (clears_a_part(r))
        mask &= ~noted->mask;
    if (mask & GL_COLOR_BUFFER_BIT)
        note_colour(r, noted, &now);
    if (mask & GL_DEPTH_BUFFER_BIT)
        note_depth(r, noted, &now);
    if (mask & GL_STENCIL_BUFFER_BIT)
        note_stencil(r, noted, &now);
    noted->mask |= mask;
    replay_clear_errors(r);
}

/* --- clearing ----------------------------------------------------------------------------------------- */

struct clear_state {
    struct gl_access access;
    struct hindrances hindrances;
    struct write_masks masks;
    struct buffer_selection selected;
    struct clear_values values;
    GLint box[4];
};

static void set_clear_values(struct replayer *r, GLbitfield mask, const struct clear_values *v)
{
    const struct gl_functions *gl = &r->gl;
    if ((mask & GL_COLOR_BUFFER_BIT) && gl->glClearColor != NULL)
        gl->glClearColor(v->colour[0], v->colour[1], v->colour[2], v->colour[3]);
    if ((mask & GL_DEPTH_BUFFER_BIT) && !r->current->is_es && gl->glClearDepth != NULL)
        gl->glClearDepth(v->depth);
    else if ((mask & GL_DEPTH_BUFFER_BIT) && gl->glClearDepthf != NULL)
        gl->glClearDepthf((GLfloat)v->depth);
    if ((mask & GL_STENCIL_BUFFER_BIT) && gl->glClearStencil != NULL)
        gl->glClearStencil(v->stencil);
}

static void begin_clear(struct replayer *r, struct clear_state *s, const struct clear_values *values)
{
    replay_keep_error(r);
    *s = (struct clear_state){.access = replay_gl_access(r)};
    hindrances_lift(&s->access, &s->hindrances, false);
    r->gl.glGetIntegerv(GL_SCISSOR_BOX, s->box);
    write_masks_open(&s->access, &s->masks);
    get_clear_values(r, &s->values);
    if (values->buffer != GL_NONE)
        draw_buffer_select(&s->access, values->buffer, &s->selected);
    set_clear_values(r, values->mask, values);
}

static void end_clear(struct replayer *r, const struct clear_state *s, GLbitfield mask)
{
    set_clear_values(r, mask, &s->values);
    draw_buffer_restore(&s->access, &s->selected);
    write_masks_restore(&s->access, &s->masks);
    scissor_set(&s->access, s->box[0], s->box[1], s->box[2], s->box[3]);
    scissor_enable(&s->access, false);
    hindrances_restore(&s->access, &s->hindrances);
    replay_clear_errors(r);
}

void window_clears_repeat(struct replayer *r, const struct clear_values *values, int x, int y, int width,
                          int height)
{
    struct clear_state state;
    if (width <= 0 || height <= 0 || r->current->inside_begin || r->current->list_mode != 0 ||
        r->gl.glScissor == NULL || r->gl.glColorMask == NULL || r->gl.glDepthMask == NULL)
        return;
    begin_clear(r, &state, values);
    scissor_enable(&state.access, true);
    scissor_set(&state.access, x, y, width, height);
    r->gl.glClear(values->mask);
    end_clear(r, &state, values->mask);
}
