/* SPDX-License-Identifier: MIT */
#include "objects/list_primitives.h"

#include "base/error.h"
#include "objects/current_program.h"

/* What the last glBegin() or glEnd() of a list is, which decides what follows it. */
enum { LIST_BEGINS = 1, LIST_ENDS };

void list_primitives_open(struct replayer *r, uint64_t list, GLenum mode)
{
    struct replay_context *context = r->current;
    if (context->list_mode != 0 || context->inside_begin ||
        (mode != GL_COMPILE && mode != GL_COMPILE_AND_EXECUTE))
        return;
    context->list_mode = mode;
    context->list = list;
    context->list_effect = 0;
    if (mode == GL_COMPILE)
        context->outer_list_bases = context->list_bases;
    current_program_open_list(context);
}

int list_primitives_close(struct replayer *r)
{
    struct replay_context *context = r->current;
    struct int_map *effects = &context->group->list_effects;
    if (context->list_mode == 0)
        return 0;
    if (context->list_mode == GL_COMPILE)
        context->list_bases = context->outer_list_bases;
    context->list_mode = 0;
    if (context->list_effect == 0)
        int_map_remove(effects, context->list);
    else if (int_map_set(effects, context->list, context->list_effect) != 0)
        return TRACE_ERR_MEMORY;
    return current_program_close_list(context);
}

static void apply(struct replay_context *context, uint64_t effect)
{
    if (context->list_mode != 0)
        context->list_effect = (unsigned)effect;
    if (context->list_mode != GL_COMPILE)
        context->inside_begin = effect == LIST_BEGINS;
}

void list_primitives_begin(struct replayer *r)
{
    apply(r->current, LIST_BEGINS);
}

void list_primitives_end(struct replayer *r)
{
    apply(r->current, LIST_ENDS);
}

void list_primitives_call(struct replayer *r, uint64_t list)
{
    uint64_t effect;
    if (r->current->group->list_effects.len > 0 &&
        int_map_get(&r->current->group->list_effects, list, &effect))
        apply(r->current, effect);
    current_program_call_list(r, list);
}
