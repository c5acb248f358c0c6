/* SPDX-License-Identifier: MIT
 * The attachments of framebuffer objects, for state dumps and pictures.
 */
#ifndef RETRACE_STATE_ATTACHMENT_H
#define RETRACE_STATE_ATTACHMENT_H

#include "state/state_image.h"

/* Finds out what is attached. Returns false if nothing is, or it cannot be told. An object that another
 * context has deleted cannot be bound, or not be bound again, for that (see replay_can_bind_texture()). */
bool state_examine_attachment(struct state_dump *d, GLenum target, GLenum point, GLenum *type, GLuint *name,
                              struct state_image_info *out);

/* A framebuffer with one sample a pixel. */
struct state_resolved {
    GLuint framebuffer; /* 0: none is needed */
    GLuint images[3];   /* renderbuffers */
    int count;
    GLint draw; /* the framebuffer that was bound for drawing */
    GLint renderbuffer;
};

/* If the draw framebuffer has several samples a pixel, copies its first colours, depths and stencils to
 * a framebuffer that can be read, and binds that for reading and drawing. */
void state_resolve(struct state_dump *d, GLuint framebuffer, struct state_resolved *out);
/* Deletes the copy, and binds what was bound for drawing. */
void state_resolved_fini(struct state_dump *d, struct state_resolved *resolved);

#endif
