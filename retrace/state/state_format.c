/* SPDX-License-Identifier: MIT */
#include "state/state_image.h"

#include <ctype.h>
#include <string.h>

/* How components are stored. */
enum storage { NORMALISED, REAL, INTEGER };

/* Tells it from the name of an internal format: a number of bits, followed by F, I or UI. */
static enum storage storage_of(const char *name)
{
    if (strstr(name, "FLOAT") != NULL || strstr(name, "SNORM") != NULL || strstr(name, "_E5") != NULL)
        return REAL;
    for (const char *p = strpbrk(name, "0123456789"); p != NULL; p = strpbrk(p, "0123456789")) {
        p += strspn(p, "0123456789");
        size_t letters = 0;
        while (isupper((unsigned char)p[letters]))
            ++letters;
        if (letters == 1 && *p == 'F')
            return REAL;
        if ((letters == 1 && *p == 'I') || (letters == 2 && p[0] == 'U' && p[1] == 'I'))
            return INTEGER;
    }
    return NORMALISED;
}

static bool skip_word(const char **name, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*name, word, length) != 0)
        return false;
    *name += length;
    return true;
}

/* The components, by how the name begins. Longer beginnings come first. */
static const struct base_format {
    const char *name;
    struct state_read_format read;
} base_formats[] = {
    {"DEPTH", {GL_DEPTH_COMPONENT, GL_FLOAT, 1}},
    {"STENCIL_INDEX", {GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1}},
    {"LUMINANCE", {GL_LUMINANCE, GL_UNSIGNED_BYTE, 1}},
    {"INTENSITY", {GL_RED, GL_UNSIGNED_BYTE, 1}},
    {"ALPHA", {GL_ALPHA, GL_UNSIGNED_BYTE, 1}},
    {"RGBA", {GL_RGBA, GL_UNSIGNED_BYTE, 4}},
    {"BGRA", {GL_RGBA, GL_UNSIGNED_BYTE, 4}},
    {"RGB", {GL_RGB, GL_UNSIGNED_BYTE, 3}},
    {"BGR", {GL_RGB, GL_UNSIGNED_BYTE, 3}},
    {"R11F_G11F_B10F", {GL_RGB, GL_FLOAT, 3}},
    {"R3_G3_B2", {GL_RGB, GL_UNSIGNED_BYTE, 3}},
    {"RG", {GL_RG, GL_UNSIGNED_BYTE, 2}},
    {"R", {GL_RED, GL_UNSIGNED_BYTE, 1}},
};

/* Adds alpha to colours whose names say so further on: SRGB8_ALPHA8, LUMINANCE8_ALPHA8, RGB10_A2. */
static struct state_read_format with_alpha(struct state_read_format read, const char *rest)
{
    bool has_alpha =
        strstr(rest, "ALPHA") != NULL || strstr(rest, "_A1") != NULL || strstr(rest, "_A2") != NULL;
    if (has_alpha && read.format == GL_RGB)
        return (struct state_read_format){GL_RGBA, read.type, 4};
    if (has_alpha && read.format == GL_LUMINANCE)
        return (struct state_read_format){GL_LUMINANCE_ALPHA, read.type, 2};
    return read;
}

static struct state_read_format base_of(const char *name)
{
    skip_word(&name, "GL_");
    skip_word(&name, "COMPRESSED_");
    skip_word(&name, "ETC1_");
    skip_word(&name, "SIGNED_");
    if (skip_word(&name, "S") && strncmp(name, "TENCIL", 6) == 0) /* SRGB, SLUMINANCE */
        --name;
    for (size_t i = 0; i < sizeof base_formats / sizeof *base_formats; ++i)
        if (strncmp(name, base_formats[i].name, strlen(base_formats[i].name)) == 0)
            return with_alpha(base_formats[i].read, name);
    return (struct state_read_format){GL_RGBA, GL_UNSIGNED_BYTE, 4};
}

/* The legacy formats 1 to 4 are numbers of components. */
static struct state_read_format legacy_format(GLint components)
{
    static const struct state_read_format formats[] = {{GL_LUMINANCE, GL_UNSIGNED_BYTE, 1},
                                                       {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2},
                                                       {GL_RGB, GL_UNSIGNED_BYTE, 3},
                                                       {GL_RGBA, GL_UNSIGNED_BYTE, 4}};
    return formats[components - 1];
}

void state_choose_format(const struct state_dump *d, GLint internal_format, struct state_read_format *out)
{
    const char *known = state_enum_name(d, (GLenum)internal_format), *name = known != NULL ? known : "";
    if (internal_format >= 1 && internal_format <= 4) {
        *out = legacy_format(internal_format);
        return;
    }
    *out = base_of(name);
    switch (storage_of(name)) {
    case REAL:
        out->type = GL_FLOAT;
        break;
    case INTEGER:
        *out = (struct state_read_format){GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4};
        break;
    case NORMALISED:
        break;
    }
}
