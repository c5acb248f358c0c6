/* SPDX-License-Identifier: MIT */
#include "objects/pack_state.h"

#include "objects/replay_state.h"

static const GLenum parameters[PACK_STATE_PARAMETERS] = {
    GL_PACK_ALIGNMENT,    GL_PACK_ROW_LENGTH,           GL_PACK_SKIP_ROWS,  GL_PACK_SKIP_PIXELS,
    GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES,          GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST,
    GL_PACK_INVERT_MESA,  PACK_REVERSE_ROW_ORDER_ANGLE,
};

/* Compatibility profiles scale, bias and map what is read. While a display list is compiled, a change would
 * become part of it. */
static const struct transfer {
    GLenum pname;
    GLfloat none;
} transfers[PACK_STATE_TRANSFERS] = {
    {GL_RED_SCALE, 1}, {GL_RED_BIAS, 0},    {GL_GREEN_SCALE, 1}, {GL_GREEN_BIAS, 0},   {GL_BLUE_SCALE, 1},
    {GL_BLUE_BIAS, 0}, {GL_ALPHA_SCALE, 1}, {GL_ALPHA_BIAS, 0},  {GL_DEPTH_SCALE, 1},  {GL_DEPTH_BIAS, 0},
    {GL_MAP_COLOR, 0}, {GL_MAP_STENCIL, 0}, {GL_INDEX_SHIFT, 0}, {GL_INDEX_OFFSET, 0},
};

static bool has_transfers(const struct replayer *r)
{
    return !r->current->is_es && r->current->config.profile != PROFILE_CORE && r->current->list_mode == 0 &&
           r->gl.glPixelTransferf != NULL && r->gl.glGetFloatv != NULL;
}

static void reset_transfers(struct replayer *r, struct pack_state *s)
{
    for (int i = 0; i < PACK_STATE_TRANSFERS; ++i) {
        const struct transfer *t = &transfers[i];
        s->transfers[i] = t->none;
        if (has_transfers(r))
            r->gl.glGetFloatv(t->pname, &s->transfers[i]);
        s->is_transfer_changed[i] = s->transfers[i] != t->none;
        if (s->is_transfer_changed[i])
            r->gl.glPixelTransferf(t->pname, t->none);
    }
}

/* What a context lacks has the value that is wanted. */
bool pack_state_reset(struct replayer *r, struct pack_state *s)
{
    const struct gl_functions *gl = &r->gl;
    s->has_buffer = replay_state_may_pack(r->current) && gl->glBindBuffer != NULL;
    s->buffer = s->has_buffer ? replay_get_integer(r, GL_PIXEL_PACK_BUFFER_BINDING, 0) : 0;
    if (!replay_can_bind_buffer(r, s->buffer))
        return false;
    for (int i = 0; i < PACK_STATE_PARAMETERS; ++i) {
        GLint wanted = parameters[i] == GL_PACK_ALIGNMENT ? 1 : 0;
        s->values[i] = replay_get_integer(r, parameters[i], wanted);
        s->is_changed[i] = s->values[i] != wanted;
        if (s->is_changed[i])
            gl->glPixelStorei(parameters[i], wanted);
    }
    reset_transfers(r, s);
    if (s->has_buffer)
        gl->glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    replay_clear_errors(r);
    return true;
}

void pack_state_restore(struct replayer *r, const struct pack_state *s)
{
    const struct gl_functions *gl = &r->gl;
    if (s->has_buffer)
        gl->glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)s->buffer);
    for (int i = 0; i < PACK_STATE_PARAMETERS; ++i)
        if (s->is_changed[i])
            gl->glPixelStorei(parameters[i], s->values[i]);
    for (int i = 0; i < PACK_STATE_TRANSFERS; ++i)
        if (s->is_transfer_changed[i])
            gl->glPixelTransferf(transfers[i].pname, s->transfers[i]);
    replay_clear_errors(r);
}
