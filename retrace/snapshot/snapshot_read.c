/* SPDX-License-Identifier: MIT */
#include "snapshot/snapshot_read.h"

#include "base/error.h"
#include "objects/pack_state.h"
#include "objects/replay_state.h"
#include "objects/window_buffers.h"

/* State that affects what is read, and how it is stored. To be restored. */
struct pixel_state {
    struct pack_state pack;
    GLint read_framebuffer, read_buffer;
    bool has_read_framebuffer;
    bool selects_buffer; /* for reading */
    bool draws_nothing;  /* to the window's colours */
    bool reads_depth;    /* of the window */
};

static bool draws_nothing(struct replayer *r, const struct snapshot_source *source)
{
    const struct replay_context *context = r->current;
    return source->framebuffer == 0 && !context->is_es && r->gl.glDrawBuffer != NULL &&
           replay_get_integer(r, GL_DRAW_BUFFER, GL_BACK) == GL_NONE &&
           (context->version < 20 || replay_get_integer(r, GL_DRAW_BUFFER1, GL_NONE) == GL_NONE) &&
           replay_draw_framebuffer(r) == 0;
}

/* Extensions of old versions may have one binding for drawing and reading. */
static bool has_read_framebuffer(struct replayer *r, const struct snapshot_source *source)
{
    return r->gl.glBindFramebuffer != NULL &&
           (r->current->version >= 30 ||
            (source->framebuffer != 0 && replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, -1) != -1));
}

static bool must_select(struct replayer *r, struct pixel_state *s, const struct snapshot_source *source)
{
    const struct replay_context *context = r->current;
    if (source->buffer == GL_NONE || context->version < (context->is_es ? 30 : 10) ||
        r->gl.glReadBuffer == NULL)
        return false;
    GLint selected = replay_get_integer(r, GL_READ_BUFFER, -1);
    s->read_buffer = selected >= 0 ? selected : GL_BACK;
    return selected != (GLint)source->buffer;
}

static void put_back(struct replayer *r, const struct pixel_state *s)
{
    const struct gl_functions *gl = &r->gl;
    if (s->reads_depth)
        window_buffers_end_depth(r);
    if (s->draws_nothing)
        gl->glDrawBuffer(GL_NONE);
    if (s->selects_buffer)
        window_buffers_read(r, (GLenum)s->read_buffer);
    if (s->has_read_framebuffer)
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->read_framebuffer);
    pack_state_restore(r, &s->pack);
}

/* Nothing needs to be put back after an error. */
static int set_up(struct replayer *r, struct pixel_state *s, const struct snapshot_source *source)
{
    const struct gl_functions *gl = &r->gl;
    s->has_read_framebuffer = has_read_framebuffer(r, source);
    if (!pack_state_reset(r, &s->pack))
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "the framebuffer cannot be read: another context has deleted the pixel pack "
                               "buffer that is bound");
    s->draws_nothing = draws_nothing(r, source);
    if (s->has_read_framebuffer) {
        s->read_framebuffer = replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, 0);
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)source->framebuffer);
    }
    s->selects_buffer = must_select(r, s, source);
    if (r->current->list_mode != 0 && (s->selects_buffer || s->draws_nothing)) {
        /* what selects buffers would become part of the list */
        s->selects_buffer = s->draws_nothing = false;
        put_back(r, s);
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "the framebuffer cannot be read while a display list is compiled");
    }
    /* Mesa 22 draws wrong colours after some were read while none could be drawn. */
    if (s->draws_nothing)
        gl->glDrawBuffer(source->buffer != GL_NONE ? source->buffer : GL_BACK);
    if (s->selects_buffer)
        window_buffers_read(r, source->buffer);
    s->reads_depth =
        source->kind != SNAPSHOT_COLOR && source->framebuffer == 0 && window_buffers_begin_depth(r);
    replay_clear_errors(r);
    return 0;
}

/* Four bytes a pixel, or one. */
static const struct read_format {
    GLenum format, type;
    uint32_t channels;
} formats[] = {
    [SNAPSHOT_COLOR] = {GL_RGBA, GL_UNSIGNED_BYTE, 4},
    [SNAPSHOT_DEPTH] = {GL_DEPTH_COMPONENT, GL_FLOAT, sizeof(GLfloat)},
    [SNAPSHOT_STENCIL] = {GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1},
};

int snapshot_read(struct replayer *r, const struct snapshot_source *source, struct image *out)
{
    const struct gl_functions *gl = &r->gl;
    const struct read_format *f = &formats[source->kind];
    struct pixel_state state = {0};
    int rc = image_init(out, (uint32_t)source->width, (uint32_t)source->height, f->channels);
    if (rc != 0)
        return rc;
    rc = set_up(r, &state, source);
    if (rc == 0) {
        gl->glReadPixels(0, 0, source->width, source->height, f->format, f->type, out->pixels);
        if (gl->glGetError() != GL_NO_ERROR)
            rc = trace_error_set(TRACE_ERR_UNSUPPORTED, "the framebuffer cannot be read");
        put_back(r, &state);
    }
    if (rc != 0)
        image_fini(out);
    return rc;
}
