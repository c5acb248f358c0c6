/* SPDX-License-Identifier: MIT */
#include "state/state_level_probe.h"

#include "image/image.h"
#include "objects/replay_state.h"

enum { AXES = 3, HALF_FLOAT_OES = 0x8d61 };

/* What an update is made of, and what the level is then. Bytes are accepted for normalised components of all
 * sizes up to 8 bits, and floats for halves. */
struct level_format {
    GLenum format, type, internal_format;
};

static const struct level_format level_formats[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA},
    {GL_RGB, GL_UNSIGNED_BYTE, GL_RGB},
    {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, GL_LUMINANCE_ALPHA},
    {GL_LUMINANCE, GL_UNSIGNED_BYTE, GL_LUMINANCE},
    {GL_ALPHA, GL_UNSIGNED_BYTE, GL_ALPHA},
    {GL_BGRA, GL_UNSIGNED_BYTE, GL_BGRA},
    {GL_RED, GL_UNSIGNED_BYTE, GL_RED},
    {GL_RG, GL_UNSIGNED_BYTE, GL_RG},
    {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, GL_RGB10_A2},
    {GL_RGBA, GL_HALF_FLOAT, GL_RGBA16F},
    {GL_RGBA, HALF_FLOAT_OES, GL_RGBA16F},
    {GL_RGBA, GL_FLOAT, GL_RGBA32F},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, GL_DEPTH_COMPONENT},
    {GL_DEPTH_COMPONENT, GL_FLOAT, GL_DEPTH_COMPONENT32F},
    {GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, GL_DEPTH_STENCIL},
};

/* --- updates --------------------------------------------------------------------------------------- */

static bool has_layers(GLenum image)
{
    return image == GL_TEXTURE_3D || image == GL_TEXTURE_2D_ARRAY;
}

/* Whether no texels can be put there. */
static bool accepts(struct state_dump *d, GLenum image, GLint level, const struct level_format *format,
                    const GLint at[AXES])
{
    static const GLfloat texel[4]; /* some drivers expect an address nevertheless */
    if (has_layers(image))
        d->gl.glTexSubImage3D(image, level, at[0], at[1], at[2], 0, 0, 0, format->format, format->type,
                              texel);
    else
        d->gl.glTexSubImage2D(image, level, at[0], at[1], 0, 0, format->format, format->type, texel);
    return state_no_error(d);
}

/* Returns NULL if no format is accepted. */
static const struct level_format *find_format(struct state_dump *d, GLenum image, GLint level)
{
    static const GLint origin[AXES];
    for (size_t i = 0; i < sizeof level_formats / sizeof *level_formats; ++i)
        if (accepts(d, image, level, &level_formats[i], origin))
            return &level_formats[i];
    return NULL;
}

/* --- sizes ----------------------------------------------------------------------------------------- */

static GLint largest_size(struct state_dump *d, GLenum image, int axis)
{
    switch (image) {
    case GL_TEXTURE_2D:
        return state_get_integer(d, GL_MAX_TEXTURE_SIZE, 0);
    case GL_TEXTURE_2D_ARRAY:
        return state_get_integer(d, axis < 2 ? GL_MAX_TEXTURE_SIZE : GL_MAX_ARRAY_TEXTURE_LAYERS, 0);
    case GL_TEXTURE_3D:
        return state_get_integer(d, GL_MAX_3D_TEXTURE_SIZE, 0);
    default: /* a face */
        return state_get_integer(d, GL_MAX_CUBE_MAP_TEXTURE_SIZE, 0);
    }
}

/* Returns the largest offset that is accepted, which is the size along the axis; 0 if all are. */
static GLint find_size(struct state_dump *d, GLenum image, GLint level, const struct level_format *format,
                       int axis)
{
    GLint size = 0, most = largest_size(d, image, axis), at[AXES] = {0};
    at[axis] = most + 1;
    if (most < 1 || most > (GLint)IMAGE_MAX_SIDE || accepts(d, image, level, format, at))
        return 0;
    while (size < most) {
        at[axis] = most - (most - size) / 2;
        if (accepts(d, image, level, format, at))
            size = at[axis];
        else
            most = at[axis] - 1;
    }
    return size;
}

static bool probe(struct state_dump *d, GLenum image, GLint level, struct state_image_info *out)
{
    const struct level_format *format = find_format(d, image, level);
    if (format == NULL)
        return false;
    out->internal_format = (GLint)format->internal_format;
    out->width = find_size(d, image, level, format, 0);
    out->height = find_size(d, image, level, format, 1);
    out->depth = has_layers(image) ? find_size(d, image, level, format, 2) : 1;
    return out->width > 0 && out->height > 0 && out->depth > 0;
}

bool state_probe_level(struct state_dump *d, GLenum image, GLint level, struct state_image_info *out)
{
    const struct gl_functions *gl = &d->r->gl;
    *out = (struct state_image_info){.depth = 1};
    bool has_function = has_layers(image) ? d->gl.glTexSubImage3D != NULL : d->gl.glTexSubImage2D != NULL;
    if (!has_function || d->context->config.no_error)
        return false;
    /* a buffer that is mapped would be another error */
    GLint buffer = gl->glBindBuffer != NULL ? state_get_integer(d, GL_PIXEL_UNPACK_BUFFER_BINDING, 0) : 0;
    if (!replay_can_bind_buffer(d->r, buffer))
        return false;
    if (buffer != 0)
        gl->glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    state_no_error(d);
    bool exists = probe(d, image, level, out);
    if (buffer != 0)
        gl->glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)buffer);
    state_no_error(d);
    return exists;
}
