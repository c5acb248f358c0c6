/* SPDX-License-Identifier: MIT
 * Reads the pixels of textures, in contexts with and without glGetTexImage().
 */
#ifndef RETRACE_STATE_TEXTURE_READ_H
#define RETRACE_STATE_TEXTURE_READ_H

#include "state/state_image.h"
#include "state/state_units.h"

/* Reads a level of the texture, which is bound to t in the active unit. Samples are resolved. */
bool state_read_level(struct state_dump *d, const struct state_target *t, GLenum image, GLuint texture,
                      GLint level, const struct state_image_info *info, struct state_pixels *out);

#endif
