/* SPDX-License-Identifier: MIT
 * Reads what textures show, of the current context, without errors or changes that the program could see.
 */
#ifndef GL_GL_TEXELS_H
#define GL_GL_TEXELS_H

#include "context/gl_context.h"

/* Level 0 of a texture. */
struct gl_texels {
    int32_t width, height; /* in texels */
    uint32_t format, type; /* in which they are read and recorded */
    int32_t internal;      /* format of the texture in the trace */
    void *pixels;          /* without gaps; the owner frees it. NULL: they were not read */
    uint32_t bytes;        /* of a texel */
};

/* Describes level 0 of the texture that is bound to the target, without its pixels. Returns false if the
 * context has no queries for it (they are in OpenGL 3.0, and in OpenGL ES 3.1), if the size is implausible,
 * or if there is no format for the components. */
bool gl_texels_describe(uint32_t target, struct gl_texels *out);

/* Returns memory for what was described, which the caller frees, or NULL if there is none. */
void *gl_texels_allocate(const struct gl_texels *texels);

/* Describes the texture that is bound to the target, and reads its pixels. c, the current context, is of
 * desktop OpenGL. No object is made for it: names that the driver has given it would not be the program's.
 * Without a result, out->pixels is NULL. */
void gl_texels_get(const struct gl_context *c, uint32_t target, struct gl_texels *out);

#endif
