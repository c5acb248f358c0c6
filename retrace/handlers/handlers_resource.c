/* SPDX-License-Identifier: MIT
 * Questions about programs whose answers are numbers that later calls use, or the names of such numbers. The
 * driver has numbers of its own for them.
 */
#include "handlers/handlers.h"

#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "call/replay_values.h"
#include "check/replay_check.h"
#include "objects/program_names.h"
#include "objects/replay_names.h"
#include "spec_ids.h"

/* Calls the driver. Its new number may be another one than in the trace; the question is whether both have
 * one. */
static int ask_for_number(struct replayer *r, struct replay_call *c, int64_t traced)
{
    int rc = replay_decode_args(r, c);
    if (rc == 0)
        rc = replay_invoke_unchecked(r, c);
    if (rc == 0)
        replay_check_new_name(r, c, (int32_t)c->ret.i != -1, traced != -1);
    return rc;
}

static int64_t traced_number(const struct replay_call *c)
{
    return (int32_t)trace_value_to_sint(&c->call->ret, -1);
}

/* Those of attributes are bound before linking. */
static int ask_for_attribute(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    int64_t traced = traced_number(c);
    if (rc == 0 && traced >= 0 && c->ret.i != traced && replay_arg_uint(c, 1, 0) == GL_PROGRAM_INPUT)
        replay_warn(r, "%s is at location %lld, but at %lld in the trace", (const char *)c->args[2].p,
                    (long long)c->ret.i, (long long)traced);
    return rc;
}

/* glGetProgramResourceLocation(program, programInterface, name) */
int handle_get_resource_location(struct replayer *r, struct replay_call *c)
{
    uint64_t program = replay_arg_uint(c, 0, 0);
    GLenum interface = (GLenum)replay_arg_uint(c, 1, 0);
    unsigned kind = program_location_kind(interface);
    int64_t traced = traced_number(c);
    if (kind == SPEC_OBJECT_none)
        return ask_for_attribute(r, c);
    int rc = ask_for_number(r, c, traced);
    if (rc != 0 || traced < 0 || c->args[2].p == NULL)
        return rc;
    if (kind == SPEC_OBJECT_location)
        return program_names_uniform(r, program, traced, (int32_t)c->ret.i, c->args[2].p);
    return replay_add_name(r, kind, (uint64_t)traced, c->ret.u, program_interface_scope(interface, program));
}

/* glGetProgramResourceIndex(program, programInterface, name) */
int handle_get_resource_index(struct replayer *r, struct replay_call *c)
{
    GLenum interface = (GLenum)replay_arg_uint(c, 1, 0);
    unsigned kind = program_index_kind(interface);
    int64_t traced = traced_number(c);
    if (kind == SPEC_OBJECT_none)
        return replay_generic(r, c);
    int rc = ask_for_number(r, c, traced);
    return rc != 0 || traced == -1
               ? rc
               : replay_add_name(r, kind, (uint32_t)traced, (uint32_t)c->ret.u,
                                 program_interface_scope(interface, replay_arg_uint(c, 0, 0)));
}

/* Returns the text that the program got, or NULL if there is none. */
static const char *recorded_name(const struct replay_call *c, unsigned index)
{
    const struct trace_value *v = replay_arg(c, index);
    return v->type == TRACE_STRING && v->u.string[0] != '\0' ? v->u.string : NULL;
}

/* Nothing needs the name that the driver has, but --check compares it. */
static int check_name(struct replayer *r, struct replay_call *c)
{
    return r->check.enabled ? replay_generic(r, c) : 0;
}

/* index: of the argument with the index; room and name are those after it, but for the length. */
static int learn_name(struct replayer *r, const struct replay_call *c, GLenum interface, unsigned index)
{
    const char *name = recorded_name(c, index + 3);
    if (name == NULL)
        return 0;
    bool may_be_cut = replay_arg_sint(c, index + 1, 0) <= (int64_t)replay_arg(c, index + 3)->count + 1;
    return program_names_ask_index(r, interface, replay_arg_uint(c, 0, 0), replay_arg_uint(c, index, 0), name,
                                   may_be_cut);
}

/* glGetActiveUniformBlockName(program, uniformBlockIndex, bufSize, length, uniformBlockName) */
int handle_get_block_name(struct replayer *r, struct replay_call *c)
{
    int rc = learn_name(r, c, GL_UNIFORM_BLOCK, 1);
    return rc != 0 ? rc : check_name(r, c);
}

/* glGetActiveUniform(program, index, bufSize, length, size, type, name) */
int handle_get_active_uniform(struct replayer *r, struct replay_call *c)
{
    const char *name = recorded_name(c, 6);
    int rc =
        name != NULL ? program_names_array(r, replay_arg_uint(c, 0, 0), name, replay_output(c, 4, 0)) : 0;
    return rc != 0 ? rc : check_name(r, c);
}

/* The name of a uniform is needed when its location is asked for by number. */
static int keep_uniform_name(struct replayer *r, const struct replay_call *c)
{
    const char *name = recorded_name(c, 5);
    return uniform_name_set(&r->current->uniform_name, replay_arg_uint(c, 0, 0), replay_arg_uint(c, 2, 0),
                            name);
}

/* With --check: the driver is asked for the same resource. */
static int check_resource_name(struct replayer *r, struct replay_call *c, GLenum interface)
{
    unsigned kind = program_index_kind(interface);
    int rc = r->check.enabled ? replay_decode_args(r, c) : 0;
    if (rc != 0 || !r->check.enabled)
        return rc;
    if (kind != SPEC_OBJECT_none)
        c->args[2].u = (uint32_t)replay_map_name(
            r, kind, c->args[2].u, program_interface_scope(interface, replay_arg_uint(c, 0, 0)));
    return replay_invoke(r, c);
}

/* glGetProgramResourceName(program, programInterface, index, bufSize, length, name) */
int handle_get_resource_name(struct replayer *r, struct replay_call *c)
{
    GLenum interface = (GLenum)replay_arg_uint(c, 1, 0);
    int rc = interface == GL_UNIFORM ? keep_uniform_name(r, c) : learn_name(r, c, interface, 2);
    return rc != 0 ? rc : check_resource_name(r, c, interface);
}

/* glGetActiveSubroutineName(program, shadertype, index, bufsize, length, name) */
int handle_get_subroutine_name(struct replayer *r, struct replay_call *c)
{
    GLenum interface = program_subroutines((GLenum)replay_arg_uint(c, 1, 0));
    int rc = learn_name(r, c, interface, 2);
    return rc != 0 ? rc : check_resource_name(r, c, interface);
}

/* Returns the location among the values of a uniform's properties, each of which has one value, or -1. */
static int64_t recorded_location(const struct trace_value *properties, const struct trace_value *values)
{
    struct trace_value element;
    if (properties->type != TRACE_ARRAY || values->type != TRACE_ARRAY)
        return -1;
    for (uint64_t i = 0; i < properties->count && i < values->count; ++i) {
        trace_array_get(properties, i, &element);
        if (trace_value_to_uint(&element, 0) != GL_LOCATION)
            continue;
        trace_array_get(values, i, &element);
        return trace_value_to_sint(&element, -1);
    }
    return -1;
}

/* glGetProgramResourceiv(program, programInterface, index, propCount, props, count, length, params): a tracer
 * records the name before it. */
int handle_get_resource_values(struct replayer *r, struct replay_call *c)
{
    uint64_t program = replay_arg_uint(c, 0, 0);
    const char *name = uniform_name_get(&r->current->uniform_name, program, replay_arg_uint(c, 2, 0));
    int64_t traced = replay_arg_uint(c, 1, 0) == GL_UNIFORM && name != NULL
                         ? recorded_location(replay_arg(c, 4), replay_arg(c, 7))
                         : -1;
    int rc = 0;
    if (traced >= 0)
        rc = program_names_uniform(r, program, traced, program_names_find_uniform(r, program, name), name);
    return rc != 0 ? rc : check_name(r, c);
}
