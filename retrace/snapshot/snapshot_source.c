/* SPDX-License-Identifier: MIT */
#include "snapshot/snapshot_source.h"

#include "base/error.h"
#include "objects/replay_state.h"

/* An image that is attached to a framebuffer. */
struct attachment {
    GLint width, height, samples, format;
};

/* The kinds of textures that a framebuffer can have, with their bindings. */
static const struct texture_target {
    GLenum target, binding;
    GLenum image;         /* target for glGetTexLevelParameteriv() */
    bool rows_are_layers; /* the height is a number of layers */
} texture_targets[] = {
    {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, GL_TEXTURE_2D, false},
    {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, GL_TEXTURE_CUBE_MAP_POSITIVE_X, false},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, GL_TEXTURE_2D_ARRAY, false},
    {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, GL_TEXTURE_3D, false},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, GL_TEXTURE_RECTANGLE, false},
    {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE, GL_TEXTURE_2D_MULTISAMPLE, false},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
     GL_TEXTURE_2D_MULTISAMPLE_ARRAY, false},
    {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, GL_TEXTURE_CUBE_MAP_ARRAY, false},
    {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D, GL_TEXTURE_1D, false},
    {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY, GL_TEXTURE_1D_ARRAY, true},
};

static void examine_renderbuffer(struct replayer *r, GLuint name, struct attachment *a)
{
    const struct gl_functions *gl = &r->gl;
    GLint bound = replay_get_integer(r, GL_RENDERBUFFER_BINDING, 0);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, name);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &a->width);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_HEIGHT, &a->height);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &a->format);
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &a->samples);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)bound);
}

/* Returns false if the texture does not have this target, to which it cannot be bound. */
static bool examine_texture(struct replayer *r, const struct texture_target *t, GLuint name, GLint level,
                            struct attachment *a)
{
    const struct gl_functions *gl = &r->gl;
    GLint bound = replay_get_integer(r, t->binding, -1);
    if (bound < 0)
        return false;
    gl->glBindTexture(t->target, name);
    bool has_target = gl->glGetError() == GL_NO_ERROR;
    if (has_target) {
        gl->glGetTexLevelParameteriv(t->image, level, GL_TEXTURE_WIDTH, &a->width);
        gl->glGetTexLevelParameteriv(t->image, level, GL_TEXTURE_HEIGHT, &a->height);
        gl->glGetTexLevelParameteriv(t->image, level, GL_TEXTURE_INTERNAL_FORMAT, &a->format);
        replay_clear_errors(r); /* not every context has multisampled textures */
        gl->glGetTexLevelParameteriv(t->image, level, GL_TEXTURE_SAMPLES, &a->samples);
        a->height = t->rows_are_layers ? 1 : a->height;
    }
    gl->glBindTexture(t->target, (GLuint)bound);
    replay_clear_errors(r);
    return has_target;
}

/* Gets the size and format of an attachment of the draw framebuffer. */
static bool examine(struct replayer *r, GLenum point, struct attachment *a)
{
    const struct gl_functions *gl = &r->gl;
    GLenum target = r->current->version >= 30 ? GL_DRAW_FRAMEBUFFER : GL_FRAMEBUFFER;
    GLint type = GL_NONE, name = 0, level = 0;
    *a = (struct attachment){0};
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    if (type == GL_RENDERBUFFER) {
        examine_renderbuffer(r, (GLuint)name, a);
    } else if (type == GL_TEXTURE && gl->glGetTexLevelParameteriv != NULL) {
        gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL,
                                                  &level);
        for (size_t i = 0; i < sizeof texture_targets / sizeof *texture_targets; ++i)
            if (examine_texture(r, &texture_targets[i], (GLuint)name, level, a))
                break;
    }
    replay_clear_errors(r);
    return a->width > 0 && a->height > 0;
}

/* glReadPixels() cannot read samples, so they are resolved to a renderbuffer of the same format. */
static void resolve(struct replayer *r, struct snapshot_source *s, const struct attachment *a)
{
    const struct gl_functions *gl = &r->gl;
    GLint image = replay_get_integer(r, GL_RENDERBUFFER_BINDING, 0);
    GLint read = replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, 0);
    bool scissor = gl->glIsEnabled(GL_SCISSOR_TEST) != GL_FALSE;
    gl->glGenFramebuffers(1, &s->copy);
    gl->glGenRenderbuffers(1, &s->copy_image);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, s->copy_image);
    gl->glRenderbufferStorage(GL_RENDERBUFFER, (GLenum)a->format, a->width, a->height);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->framebuffer);
    GLint buffer = replay_get_integer(r, GL_READ_BUFFER, GL_COLOR_ATTACHMENT0);
    gl->glReadBuffer(s->buffer);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->copy);
    gl->glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s->copy_image);
    gl->glDisable(GL_SCISSOR_TEST);
    gl->glBlitFramebuffer(0, 0, a->width, a->height, 0, 0, a->width, a->height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    if (scissor)
        gl->glEnable(GL_SCISSOR_TEST);
    gl->glReadBuffer((GLenum)buffer);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)s->framebuffer);
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)image);
    replay_clear_errors(r);
    s->framebuffer = (GLint)s->copy;
    s->buffer = GL_COLOR_ATTACHMENT0;
}

static bool can_resolve(const struct gl_functions *gl)
{
    return gl->glBlitFramebuffer != NULL && gl->glGenFramebuffers != NULL && gl->glGenRenderbuffers != NULL &&
           gl->glRenderbufferStorage != NULL && gl->glFramebufferRenderbuffer != NULL &&
           gl->glIsEnabled != NULL && gl->glEnable != NULL && gl->glDisable != NULL &&
           gl->glReadBuffer != NULL;
}

/* The first buffer that is drawn to. */
static GLenum draw_buffer(struct replayer *r, GLint framebuffer)
{
    const struct replay_context *context = r->current;
    GLint fallback = framebuffer != 0 ? GL_COLOR_ATTACHMENT0 : GL_BACK;
    if (context->is_es && context->version < 30)
        return (GLenum)fallback;
    return (GLenum)replay_get_integer(r, context->is_es ? GL_DRAW_BUFFER0 : GL_DRAW_BUFFER, fallback);
}

int snapshot_source_init(struct replayer *r, struct snapshot_source *s)
{
    const struct gl_functions *gl = &r->gl;
    *s = (struct snapshot_source){0};
    if (gl->glBindFramebuffer != NULL && r->current->version >= (r->current->is_es ? 20 : 30))
        s->framebuffer = replay_get_integer(r, GL_DRAW_FRAMEBUFFER_BINDING, 0);
    s->is_window = s->framebuffer == 0;
    s->buffer = draw_buffer(r, s->framebuffer);
    if (s->is_window && r->thread->draw == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "no drawable to take a snapshot of");
    if (s->is_window) {
        s->width = r->thread->draw->width;
        s->height = r->thread->draw->height;
        return 0;
    }
    struct attachment a;
    if (s->buffer == GL_NONE || !examine(r, s->buffer, &a))
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "framebuffer %d has no attachment to take a snapshot of", s->framebuffer);
    s->width = a.width;
    s->height = a.height;
    if (a.samples > 0 && can_resolve(gl))
        resolve(r, s, &a);
    return 0;
}

void snapshot_source_fini(struct replayer *r, struct snapshot_source *s)
{
    if (s->copy != 0)
        r->gl.glDeleteFramebuffers(1, &s->copy);
    if (s->copy_image != 0)
        r->gl.glDeleteRenderbuffers(1, &s->copy_image);
}
