/* SPDX-License-Identifier: MIT */
#include "state/state_textures.h"

#include <stdio.h>
#include <string.h>

#include "state/state_image.h"
#include "state/state_texture_read.h"
#include "state/state_units.h"

/* Writes a level of what is bound to a target of the active unit. Returns false if there is no such level. */
static bool write_level(struct state_dump *d, const struct state_target *t, GLenum image, GLuint texture,
                        GLint level, const char *member)
{
    struct state_image_info info;
    struct state_pixels pixels;
    struct state_read_format read;
    if (!state_examine_level(d, image, level, t->rows_are_layers, &info))
        return false;
    state_choose_format(d, info.internal_format, &read);
    if (d->context->is_es && read.format != GL_RGBA)
        read = (struct state_read_format){GL_RGBA, GL_UNSIGNED_BYTE, 4};
    if (!state_pixels_init(&pixels, &info, &read))
        return true;
    if (state_read_level(d, t, image, texture, level, &info, &pixels)) {
        state_key(&d->w, member);
        state_write_pixels(d, &pixels, info.depth, info.internal_format);
    }
    state_pixels_fini(&pixels);
    return true;
}

/* Names the level as apitrace does. */
static void name_level(struct state_dump *d, const struct state_target *t, GLint unit, GLenum image,
                       const char *label, GLint level, char *out, size_t size)
{
    int n = snprintf(out, size, "GL_TEXTURE%d, %s", unit, state_enum_name(d, image));
    if (label[0] != '\0')
        n += snprintf(out + n, size - (size_t)n, ", \"%s\"", label);
    if (t->has_levels)
        snprintf(out + n, size - (size_t)n, ", level = %d", level);
}

static void write_texture(struct state_dump *d, GLint unit, const struct state_target *t, GLuint texture)
{
    enum { MOST_LEVELS = 32, FACES = 6 };
    bool is_cube = t->target == GL_TEXTURE_CUBE_MAP;
    char label[STATE_LABEL_BYTES], member[STATE_LABEL_BYTES + 128];
    state_get_label(d, GL_TEXTURE, texture, label);
    for (GLint level = 0; level < (t->has_levels ? MOST_LEVELS : 1); ++level) {
        for (GLenum face = 0; face < (is_cube ? FACES : 1); ++face) {
            GLenum image = is_cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : t->target;
            name_level(d, t, unit, image, label, level, member, sizeof member);
            if (!write_level(d, t, image, texture, level, member))
                return;
        }
    }
}

void state_dump_textures(struct state_dump *d)
{
    struct state_units units;
    state_units_init(d, &units);
    state_key(&d->w, "textures");
    state_begin_object(&d->w);
    for (GLint unit = 0; unit < units.count; ++unit) {
        state_select_unit(d, &units, unit);
        for (size_t i = 0; i < STATE_TARGET_COUNT; ++i) {
            bool enabled;
            GLuint texture;
            if (state_unit_has(d, &units, unit, &state_targets[i], &enabled, &texture))
                write_texture(d, unit, &state_targets[i], texture);
        }
    }
    state_restore_unit(d, &units);
    state_end_object(&d->w);
}
