/* SPDX-License-Identifier: MIT */
#include "state/state_level.h"

#include "state/state_level_probe.h"

bool state_examine_level(struct state_dump *d, GLenum image, GLint level, bool rows_are_layers,
                         struct state_image_info *out)
{
    const struct gl_functions *gl = &d->r->gl;
    *out = (struct state_image_info){.depth = 1};
    if (!state_has_version(d, 10, 31))
        return state_probe_level(d, image, level, out);
    if (gl->glGetTexLevelParameteriv == NULL)
        return false;
    gl->glGetTexLevelParameteriv(image, level, GL_TEXTURE_WIDTH, &out->width);
    gl->glGetTexLevelParameteriv(image, level, GL_TEXTURE_HEIGHT, &out->height);
    gl->glGetTexLevelParameteriv(image, level, GL_TEXTURE_INTERNAL_FORMAT, &out->internal_format);
    if (!state_no_error(d))
        return false;
    gl->glGetTexLevelParameteriv(image, level, GL_TEXTURE_DEPTH, &out->depth);
    if (!state_no_error(d) || out->depth < 1)
        out->depth = 1;
    gl->glGetTexLevelParameteriv(image, level, GL_TEXTURE_SAMPLES, &out->samples);
    if (!state_no_error(d)) /* not every context has multisampled textures */
        out->samples = 0;
    if (image == GL_TEXTURE_1D || (out->height == 0 && rows_are_layers))
        out->height = 1;
    return out->width > 0 && out->height > 0;
}
