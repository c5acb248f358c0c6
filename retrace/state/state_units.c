/* SPDX-License-Identifier: MIT */
#include "state/state_units.h"

#include "objects/replay_state.h"

const struct state_target state_targets[STATE_TARGET_COUNT] = {
    {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, true, true, false},
    {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D, true, true, false},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, true, false, false},
    {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, true, true, false},
    {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, true, true, false},
    {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE, false, false, false},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, false, true, false},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, false, false, false},
    {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY, false, true, true},
    {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, false, true, false},
    {GL_TEXTURE_BUFFER, GL_TEXTURE_BINDING_BUFFER, false, false, false},
};

/* Returns whether the texture is bound to the target now. Binding a name that is gone would create a texture.
 */
static bool bind(struct state_dump *d, const struct state_target *t, GLuint texture, GLint *bound)
{
    *bound = state_get_integer(d, t->binding, -1);
    if (*bound == (GLint)texture)
        return true;
    if (*bound < 0 || !replay_can_bind_texture(d->r, *bound) ||
        !replay_can_bind_texture(d->r, (GLint)texture))
        return false;
    d->r->gl.glBindTexture(t->target, texture);
    return state_no_error(d);
}

const struct state_target *state_bind_texture(struct state_dump *d, GLuint texture, GLint *bound)
{
    for (size_t i = 0; i < STATE_TARGET_COUNT; ++i)
        if (bind(d, &state_targets[i], texture, bound))
            return &state_targets[i];
    return NULL;
}

void state_unbind_texture(struct state_dump *d, const struct state_target *t, GLuint texture, GLint bound)
{
    if (bound != (GLint)texture)
        d->r->gl.glBindTexture(t->target, (GLuint)bound);
    state_no_error(d);
}

void state_units_init(struct state_dump *d, struct state_units *units)
{
    enum { FEWEST = 2, MOST = 4096 };
    units->active_unit = d->gl.glActiveTexture != NULL ? state_get_integer(d, GL_ACTIVE_TEXTURE, 0) : 0;
    units->coords = d->is_core ? 0 : state_get_integer(d, GL_MAX_TEXTURE_COORDS, 0);
    units->images = state_get_integer(d,
                                      d->context->is_es && !state_has_version(d, 0, 20)
                                          ? GL_MAX_TEXTURE_UNITS
                                          : GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS,
                                      0);
    if (units->images < FEWEST)
        units->images = FEWEST;
    units->count = units->images > units->coords ? units->images : units->coords;
    if (units->count > MOST)
        units->count = MOST;
    if (units->active_unit == 0)
        units->count = 1;
}

void state_select_unit(struct state_dump *d, const struct state_units *units, GLint unit)
{
    if (units->active_unit != 0)
        d->gl.glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    state_no_error(d); /* a context may have fewer units than said */
}

void state_restore_unit(struct state_dump *d, const struct state_units *units)
{
    if (units->active_unit != 0)
        d->gl.glActiveTexture((GLenum)units->active_unit);
    state_no_error(d);
}

bool state_unit_has(struct state_dump *d, const struct state_units *units, GLint unit,
                    const struct state_target *t, bool *enabled, GLuint *texture)
{
    *enabled = t->is_fixed_function && unit < units->coords && state_is_enabled(d, t->target);
    *texture = (GLuint)state_get_integer(d, t->binding, 0);
    return *enabled || *texture != 0;
}
