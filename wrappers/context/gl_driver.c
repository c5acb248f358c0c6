/* SPDX-License-Identifier: MIT
 * Queries the real driver for the sizes of what rare calls return.
 */
#include "context/gl_driver.h"

#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/program_memory.h"
#include "runtime/driver_sizes.h"

#include "spec_ids.h"

#include <string.h>

static void (*find(void *context, uint32_t function))(void)
{
    (void)context;
    return real_function_find(function);
}

static struct spec_questions questions = {.find = find};

static int64_t get_integer(void *context, uint32_t pname)
{
    if (pname == SPEC_GL_NUM_PROGRAM_BINARY_FORMATS)
        return 0; /* all binaries are hidden from the program */
    return spec_ask_integer(context, pname);
}

int32_t gl_driver_program_integer(uint32_t program, uint32_t pname)
{
    int32_t value = 0;
    capture_function get = real_function_find(SPEC_FN_glGetProgramiv);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)(program, pname, &value);
    return value;
}

int32_t gl_driver_integer(uint32_t pname)
{
    int32_t value[4] = {0, 0, 0, 0}; /* some queries return more than one value */
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    ((void (*)(uint32_t, int32_t *))get)(pname, value);
    return value[0];
}

bool gl_driver_is_enabled(uint32_t capability)
{
    capture_function get = real_function_find(SPEC_FN_glIsEnabled);
    return ((uint8_t(*)(uint32_t))get)(capability) != 0;
}

void *gl_driver_pointer(uint32_t pname)
{
    void *value = NULL;
    capture_function get = real_function_find(SPEC_FN_glGetPointerv);
    ((void (*)(uint32_t, void **))get)(pname, &value);
    return value;
}

int32_t gl_driver_indexed_integer(uint32_t pname, uint32_t index)
{
    int32_t value[4] = {0, 0, 0, 0};
    capture_function get = real_function_find(SPEC_FN_glGetIntegeri_v);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)(pname, index, value);
    return value[0];
}

int32_t gl_driver_attribute(uint32_t index, uint32_t pname)
{
    int32_t value[4] = {0, 0, 0, 0};
    capture_function get = real_function_find(SPEC_FN_glGetVertexAttribiv);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)(index, pname, value);
    return value[0];
}

void *gl_driver_attribute_pointer(uint32_t index)
{
    void *value = NULL;
    capture_function get = real_function_find(SPEC_FN_glGetVertexAttribPointerv);
    ((void (*)(uint32_t, uint32_t, void **))get)(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_POINTER, &value);
    return value;
}

int32_t gl_driver_buffer(uint32_t target, uint32_t pname)
{
    int32_t value = 0;
    capture_function get = real_function_find(SPEC_FN_glGetBufferParameteriv);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)(target, pname, &value);
    return value;
}

static bool is_listed(const char *extensions, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = extensions; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Since 3.0 there is an indexed list. Core profiles only have that. */
bool gl_driver_has_extension(unsigned version, const char *name)
{
    if (version < 30) {
        capture_function get = real_function_find(SPEC_FN_glGetString);
        return is_listed(((const char *(*)(uint32_t))get)(SPEC_GL_EXTENSIONS), name);
    }
    int32_t count = gl_driver_integer(SPEC_GL_NUM_EXTENSIONS);
    capture_function get = real_function_find(SPEC_FN_glGetStringi);
    for (int32_t i = 0; i < count; ++i) {
        const char *extension = ((const char *(*)(uint32_t, uint32_t))get)(SPEC_GL_EXTENSIONS, (uint32_t)i);
        if (extension != NULL && strcmp(extension, name) == 0)
            return true;
    }
    return false;
}

static bool is_readable(const void *memory, size_t size)
{
    return program_memory_readable(memory, size);
}

const struct spec_driver gl_driver = {
    .context = &questions,
    .is_readable = is_readable,
    .get_integer = get_integer,
    .get_level = spec_ask_level,
    .get_named_level = spec_ask_named_level,
    .get_parameter = spec_ask_parameter,
    .get_named_program = spec_ask_named_program,
    .get_uniform_size = spec_ask_uniform_size,
};
