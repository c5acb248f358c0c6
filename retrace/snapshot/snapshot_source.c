/* SPDX-License-Identifier: MIT */
#include "snapshot/snapshot_source.h"

#include "base/error.h"
#include "objects/replay_drawable.h"
#include "objects/replay_state.h"
#include "state/state_attachment.h"

/* Gets the size and format of an attachment of the draw framebuffer: GL_FRAMEBUFFER in all versions. */
static bool examine(struct replayer *r, GLenum point, struct state_image_info *a)
{
    struct state_dump d;
    GLenum type;
    GLuint name;
    state_query_init(&d, r);
    return state_examine_attachment(&d, GL_FRAMEBUFFER, point, &type, &name, a);
}

/* --- samples --------------------------------------------------------------------------------------- */

static bool has_depth_and_stencil(GLint format)
{
    return format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8 || format == GL_DEPTH_STENCIL;
}

static int deleted_elsewhere(const struct snapshot_source *s)
{
    return trace_error_set(TRACE_ERR_UNSUPPORTED,
                           "no snapshot of framebuffer %d: another context has deleted an object that is "
                           "attached or bound",
                           s->framebuffer);
}

/* Where the copy is attached, and which pixels are copied. Depth and stencil in one image have one format,
 * with which they are copied together. */
static GLbitfield copied_bits(enum snapshot_kind kind, GLint format, GLenum *point)
{
    if (kind == SNAPSHOT_COLOR) {
        *point = GL_COLOR_ATTACHMENT0;
        return GL_COLOR_BUFFER_BIT;
    }
    if (has_depth_and_stencil(format)) {
        *point = GL_DEPTH_STENCIL_ATTACHMENT;
        return GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    }
    *point = kind == SNAPSHOT_DEPTH ? GL_DEPTH_ATTACHMENT : GL_STENCIL_ATTACHMENT;
    return kind == SNAPSHOT_DEPTH ? GL_DEPTH_BUFFER_BIT : GL_STENCIL_BUFFER_BIT;
}

/* Attaches a new renderbuffer to the new copy, which is bound for drawing afterwards. */
static void create_copy(struct replayer *r, struct snapshot_source *s, const struct state_image_info *a,
                        GLenum point)
{
    const struct gl_functions *gl = &r->gl;
    gl->glGenFramebuffers(1, &s->copy);
    gl->glGenRenderbuffers(1, &s->copy_image);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, s->copy_image);
    gl->glRenderbufferStorage(GL_RENDERBUFFER, (GLenum)a->internal_format, a->width, a->height);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->copy);
    gl->glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, point, GL_RENDERBUFFER, s->copy_image);
    if (point != GL_COLOR_ATTACHMENT0 && !r->current->is_es && gl->glDrawBuffer != NULL)
        gl->glDrawBuffer(GL_NONE); /* old versions require it of a framebuffer without colours */
}

/* glReadPixels() cannot read samples, so they are resolved to a renderbuffer of the same format. */
static int resolve(struct replayer *r, struct snapshot_source *s, const struct state_image_info *a)
{
    const struct gl_functions *gl = &r->gl;
    GLint image = replay_get_integer(r, GL_RENDERBUFFER_BINDING, 0);
    GLint read = replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, 0);
    bool scissor = gl->glIsEnabled(GL_SCISSOR_TEST) != GL_FALSE;
    GLenum point;
    GLbitfield bits = copied_bits(s->kind, a->internal_format, &point);
    if (!replay_can_bind_renderbuffer(r, image))
        return deleted_elsewhere(s);
    create_copy(r, s, a, point);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->framebuffer);
    GLint buffer = replay_get_integer(r, GL_READ_BUFFER, GL_COLOR_ATTACHMENT0);
    if (s->kind == SNAPSHOT_COLOR)
        gl->glReadBuffer(s->buffer);
    gl->glDisable(GL_SCISSOR_TEST);
    gl->glBlitFramebuffer(0, 0, a->width, a->height, 0, 0, a->width, a->height, bits, GL_NEAREST);
    if (scissor)
        gl->glEnable(GL_SCISSOR_TEST);
    if (s->kind == SNAPSHOT_COLOR)
        gl->glReadBuffer((GLenum)buffer);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)s->framebuffer);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)image);
    replay_clear_errors(r);
    s->framebuffer = (GLint)s->copy;
    s->buffer = s->kind == SNAPSHOT_COLOR ? GL_COLOR_ATTACHMENT0 : GL_NONE;
    return 0;
}

static bool can_resolve(const struct gl_functions *gl)
{
    return gl->glBlitFramebuffer != NULL && gl->glGenFramebuffers != NULL && gl->glGenRenderbuffers != NULL &&
           gl->glRenderbufferStorage != NULL && gl->glFramebufferRenderbuffer != NULL &&
           gl->glIsEnabled != NULL && gl->glEnable != NULL && gl->glDisable != NULL &&
           gl->glReadBuffer != NULL;
}

/* --- what is drawn to ------------------------------------------------------------------------------ */

static bool has_several_outputs(const struct replay_context *context)
{
    return context->version >= (context->is_es ? 30 : 20);
}

unsigned snapshot_output_count(struct replayer *r)
{
    enum { MOST = 32 };
    GLint count = has_several_outputs(r->current) ? replay_get_integer(r, GL_MAX_DRAW_BUFFERS, 1) : 1;
    return count < 1 ? 1 : count > MOST ? MOST : (unsigned)count;
}

/* The buffer that an output is drawn to. */
static GLenum draw_buffer(struct replayer *r, GLint framebuffer, unsigned output)
{
    const struct replay_context *context = r->current;
    GLint fallback = framebuffer != 0 ? GL_COLOR_ATTACHMENT0 : GL_BACK;
    if (context->is_es && context->version < 30)
        return (GLenum)fallback;
    if (output == 0)
        return (GLenum)replay_get_integer(r, context->is_es ? GL_DRAW_BUFFER0 : GL_DRAW_BUFFER, fallback);
    return (GLenum)replay_get_integer(r, GL_DRAW_BUFFER0 + output, GL_NONE);
}

static int find_in_window(struct replayer *r, unsigned output, struct snapshot_source *s)
{
    if (r->thread->draw == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "no drawable to take a snapshot of");
    if (output > 0)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "a window has one output");
    s->width = replay_drawable_width(r->thread->draw);
    s->height = replay_drawable_height(r->thread->draw);
    if (r->options->snapshot_back_buffer)
        s->buffer = GL_BACK;
    else if (s->kind == SNAPSHOT_COLOR)
        s->buffer = draw_buffer(r, 0, 0);
    if (r->current->is_es && s->buffer == GL_NONE)
        s->buffer = GL_BACK; /* the only one; Mesa 22 crashes if none is read */
    return 0;
}

static int no_attachment(const struct snapshot_source *s)
{
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "framebuffer %d has no attachment to take a snapshot of",
                           s->framebuffer);
}

static int find_in_framebuffer(struct replayer *r, unsigned output, struct snapshot_source *s)
{
    static const GLenum points[] = {
        [SNAPSHOT_DEPTH] = GL_DEPTH_ATTACHMENT, [SNAPSHOT_STENCIL] = GL_STENCIL_ATTACHMENT};
    struct state_image_info a;
    if (s->kind == SNAPSHOT_COLOR)
        s->buffer = draw_buffer(r, s->framebuffer, output);
    GLenum point = s->kind == SNAPSHOT_COLOR ? s->buffer : points[s->kind];
    if (point == GL_NONE || !examine(r, point, &a))
        return point != GL_NONE && a.is_deleted ? deleted_elsewhere(s) : no_attachment(s);
    s->width = a.width;
    s->height = a.height;
    if (a.samples > 0 && can_resolve(&r->gl))
        return resolve(r, s, &a);
    return 0;
}

int snapshot_source_init(struct replayer *r, enum snapshot_kind kind, unsigned output,
                         struct snapshot_source *s)
{
    *s = (struct snapshot_source){.kind = kind};
    if (!r->options->snapshot_back_buffer && r->gl.glBindFramebuffer != NULL &&
        r->gl.glGetFramebufferAttachmentParameteriv != NULL)
        s->framebuffer = replay_draw_framebuffer(r);
    s->is_window = s->framebuffer == 0;
    return s->is_window ? find_in_window(r, output, s) : find_in_framebuffer(r, output, s);
}

void snapshot_source_fini(struct replayer *r, struct snapshot_source *s)
{
    if (s->copy != 0)
        r->gl.glDeleteFramebuffers(1, &s->copy);
    if (s->copy_image != 0)
        r->gl.glDeleteRenderbuffers(1, &s->copy_image);
}
