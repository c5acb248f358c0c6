/* SPDX-License-Identifier: MIT */
#include "objects/inspection.h"

#include "objects/conditional_render.h"
#include "objects/replay_state.h"
#include "windows/window_system.h"

static bool bind_reader(struct replayer *r, const struct replay_drawable *read)
{
    const struct replay_thread *t = r->thread;
    return r->ws->ops->make_current(r->ws, t->context->ws, t->draw->ws, read != NULL ? read->ws : NULL) == 0;
}

void inspection_begin(struct replayer *r, struct inspection *i)
{
    const struct replay_thread *t = r->thread;
    replay_keep_error(r);
    r->is_inspecting = true;
    i->is_paused = conditional_render_pause(r);
    i->reads_another = t->draw != NULL && t->read != t->draw && bind_reader(r, t->draw);
}

void inspection_end(struct replayer *r, const struct inspection *i)
{
    if (i->reads_another && !bind_reader(r, r->thread->read))
        replay_warn(r, "the drawable that the program reads cannot be bound again");
    if (i->is_paused)
        conditional_render_resume(r);
    replay_clear_errors(r);
    r->is_inspecting = false;
}
