/* SPDX-License-Identifier: MIT */
#include "state/state_framebuffer.h"

#include "objects/pack_state.h"
#include "objects/replay_state.h"
#include "objects/window_buffers.h"
#include "state/state_attachment.h"
#include "state/state_image.h"

static const struct state_read_format colours = {GL_RGB, GL_UNSIGNED_BYTE, 3};
static const struct state_read_format depths = {GL_DEPTH_COMPONENT, GL_FLOAT, 1};
static const struct state_read_format stencils = {GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1};

/* Reads from the read framebuffer, and writes the picture as a member if that succeeds. */
static void write_read_buffer(struct state_dump *d, const char *member, const char *label,
                              const struct state_image_info *info, const struct state_read_format *read)
{
    struct state_pixels pixels;
    struct pack_state pack;
    struct state_read_format possible = *read;
    if (d->context->is_es && read->format != GL_STENCIL_INDEX && read->format != GL_DEPTH_COMPONENT)
        possible = /* the only formats that are guaranteed */
            (struct state_read_format){GL_RGBA, read->type == GL_FLOAT ? GL_FLOAT : GL_UNSIGNED_BYTE, 4};
    if (!state_pixels_init(d, &pixels, info, &possible) || !pack_state_reset(d->r, &pack))
        return;
    d->r->gl.glReadPixels(0, 0, info->width, info->height, possible.format, possible.type, pixels.data);
    bool is_read = state_no_error(d);
    pack_state_restore(d->r, &pack);
    if (is_read) {
        state_key(&d->w, member);
        state_write_pixels(d, &pixels, 1, info->internal_format, label);
    }
}

/* --- the window ------------------------------------------------------------------------------------ */

static GLint window_bits(struct state_dump *d, GLenum pname, GLenum point, GLenum core_pname)
{
    GLint bits = 0;
    if (!d->is_core || d->r->gl.glGetFramebufferAttachmentParameteriv == NULL)
        return state_get_integer(d, pname, 0);
    d->r->gl.glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, point, core_pname, &bits);
    return state_no_error(d) ? bits : 0;
}

static void write_window(struct state_dump *d)
{
    const struct gl_functions *gl = &d->r->gl;
    const struct replay_drawable *window = d->r->thread->draw;
    if (window == NULL)
        return;
    struct state_image_info info = {.width = window->width, .height = window->height, .depth = 1};
    bool is_es = d->context->is_es;
    bool has_choice = state_has_version(d, 10, 30) && gl->glReadBuffer != NULL;
    GLenum buffer = has_choice && !is_es ? (GLenum)state_get_integer(d, GL_DRAW_BUFFER, GL_BACK) : GL_BACK;
    GLint selected = has_choice ? state_get_integer(d, GL_READ_BUFFER, GL_BACK) : 0;
    /* OpenGL ES has one buffer, or reads none. Nothing is selected needlessly: Mesa also keeps the buffer for
     * glPopAttrib(), which may find it wrong for a framebuffer object. */
    bool selects =
        has_choice && buffer != GL_NONE && (is_es ? selected == GL_NONE : selected != (GLint)buffer);
    if (selects)
        window_buffers_read(d->r, buffer);
    state_no_error(d);
    if (buffer != GL_NONE) {
        const char *name = state_enum_name(d, buffer);
        info.internal_format = GL_RGB;
        write_read_buffer(d, name != NULL ? name : "GL_BACK", "", &info, &colours);
    }
    info.internal_format = GL_DEPTH_COMPONENT;
    if (window_bits(d, GL_DEPTH_BITS, GL_DEPTH, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE) > 0)
        write_read_buffer(d, "GL_DEPTH_COMPONENT", "", &info, &depths);
    info.internal_format = GL_STENCIL_INDEX;
    if (window_bits(d, GL_STENCIL_BITS, GL_STENCIL, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE) > 0)
        write_read_buffer(d, "GL_STENCIL_INDEX", "", &info, &stencils);
    if (selects)
        window_buffers_read(d->r, (GLenum)selected);
    state_no_error(d);
}

/* --- framebuffer objects --------------------------------------------------------------------------- */

/* Writes an attachment of the read framebuffer, whose colours glReadBuffer() has selected. */
static void write_attachment(struct state_dump *d, GLenum target, GLenum point,
                             const struct state_read_format *read)
{
    struct state_image_info info;
    struct state_read_format format;
    char label[STATE_LABEL_BYTES];
    GLenum type;
    GLuint name;
    if (!state_examine_attachment(d, target, point, &type, &name, &info))
        return;
    info.depth = 1;
    if (read != NULL)
        format = *read;
    else
        state_choose_format(d, info.internal_format, &format);
    const char *member = state_enum_name(d, point);
    state_get_label(d, type, name, label);
    write_read_buffer(d, member != NULL ? member : "GL_COLOR_ATTACHMENT0", label, &info, &format);
}

static void write_attachments(struct state_dump *d, GLenum target)
{
    enum { MOST = 32 };
    const struct gl_functions *gl = &d->r->gl;
    bool has_choice = state_has_version(d, 10, 30) && gl->glReadBuffer != NULL;
    if (d->gl.glCheckFramebufferStatus == NULL ||
        d->gl.glCheckFramebufferStatus(target) != GL_FRAMEBUFFER_COMPLETE || !state_no_error(d)) {
        state_no_error(d);
        replay_warn(d->r, "the framebuffer is incomplete, and cannot be dumped");
        return;
    }
    GLint selected = has_choice ? state_get_integer(d, GL_READ_BUFFER, GL_COLOR_ATTACHMENT0) : 0;
    GLint current = selected;
    GLint count = has_choice ? state_get_integer(d, GL_MAX_DRAW_BUFFERS, 1) : 1;
    for (GLint i = 0; i < count && i < MOST; ++i) {
        GLint buffer =
            has_choice ? state_get_integer(d, GL_DRAW_BUFFER0 + (GLenum)i, GL_NONE) : GL_COLOR_ATTACHMENT0;
        if (buffer == GL_NONE)
            continue;
        if (has_choice && buffer != current)
            gl->glReadBuffer((GLenum)buffer);
        current = buffer;
        if (state_no_error(d))
            write_attachment(d, target, (GLenum)buffer, NULL);
    }
    if (has_choice && current != selected)
        gl->glReadBuffer((GLenum)selected);
    state_no_error(d);
    write_attachment(d, target, GL_DEPTH_ATTACHMENT, &depths);
    write_attachment(d, target, GL_STENCIL_ATTACHMENT, &stencils);
}

void state_dump_framebuffer(struct state_dump *d)
{
    const struct gl_functions *gl = &d->r->gl;
    bool has_framebuffers = gl->glBindFramebuffer != NULL;
    GLint draw = has_framebuffers ? replay_draw_framebuffer(d->r) : 0;
    /* The extensions of old versions have one binding or two. */
    int none = state_has_version(d, 30, 30) ? 0 : -1;
    GLint read = has_framebuffers ? state_get_integer(d, GL_READ_FRAMEBUFFER_BINDING, none) : -1;
    bool has_read = read != -1;
    GLenum target = has_read ? GL_READ_FRAMEBUFFER : GL_FRAMEBUFFER;
    struct state_resolved resolved = {0};
    state_key(&d->w, "framebuffer");
    state_begin_object(&d->w);
    if (draw != 0 && has_read)
        state_resolve(d, (GLuint)draw, &resolved);
    if (has_read && resolved.framebuffer == 0)
        gl->glBindFramebuffer(target, (GLuint)draw);
    state_no_error(d);
    if (draw == 0)
        write_window(d);
    else
        write_attachments(d, target);
    if (has_read)
        gl->glBindFramebuffer(target, (GLuint)read);
    state_resolved_fini(d, &resolved);
    state_no_error(d);
    state_end_object(&d->w);
}
