/* SPDX-License-Identifier: MIT
 * Reads single samples of multisampled textures, by a compute shader, since no call of OpenGL does.
 */
#ifndef RETRACE_STATE_SAMPLES_H
#define RETRACE_STATE_SAMPLES_H

#include "state/state_image.h"
#include "state/state_units.h"

/* Reads the texture that is bound to t in the active unit: all samples of a layer one after the other, each
 * from bottom to top. The height of *out is that of the texture for each sample and layer. Returns false if
 * the context has no compute shaders. The program's subroutines get their defaults, as by glUseProgram(). */
bool state_read_samples(struct state_dump *d, const struct state_target *t,
                        const struct state_image_info *info, struct state_pixels *out);

#endif
