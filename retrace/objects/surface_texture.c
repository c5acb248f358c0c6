/* SPDX-License-Identifier: MIT */
#include "objects/surface_texture.h"

#include "objects/replay_state.h"

void surface_texture_bind(struct replayer *r, struct replay_drawable *surface)
{
    surface->has_texture = true;
    surface->texture = (GLuint)replay_get_integer(r, GL_TEXTURE_BINDING_2D, 0);
    surface->texture_group = r->current->group;
}

void surface_texture_release(struct replay_drawable *surface)
{
    surface->has_texture = false;
}

/* Returns false if the driver refuses the format. */
static bool copy_as(struct replayer *r, const struct replay_drawable *surface, GLenum format)
{
    r->gl.glCopyTexImage2D(GL_TEXTURE_2D, 0, format, 0, 0, surface->width, surface->height, 0);
    return r->gl.glGetError() == GL_NO_ERROR;
}

/* OpenGL ES 2.0 has one binding of framebuffers. In OpenGL ES 3.0, colours of 10 bits need a sized format
 * (3.8.5). */
void surface_texture_copy(struct replayer *r, const struct replay_drawable *surface)
{
    const struct gl_functions *gl = &r->gl;
    bool has_alpha = !surface->has_buffers || surface->buffers.colour[3] > 0;
    GLint framebuffer = replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, -1);
    GLenum target = framebuffer != -1 ? GL_READ_FRAMEBUFFER : GL_FRAMEBUFFER;
    if (framebuffer == -1)
        framebuffer = replay_draw_framebuffer(r);
    if (framebuffer != 0)
        gl->glBindFramebuffer(target, 0);
    replay_clear_errors(r);
    if (!copy_as(r, surface, has_alpha ? GL_RGBA : GL_RGB) && has_alpha)
        copy_as(r, surface, GL_RGB10_A2);
    if (framebuffer != 0)
        gl->glBindFramebuffer(target, (GLuint)framebuffer);
    replay_clear_errors(r);
}

void surface_texture_leave(struct replayer *r, const struct replay_thread *t)
{
    const struct replay_drawable *surface = t->draw;
    if (surface == NULL || !surface->has_texture || !surface->is_drawn || surface != t->read ||
        r->current == NULL || r->current != t->context || r->current->inside_begin ||
        r->current->group != surface->texture_group || r->gl.glCopyTexImage2D == NULL)
        return;
    GLint bound = replay_get_integer(r, GL_TEXTURE_BINDING_2D, 0);
    if (!replay_can_bind_texture(r, (GLint)surface->texture) || !replay_can_bind_texture(r, bound))
        return;
    r->gl.glBindTexture(GL_TEXTURE_2D, surface->texture);
    surface_texture_copy(r, surface);
    r->gl.glBindTexture(GL_TEXTURE_2D, (GLuint)bound);
}
