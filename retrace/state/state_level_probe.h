/* SPDX-License-Identifier: MIT
 * What levels of textures are, in contexts without glGetTexLevelParameteriv(): OpenGL ES before 3.1.
 */
#ifndef RETRACE_STATE_LEVEL_PROBE_H
#define RETRACE_STATE_LEVEL_PROBE_H

#include "state/state_image.h"

/* Finds out the size and the format of a level of the texture that is bound, from which updates of no texels
 * are errors: those of other formats, and those beyond the level (OpenGL ES 1.1 and 2.0, 3.7.2; 3.0, 3.8.5).
 * Nothing changes. The format is a base format, or a sized one for other components than normalised bytes.
 * Returns false if the level does not exist, or is compressed, or of integers. */
bool state_probe_level(struct state_dump *d, GLenum image, GLint level, struct state_image_info *out);

#endif
