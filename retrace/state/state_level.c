/* SPDX-License-Identifier: MIT */
#include "state/state_level.h"

#include "state/state_level_probe.h"

static bool has_depth(GLenum image)
{
    return image == GL_TEXTURE_3D || image == GL_TEXTURE_2D_ARRAY || image == GL_TEXTURE_CUBE_MAP_ARRAY ||
           image == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

bool state_examine_level(struct state_dump *d, GLenum image, GLint level, struct state_image_info *out)
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
    if (has_depth(image))
        gl->glGetTexLevelParameteriv(image, level, GL_TEXTURE_DEPTH, &out->depth);
    if (!state_no_error(d))
        out->depth = 1;
    gl->glGetTexLevelParameteriv(image, level, GL_TEXTURE_SAMPLES, &out->samples);
    if (!state_no_error(d)) /* not every context has multisampled textures */
        out->samples = 0;
    if (image == GL_TEXTURE_1D)
        out->height = 1;
    return out->width > 0 && out->height > 0 && out->depth > 0;
}
