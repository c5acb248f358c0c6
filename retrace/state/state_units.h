/* SPDX-License-Identifier: MIT
 * The texture units of a context, and what can be bound to them.
 */
#ifndef RETRACE_STATE_UNITS_H
#define RETRACE_STATE_UNITS_H

#include "state/state_query.h"

/* A target of textures. */
struct state_target {
    GLenum target, binding;
    bool is_fixed_function; /* can be enabled without shaders */
    bool has_levels;
    bool rows_are_layers; /* the height is the number of layers */
};

enum { STATE_TARGET_COUNT = 11 };
extern const struct state_target state_targets[STATE_TARGET_COUNT];

struct state_units {
    GLint coords;      /* units of the fixed pipeline; 0: there is none */
    GLint images;      /* units of all shaders */
    GLint count;       /* the larger of both */
    GLint active_unit; /* GL_TEXTURE0, …; GL_NONE: there is one unit */
};

/* Binds a texture to the only target that it fits, unless it is bound there. Returns the target, and what is
 * to be bound again; NULL: there is no such texture, or what is bound could not be bound again. */
const struct state_target *state_bind_texture(struct state_dump *d, GLuint texture, GLint *bound);

/* Binds again what was bound to the target before state_bind_texture(). */
void state_unbind_texture(struct state_dump *d, const struct state_target *t, GLuint texture, GLint bound);

/* Counts the units. Afterwards, state_select_unit() and state_restore_unit() may be called. */
void state_units_init(struct state_dump *d, struct state_units *units);
void state_select_unit(struct state_dump *d, const struct state_units *units, GLint unit);
void state_restore_unit(struct state_dump *d, const struct state_units *units);

/* Tells what is at a target of the active unit `unit`. *enabled: the fixed pipeline uses it. Returns whether
 * it is enabled, or a texture is bound. */
bool state_unit_has(struct state_dump *d, const struct state_units *units, GLint unit,
                    const struct state_target *t, bool *enabled, GLuint *texture);

#endif
