/* SPDX-License-Identifier: MIT */
#include "state/state_side_context.h"

#include <stdlib.h>

#include "call/write_access.h"

/* --- binding --------------------------------------------------------------------------------------- */

/* What one context has done to an object is seen in another one once it is finished (OpenGL ES 3.2, D.3). */
static void finish(struct state_dump *d)
{
    if (d->r->gl.glFinish != NULL)
        d->r->gl.glFinish();
    state_no_error(d);
}

static void bind_program_context(struct state_dump *d, const struct replay_context *context)
{
    const struct replay_thread *t = d->r->thread;
    if (d->r->ws->ops->make_current(d->r->ws, context->ws, t->draw != NULL ? t->draw->ws : NULL,
                                    t->read != NULL ? t->read->ws : NULL) != 0)
        replay_warn(d->r, "the context of the program cannot be bound after a state dump");
}

/* --- the context ----------------------------------------------------------------------------------- */

/* A context that shares objects must have the program's in common in what happens after errors and resets. */
static struct state_side *side_new(struct state_dump *d)
{
    static const int versions[] = {32, 31, 30, 20};
    const struct window_system_ops *ops = d->r->ws->ops;
    struct context_config config = d->context->config;
    struct state_side *side = calloc(1, sizeof *side);
    if (side == NULL || !d->context->is_es || config.no_error || ops->create_context == NULL)
        return side;
    config.debug = false;
    for (size_t i = 0; side->ws == NULL && i < sizeof versions / sizeof *versions; ++i) {
        config.major = versions[i] / 10;
        config.minor = versions[i] % 10;
        if (ops->create_context(d->r->ws, &side->ws, &config, d->context->ws) != 0)
            side->ws = NULL;
    }
    return side;
}

static void destroy(struct state_dump *d)
{
    if (d->side->ws != NULL)
        d->r->ws->ops->destroy_context(d->r->ws, d->side->ws);
    d->side->ws = NULL;
}

/* Returns whether the context is what was asked for. */
static bool examine(struct state_dump *d)
{
    struct replay_context *context = &d->side->context;
    if (!context->examined)
        gl_version_parse((const char *)d->r->gl.glGetString(GL_VERSION), &context->is_es, &context->version);
    context->examined = true;
    return state_no_error(d) && context->is_es && context->version >= 20;
}

bool state_side_enter(struct state_dump *d)
{
    if (d->side == NULL)
        d->side = side_new(d);
    if (d->side == NULL || d->side->ws == NULL)
        return false;
    finish(d);
    if (d->r->ws->ops->make_current(d->r->ws, d->side->ws, NULL, NULL) == 0 && examine(d)) {
        d->side->program = d->context;
        d->context = &d->side->context;
        return true;
    }
    bind_program_context(d, d->context);
    destroy(d);
    return false;
}

void state_side_leave(struct state_dump *d)
{
    finish(d);
    d->context = d->side->program;
    bind_program_context(d, d->context);
}

void state_side_fini(struct state_dump *d)
{
    if (d->side == NULL)
        return;
    if (d->side->shaders != 0 && state_side_enter(d)) { /* or else they are left to the program's context */
        d->gl.glDeleteProgram(d->side->shaders);
        state_side_leave(d);
    }
    destroy(d);
    free(d->side);
    d->side = NULL;
}
