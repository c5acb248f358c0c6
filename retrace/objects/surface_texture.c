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

void surface_texture_copy(struct replayer *r, const struct replay_drawable *surface)
{
    const struct gl_functions *gl = &r->gl;
    bool has_alpha = !surface->has_buffers || surface->buffers.colour[3] > 0;
    GLint framebuffer = replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, 0);
    if (framebuffer != 0)
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    gl->glCopyTexImage2D(GL_TEXTURE_2D, 0, has_alpha ? GL_RGBA : GL_RGB, 0, 0, surface->width,
                         surface->height, 0);
    if (framebuffer != 0)
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)framebuffer);
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
