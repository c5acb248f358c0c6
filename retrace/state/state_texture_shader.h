/* SPDX-License-Identifier: MIT
 * Shaders of OpenGL ES 2 and 3 that draw the texels of a texture's level as they are.
 */
#ifndef RETRACE_STATE_TEXTURE_SHADER_H
#define RETRACE_STATE_TEXTURE_SHADER_H

#include "state/state_image.h"

/* What is drawn. */
enum texel_output {
    TEXEL_BYTES,  /* normalised colours */
    TEXEL_SIGNED, /* integers, to normalised colours; clamped to bytes */
    TEXEL_UNSIGNED,
    TEXEL_FLOATS, /* their bits, to unsigned integers, which can be drawn to everywhere */
};

enum texel_output texel_output_of(const struct state_dump *d, GLint internal_format,
                                  const struct state_read_format *read);

/* Makes d->side->shaders what draws textures of this target from unit 0: "corner" is an attribute with places
 * from -1 to 1, the uniforms "layer" and "layers" are integers, a face of a cube being a layer. The other
 * context must be bound, and deletes it. Returns false if the driver does not have such shaders. OpenGL ES 2
 * has those for bytes. */
bool texel_shader_prepare(struct state_dump *d, GLenum target, enum texel_output output);

#endif
