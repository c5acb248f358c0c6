/* SPDX-License-Identifier: MIT
 * A context of OpenGL ES 3, or 2, that shares the textures of the program's context. A dump draws in it what
 * cannot be read otherwise, and asks it what older versions do not tell. The state of the program's context
 * stays as it is, and only one of the two is bound at a time.
 */
#ifndef RETRACE_STATE_SIDE_CONTEXT_H
#define RETRACE_STATE_SIDE_CONTEXT_H

#include "state/state_query.h"

enum { TEXEL_SHADER_BYTES = 2048 };

struct state_side {
    struct ws_context *ws;                /* NULL: the driver has none */
    struct replay_context context;        /* only its version counts */
    const struct replay_context *program; /* the program's context, while the other one is bound */
    GLuint shaders;                       /* the program object that was linked last; 0: none */
    char text[TEXEL_SHADER_BYTES];        /* its fragment shader */
};

/* Binds the context, which is made when it is needed first; d->context is that one then. Returns false, with
 * the program's context bound as before, if there is none. */
bool state_side_enter(struct state_dump *d);
/* Binds the program's context again. */
void state_side_leave(struct state_dump *d);

/* Deletes the context, if there is one. The program's context must be bound. */
void state_side_fini(struct state_dump *d);

#endif
