/* SPDX-License-Identifier: MIT */
#include "objects/current_program.h"

#include "objects/replay_state.h"
#include "spec_ids.h"

/* The current call may have had an error, which is still to be reported. */
static void keep_errors(struct replayer *r)
{
    if (r->options->benchmark)
        replay_keep_error(r);
    else if (r->call_error == GL_NO_ERROR)
        replay_keep_call_error(r);
}

/* Asks the driver which program it uses. */
static bool is_in_use(struct replayer *r, uint64_t program)
{
    GLint real = -1;
    keep_errors(r);
    r->gl.glGetIntegerv(GL_CURRENT_PROGRAM, &real);
    replay_clear_errors(r);
    return real < 0 ||
           (GLuint)real == (GLuint)name_scope_get(&r->current->group->names, SPEC_OBJECT_program, program);
}

/* A program that was used once can be used again until it changes. */
static bool was_taken(struct replayer *r, uint64_t program)
{
    struct int_map *usable = &r->current->group->names.usable;
    if (r->current->inside_begin)
        return false; /* it is an error there */
    if (program == 0 || int_map_get(usable, program, NULL))
        return true;
    if (!is_in_use(r, program))
        return false;
    int_map_set(usable, program, 1); /* without memory, the driver is asked again */
    return true;
}

static void note_in_list(struct replay_context *context, uint64_t program)
{
    context->list_uses_program = true;
    context->list_program = program;
}

void current_program_use(struct replayer *r, uint64_t program)
{
    struct replay_context *context = r->current;
    if (context->list_mode != 0)
        note_in_list(context, program);
    if (context->list_mode != GL_COMPILE && program != context->program && was_taken(r, program))
        context->program = program;
}

void current_program_change(struct replayer *r, uint64_t program)
{
    int_map_remove(&r->current->group->names.usable, program);
}

uint64_t current_program_get(const struct replay_context *context)
{
    bool is_compiled = context->list_mode == GL_COMPILE && context->list_uses_program;
    return is_compiled ? context->list_program : context->program;
}

void current_program_open_list(struct replay_context *context)
{
    context->list_uses_program = false;
}

int current_program_close_list(struct replay_context *context)
{
    struct int_map *programs = &context->group->list_programs;
    if (context->list_uses_program)
        return int_map_set(programs, context->list, context->list_program);
    int_map_remove(programs, context->list);
    return 0;
}

void current_program_call_list(struct replayer *r, uint64_t list)
{
    uint64_t program;
    struct replay_context *context = r->current;
    const struct int_map *programs = &context->group->list_programs;
    if (programs->len == 0 || !int_map_get(programs, list, &program))
        return;
    if (!context->inside_begin || context->list_mode == GL_COMPILE)
        current_program_use(r, program);
    else
        context->program = program; /* the list has begun a primitive, so the driver cannot be asked */
}
