/* SPDX-License-Identifier: MIT */
#include "state/state_textures.h"

#include <stdio.h>

#include "objects/replay_state.h"
#include "state/state_image.h"
#include "state/state_level.h"
#include "state/state_samples.h"
#include "state/state_side_context.h"
#include "state/state_texture_draw.h"
#include "state/state_texture_read.h"
#include "state/state_units.h"

enum { MOST_LEVELS = 32 };

/* A texture that is bound in the active unit. */
struct texture {
    const struct state_target *t;
    GLuint name;
    bool is_beside; /* only another context tells what its levels are */
};

/* --- levels ---------------------------------------------------------------------------------------- */

/* If the program's context does not tell what a texture is, which is bound, its first level shows that. */
static bool examine(struct state_dump *d, struct texture *texture, GLenum image, GLint level, bool is_first,
                    struct state_image_info *out)
{
    if (!texture->is_beside && state_examine_level(d, image, level, out))
        return true;
    if (!d->context->is_es || state_has_version(d, 0, 31) || texture->name == 0 ||
        !(is_first || texture->is_beside))
        return false;
    texture->is_beside = state_examine_beside(d, texture->t, image, texture->name, level, out);
    return texture->is_beside;
}

/* Reads what the API has functions for. OpenGL ES reads by framebuffers what can be drawn to, as four bytes,
 * which always works. */
static bool read_plainly(struct state_dump *d, const struct texture *texture, GLenum image, GLint level,
                         const struct state_image_info *info, const struct state_read_format *read,
                         struct state_pixels *out)
{
    static const struct state_read_format four_bytes = {GL_RGBA, GL_UNSIGNED_BYTE, 4};
    bool is_attached = d->context->is_es && texture->t->target != GL_TEXTURE_BUFFER;
    struct state_image_info all = *info;
    bool has_samples = d->r->options->keep_samples && info->samples > 1;
    if (has_samples)
        all.height *= info->samples;
    return state_pixels_init(d, out, &all, is_attached && read->format != GL_RGBA ? &four_bytes : read) &&
           (has_samples ? state_read_samples(d, texture->t, info, out)
                        : state_read_level(d, texture->t, image, texture->name, level, info, out));
}

static GLint mipmap_size(GLint base, GLint level)
{
    GLint size = base >> level;
    return size > 0 ? size : 1;
}

/* Returns whether all levels are mipmaps of the first one. Drivers would give the texture other memory to
 * draw with a level that is not, which changes what the program can do with it. */
static bool has_mipmaps(struct state_dump *d, GLenum image)
{
    struct state_image_info base, info;
    bool is_known = state_examine_level(d, image, 0, &base);
    for (GLint level = 1; is_known && level < MOST_LEVELS && state_examine_level(d, image, level, &info);
         ++level)
        if (info.width != mipmap_size(base.width, level) || info.height != mipmap_size(base.height, level) ||
            info.internal_format != base.internal_format)
            return false;
    return true;
}

/* Writes a level of a texture. Returns false if there is no such level. is_first: no other one is asked for
 * before. */
static bool write_level(struct state_dump *d, struct texture *texture, GLenum image, GLint level,
                        bool is_first, const char *member)
{
    struct state_image_info info;
    struct state_pixels pixels;
    struct state_read_format read;
    char label[STATE_LABEL_BYTES];
    if (!examine(d, texture, image, level, is_first, &info))
        return false;
    state_choose_format(d, info.internal_format, &read);
    bool is_read = read_plainly(d, texture, image, level, &info, &read, &pixels);
    if (!is_read && d->context->is_es && info.samples == 0 && texture->name != 0 &&
        texture->t->target != GL_TEXTURE_BUFFER && has_mipmaps(d, image))
        is_read = state_pixels_init(d, &pixels, &info, &read) &&
                  state_draw_level(d, texture->t, image, texture->name, level, &info, &pixels);
    if (is_read) {
        state_get_label(d, GL_TEXTURE, texture->name, label);
        state_key(&d->w, member);
        state_write_pixels(d, &pixels, info.depth, info.internal_format, label);
    }
    return true;
}

static void write_texture(struct state_dump *d, GLint unit, const struct state_target *t, GLuint name)
{
    enum { FACES = 6 };
    struct texture texture = {.t = t, .name = name};
    bool is_cube = t->target == GL_TEXTURE_CUBE_MAP;
    char member[128];
    if (d->context->is_es && !replay_can_bind_texture(d->r, (GLint)name)) /* it is read by its name */
        return;
    for (GLint level = 0; level < (t->has_levels ? MOST_LEVELS : 1); ++level) {
        for (GLenum face = 0; face < (is_cube ? FACES : 1); ++face) {
            GLenum image = is_cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : t->target;
            int n = snprintf(member, sizeof member, "GL_TEXTURE%d, %s", unit, state_enum_name(d, image));
            if (t->has_levels)
                snprintf(member + n, sizeof member - (size_t)n, ", level = %d", level);
            if (!write_level(d, &texture, image, level, level == 0 && face == 0, member))
                return;
        }
    }
}

/* --- images of shaders ----------------------------------------------------------------------------- */

static GLint image_integer(struct state_dump *d, GLenum pname, GLint unit)
{
    GLint value = 0;
    d->gl.glGetIntegeri_v(pname, (GLuint)unit, &value);
    return state_no_error(d) ? value : 0;
}

static void write_image_unit(struct state_dump *d, GLint unit)
{
    char member[96];
    GLint bound, texture = image_integer(d, GL_IMAGE_BINDING_NAME, unit);
    const struct state_target *t = texture != 0 ? state_bind_texture(d, (GLuint)texture, &bound) : NULL;
    if (t == NULL)
        return;
    GLint level = image_integer(d, GL_IMAGE_BINDING_LEVEL, unit);
    int n = snprintf(member, sizeof member, "Image Unit %d", unit);
    if (level != 0)
        n += snprintf(member + n, sizeof member - (size_t)n, ", level = %d", level);
    if (image_integer(d, GL_IMAGE_BINDING_LAYERED, unit) != 0)
        snprintf(member + n, sizeof member - (size_t)n, ", layer = %d",
                 image_integer(d, GL_IMAGE_BINDING_LAYER, unit));
    write_level(d, &(struct texture){.t = t, .name = (GLuint)texture},
                t->target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : t->target, level, true,
                member);
    state_unbind_texture(d, t, (GLuint)texture, bound);
}

static void write_image_units(struct state_dump *d)
{
    enum { MOST = 256 };
    GLint count = state_has_version(d, 20, 31) && d->gl.glGetIntegeri_v != NULL
                      ? state_get_integer(d, GL_MAX_IMAGE_UNITS, 0)
                      : 0;
    if (count > 0 && d->gl.glMemoryBarrier != NULL)
        d->gl.glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    state_no_error(d);
    for (GLint unit = 0; unit < count && unit < MOST; ++unit)
        write_image_unit(d, unit);
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
    write_image_units(d);
    state_side_fini(d);
    state_end_object(&d->w);
}
