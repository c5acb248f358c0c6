/* SPDX-License-Identifier: MIT
 * Attribute locations: a driver gives every vertex attribute that the program does not bind a location of its
 * own choice, and another driver may choose otherwise when the trace is replayed. After a link that chose,
 * fake glBindAttribLocation() calls and a fake glLinkProgram() pin the choice.
 */
#include "capture_hooks.h"
#include "gl_driver.h"
#include "gl_enums.h"

#include <stdlib.h>
#include <string.h>

/* Name and location of active attribute index; false for built-in ones. */
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
        const union spec_arg args[3] = {{.u = program}, {.i = location}, {.p = name}};
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
