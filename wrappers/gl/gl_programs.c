/* SPDX-License-Identifier: MIT
 * Attribute locations. If the program does not bind a location to an attribute, the driver chooses one, and
 * another driver may choose differently during replay. So after a link with such a choice, fake
 * glBindAttribLocation() calls and a fake glLinkProgram() fix the locations. Uniform locations are mapped by
 * name during replay. If the program queries a location by number, a fake glGetProgramResourceName() records
 * the name.
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

/* Gets the name and the location of the active attribute at index. Returns false for built-in attributes. */
static bool get_attribute(uint32_t program, int32_t index, char *name, int32_t room, int32_t *location)
{
    int32_t size = 0;
    uint32_t type = 0;
    capture_function get_active = real_function_find(SPEC_FN_glGetActiveAttrib);
    capture_function get_location = real_function_find(SPEC_FN_glGetAttribLocation);
    name[0] = '\0';
    ((void (*)(uint32_t, uint32_t, int32_t, int32_t *, int32_t *, uint32_t *, char *))get_active)(
        program, (uint32_t)index, room, NULL, &size, &type, name);
    if (name[0] == '\0' || strncmp(name, "gl_", 3) == 0)
        return false;
    *location = ((int32_t(*)(uint32_t, const char *))get_location)(program, name);
    return *location >= 0;
}

static void record_locations(struct capture_thread *t, uint32_t program)
{
    int32_t count = gl_driver_program_integer(program, SPEC_GL_ACTIVE_ATTRIBUTES), location;
    int32_t room = gl_driver_program_integer(program, SPEC_GL_ACTIVE_ATTRIBUTE_MAX_LENGTH) + 1;
    char *name = count > 0 && room > 1 ? malloc((size_t)room) : NULL;
    bool any = false;
    for (int32_t i = 0; name != NULL && i < count; ++i) {
        if (!get_attribute(program, i, name, room, &location))
            continue;
        const union spec_arg args[3] = {{.u = program}, {.i = location}, spec_arg_ptr(name)};
        capture_fake_call(t, SPEC_FN_glBindAttribLocation, args);
        any = true;
    }
    free(name);
    const union spec_arg link[1] = {{.u = program}};
    if (any)
        capture_fake_call(t, SPEC_FN_glLinkProgram, link);
}

static void complete_link(struct capture_thread *t)
{
    if (gl_driver_program_integer(t->linked_program, SPEC_GL_LINK_STATUS) != 0)
        record_locations(t, t->linked_program);
}

DEFINE_HOOK(link_program)
{
    UNUSED_HOOK_ARGUMENTS;
    t->linked_program = (uint32_t)args[0].u;
    t->complete = complete_link;
}

#define GL_UNIFORM  0x92E1
#define GL_LOCATION 0x930E

static bool asks_for_location(const uint32_t *properties, int64_t count)
{
    if (count <= 0 || count > INT32_MAX ||
        !program_memory_readable(properties, (uint64_t)count * sizeof *properties))
        return false;
    for (int64_t i = 0; i < count; ++i)
        if (properties[i] == GL_LOCATION)
            return true;
    return false;
}

/* Queries without setting a GL error that the program could see. */
static bool is_uniform(uint32_t program, uint64_t index)
{
    capture_function is_program = real_function_find(SPEC_FN_glIsProgram);
    return ((uint8_t(*)(uint32_t))is_program)(program) != 0 &&
           index < (uint64_t)gl_driver_program_integer(program, SPEC_GL_ACTIVE_UNIFORMS);
}

/* glGetProgramResourceiv(program, interface, index, propCount, props, …): apitrace's replay needs the name of
 * the uniform before its location. */
DEFINE_HOOK(get_program_resource)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t program = (uint32_t)args[0].u, index = (uint32_t)args[2].u;
    if (args[1].u != GL_UNIFORM || !asks_for_location(args[4].p, args[3].i) || t->context->in_begin ||
        !is_uniform(program, index))
        return;
    int32_t room = gl_driver_program_integer(program, SPEC_GL_ACTIVE_UNIFORM_MAX_LENGTH) + 1;
    char *name = calloc(1, (size_t)room);
    const union spec_arg named[6] = {{.u = program}, {.u = GL_UNIFORM},  {.u = index},
                                     {.i = room},    spec_arg_ptr(NULL), spec_arg_ptr(name)};
    capture_function get_name = real_function_find(SPEC_FN_glGetProgramResourceName);
    if (name == NULL)
        return;
    ((void (*)(uint32_t, uint32_t, uint32_t, int32_t, int32_t *, char *))get_name)(program, GL_UNIFORM, index,
                                                                                   room, NULL, name);
    capture_fake_call(t, SPEC_FN_glGetProgramResourceName, named);
    free(name);
}
