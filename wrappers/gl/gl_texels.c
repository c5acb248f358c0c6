/* SPDX-License-Identifier: MIT */
#include "gl/gl_texels.h"

#include "context/gl_enums.h"
#include "gl/gl_pixel_store.h"
#include "lookup/real_functions.h"

#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPEC_GL_RGBA = 0x1908,
    SPEC_GL_TEXTURE_WIDTH = 0x1000,
    SPEC_GL_TEXTURE_HEIGHT = 0x1001,
    SPEC_GL_TEXTURE_RED_SIZE = 0x805C,
    SPEC_GL_TEXTURE_RED_TYPE = 0x8C10,
    SPEC_GL_UNSIGNED_NORMALIZED = 0x8C17,
    SPEC_GL_RGBA_INTEGER = 0x8D99,
    SPEC_GL_RGBA32F = 0x8814,
    SPEC_GL_RGBA16F = 0x881A,
    SPEC_GL_RGBA32UI = 0x8D70,
    SPEC_GL_RGBA32I = 0x8D82,
    MAX_SIDE = 1 << 15, /* texels */
};

/* Returns true if there are queries for the size and the components of a level. */
static bool has_queries(void)
{
    capture_function get = real_function_find(SPEC_FN_glGetString);
    const char *version = ((const char *(*)(uint32_t))get)(SPEC_GL_VERSION);
    if (version == NULL)
        return false;
    bool is_es = strncmp(version, "OpenGL ES ", 10) == 0;
    const char *number = is_es ? version + 10 : version;
    char *end;
    long major = strtol(number, &end, 10), minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return 10 * major + minor >= (is_es ? 31 : 30);
}

static int32_t get_level(uint32_t target, uint32_t pname)
{
    int32_t value = 0;
    capture_function get = real_function_find(SPEC_FN_glGetTexLevelParameteriv);
    ((void (*)(uint32_t, int32_t, uint32_t, int32_t *))get)(target, 0, pname, &value);
    return value;
}

/* Sets what any driver reads such texels as, by the type of their components (OpenGL ES 3.2, section 16.1.2).
 * Returns false if there is nothing. */
static bool set_format(struct gl_texels *t, uint32_t format, uint32_t type, int32_t internal, uint32_t bytes)
{
    t->format = format;
    t->type = type;
    t->internal = internal;
    t->bytes = bytes;
    return true;
}

static bool find_format(uint32_t target, struct gl_texels *t)
{
    switch (get_level(target, SPEC_GL_TEXTURE_RED_TYPE)) {
    case SPEC_GL_UNSIGNED_NORMALIZED:
        return set_format(t, SPEC_GL_RGBA, SPEC_GL_UNSIGNED_BYTE, SPEC_GL_RGBA, 4);
    case SPEC_GL_FLOAT: {
        bool is_long = get_level(target, SPEC_GL_TEXTURE_RED_SIZE) > 16;
        return set_format(t, SPEC_GL_RGBA, SPEC_GL_FLOAT, is_long ? SPEC_GL_RGBA32F : SPEC_GL_RGBA16F, 16);
    }
    case SPEC_GL_INT:
        return set_format(t, SPEC_GL_RGBA_INTEGER, SPEC_GL_INT, SPEC_GL_RGBA32I, 16);
    case SPEC_GL_UNSIGNED_INT:
        return set_format(t, SPEC_GL_RGBA_INTEGER, SPEC_GL_UNSIGNED_INT, SPEC_GL_RGBA32UI, 16);
    default:
        return false;
    }
}

bool gl_texels_describe(uint32_t target, struct gl_texels *out)
{
    *out = (struct gl_texels){0};
    if (!has_queries())
        return false;
    out->width = get_level(target, SPEC_GL_TEXTURE_WIDTH);
    out->height = get_level(target, SPEC_GL_TEXTURE_HEIGHT);
    return out->width > 0 && out->height > 0 && out->width <= MAX_SIDE && out->height <= MAX_SIDE &&
           find_format(target, out);
}

void *gl_texels_allocate(const struct gl_texels *texels)
{
    return malloc((size_t)texels->width * (size_t)texels->height * texels->bytes);
}

void gl_texels_get(const struct gl_context *c, uint32_t target, struct gl_texels *out)
{
    if (!gl_texels_describe(target, out) || (out->pixels = gl_texels_allocate(out)) == NULL)
        return;
    capture_function get = real_function_find(SPEC_FN_glGetTexImage);
    gl_pixel_store_set_aside(c);
    ((void (*)(uint32_t, int32_t, uint32_t, uint32_t, void *))get)(target, 0, out->format, out->type,
                                                                   out->pixels);
    gl_pixel_store_restore(c);
}
