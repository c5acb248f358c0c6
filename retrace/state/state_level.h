/* SPDX-License-Identifier: MIT
 * What levels of textures are.
 */
#ifndef RETRACE_STATE_LEVEL_H
#define RETRACE_STATE_LEVEL_H

#include "state/state_image.h"

/* Finds out what a level of the texture that is bound is. rows_are_layers: as in struct state_target. Returns
 * false if the level does not exist. */
bool state_examine_level(struct state_dump *d, GLenum image, GLint level, bool rows_are_layers,
                         struct state_image_info *out);

#endif
