/* SPDX-License-Identifier: MIT
 * Reads textures of OpenGL ES that cannot be read by framebuffers, since no pixels can be drawn to them: a
 * shader draws them to what can be read. This happens in a context of its own.
 */
#ifndef RETRACE_STATE_TEXTURE_DRAW_H
#define RETRACE_STATE_TEXTURE_DRAW_H

#include "state/state_image.h"
#include "state/state_units.h"

/* Finds out what a level of the texture is that is bound to t in the active unit, like state_examine_level(),
 * where the program's context does not tell. Returns false if no other context does. */
bool state_examine_beside(struct state_dump *d, const struct state_target *t, GLenum image, GLuint texture,
                          GLint level, struct state_image_info *out);

/* Reads a level of the texture that is bound to t in the active unit. It must have one sample. Returns false
 * if the driver has no OpenGL ES 3, or the level is not complete. */
bool state_draw_level(struct state_dump *d, const struct state_target *t, GLenum image, GLuint texture,
                      GLint level, const struct state_image_info *info, struct state_pixels *out);

#endif
