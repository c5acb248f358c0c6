/* SPDX-License-Identifier: MIT */
#include "objects/pack_state.h"

#include "objects/replay_state.h"

static const GLenum parameters[PACK_STATE_PARAMETERS] = {
    GL_PACK_ALIGNMENT,    GL_PACK_ROW_LENGTH,           GL_PACK_SKIP_ROWS,  GL_PACK_SKIP_PIXELS,
    GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES,          GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST,
    GL_PACK_INVERT_MESA,  PACK_REVERSE_ROW_ORDER_ANGLE,
};

/* What a context lacks has the value that is wanted. */
void pack_state_reset(struct replayer *r, struct pack_state *s)
{
    const struct gl_functions *gl = &r->gl;
    const struct replay_context *context = r->current;
    for (int i = 0; i < PACK_STATE_PARAMETERS; ++i) {
        GLint wanted = parameters[i] == GL_PACK_ALIGNMENT ? 1 : 0;
        s->values[i] = replay_get_integer(r, parameters[i], wanted);
        s->is_changed[i] = s->values[i] != wanted;
        if (s->is_changed[i])
            gl->glPixelStorei(parameters[i], wanted);
    }
    s->has_buffer = context->version >= (context->is_es ? 30 : 21) && gl->glBindBuffer != NULL;
    if (s->has_buffer) {
        s->buffer = replay_get_integer(r, GL_PIXEL_PACK_BUFFER_BINDING, 0);
        gl->glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }
    replay_clear_errors(r);
}

void pack_state_restore(struct replayer *r, const struct pack_state *s)
{
    const struct gl_functions *gl = &r->gl;
    if (s->has_buffer)
        gl->glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)s->buffer);
    for (int i = 0; i < PACK_STATE_PARAMETERS; ++i)
        if (s->is_changed[i])
            gl->glPixelStorei(parameters[i], s->values[i]);
    replay_clear_errors(r);
}
