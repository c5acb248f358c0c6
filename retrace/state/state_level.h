/* SPDX-License-Identifier: MIT
 * What levels of textures are.
 */
#ifndef RETRACE_STATE_LEVEL_H
#define RETRACE_STATE_LEVEL_H

#include "state/state_image.h"

/* Finds out what a level of the texture that is bound is. The height of an array of 1D textures is its
 * number of layers. Returns false if the level does not exist, or has no layers. */
bool state_examine_level(struct state_dump *d, GLenum image, GLint level, struct state_image_info *out);

#endif
