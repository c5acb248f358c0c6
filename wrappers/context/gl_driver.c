/* SPDX-License-Identifier: MIT
 * Queries the real driver for the sizes of what rare calls return.
 */
#include "context/gl_driver.h"

#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

static int64_t get_integer(void *context, uint32_t pname)
{
    (void)context;
    int32_t value = -1;
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    if (pname == SPEC_GL_NUM_PROGRAM_BINARY_FORMATS)
        return 0; /* all binaries are hidden from the program */
    ((void (*)(uint32_t, int32_t *))get)(pname, &value);
    return value;
}

static int64_t get_level(void *context, uint32_t target, int32_t level, uint32_t pname)
{
    (void)context;
    int32_t value = -1;
    capture_function get = real_function_find(SPEC_FN_glGetTexLevelParameteriv);
    ((void (*)(uint32_t, int32_t, uint32_t, int32_t *))get)(target, level, pname, &value);
    return value;
}

static int64_t get_named_level(void *context, bool unit, uint32_t name, uint32_t target, int32_t level,
                               uint32_t pname)
{
    (void)context;
    int32_t value = -1;
    capture_function get = real_function_find(unit ? SPEC_FN_glGetMultiTexLevelParameterivEXT
                                                   : SPEC_FN_glGetTextureLevelParameterivEXT);
    ((void (*)(uint32_t, uint32_t, int32_t, uint32_t, int32_t *))get)(name, target, level, pname, &value);
    return value;
}

static int64_t get_parameter(void *context, enum spec_query query, uint32_t of, uint32_t pname)
{
    static const uint16_t functions[] = {
        [SPEC_QUERY_MAP] = SPEC_FN_glGetMapiv,
        [SPEC_QUERY_COLOR_TABLE] = SPEC_FN_glGetColorTableParameteriv,
        [SPEC_QUERY_CONVOLUTION] = SPEC_FN_glGetConvolutionParameteriv,
        [SPEC_QUERY_HISTOGRAM] = SPEC_FN_glGetHistogramParameteriv,
        [SPEC_QUERY_PROGRAM_ARB] = SPEC_FN_glGetProgramivARB,
        [SPEC_QUERY_PROGRAM_NV] = SPEC_FN_glGetProgramivNV,
        [SPEC_QUERY_PATH] = SPEC_FN_glGetPathParameterivNV,
    };
    (void)context;
    int32_t value[4] = {-1, -1, -1, -1};
    capture_function get = real_function_find(functions[query]);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)(of, pname, value);
    return query == SPEC_QUERY_MAP && value[0] >= 0 && value[1] >= 0 ? (int64_t)value[0] * value[1]
                                                                     : value[0];
}

static int64_t get_named_program(void *context, uint32_t program, uint32_t target, uint32_t pname)
{
    (void)context;
    int32_t value = -1;
    capture_function get = real_function_find(SPEC_FN_glGetNamedProgramivEXT);
    ((void (*)(uint32_t, uint32_t, uint32_t, int32_t *))get)(program, target, pname, &value);
    return value;
}

/* Returns the number of components of a uniform of this type: 2 to 4 for vectors, columns * rows for
 * matrices, 1 for all others. */
static int64_t components_of(uint32_t type)
{
    static const struct {
        uint32_t first, last; /* a range of consecutive enums */
        uint8_t components[9];
    } ranges[] = {
        {0x8B50, 0x8B52, {2, 3, 4}},                      /* GL_FLOAT_VEC2 … */
        {0x8B53, 0x8B55, {2, 3, 4}},                      /* GL_INT_VEC2 … */
        {0x8B57, 0x8B59, {2, 3, 4}},                      /* GL_BOOL_VEC2 … */
        {0x8B5A, 0x8B5C, {4, 9, 16}},                     /* GL_FLOAT_MAT2 … */
        {0x8B65, 0x8B6A, {6, 8, 6, 12, 8, 12}},           /* GL_FLOAT_MAT2x3 … */
        {0x8DC6, 0x8DC8, {2, 3, 4}},                      /* GL_UNSIGNED_INT_VEC2 … */
        {0x8F46, 0x8F4E, {4, 9, 16, 6, 8, 6, 12, 8, 12}}, /* GL_DOUBLE_MAT2 … */
        {0x8FFC, 0x8FFE, {2, 3, 4}},                      /* GL_DOUBLE_VEC2 … */
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; ++i)
        if (type >= ranges[i].first && type <= ranges[i].last)
            return ranges[i].components[type - ranges[i].first];
    return 1;
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

/* There is no query from a location to its uniform, so this searches the active uniforms. */
static int64_t get_uniform_size(void *context, uint32_t program, int32_t location)
{
    (void)context;
    int32_t count = gl_driver_program_integer(program, SPEC_GL_ACTIVE_UNIFORMS);
    int32_t room = gl_driver_program_integer(program, SPEC_GL_ACTIVE_UNIFORM_MAX_LENGTH) + 1;
    char *name = count > 0 ? malloc((size_t)room) : NULL;
    capture_function get_active = real_function_find(SPEC_FN_glGetActiveUniform);
    capture_function get_location = real_function_find(SPEC_FN_glGetUniformLocation);
    int64_t found = -1;
    for (int32_t i = 0; name != NULL && i < count && found < 0; ++i) {
        int32_t size = 0;
        uint32_t type = 0;
        name[0] = '\0';
        ((void (*)(uint32_t, uint32_t, int32_t, int32_t *, int32_t *, uint32_t *, char *))get_active)(
            program, (uint32_t)i, room, NULL, &size, &type, name);
        if (name[0] == '\0') /* another thread has deleted the program */
            continue;
        int32_t first = ((int32_t(*)(uint32_t, const char *))get_location)(program, name);
        if (first >= 0 && location >= first && location - first < size)
            found = components_of(type);
    }
    free(name);
    return found;
}

static bool is_readable(const void *memory, size_t size)
{
    return program_memory_readable(memory, size);
}

const struct spec_driver gl_driver = {
    .is_readable = is_readable,
    .get_integer = get_integer,
    .get_level = get_level,
    .get_named_level = get_named_level,
    .get_parameter = get_parameter,
    .get_named_program = get_named_program,
    .get_uniform_size = get_uniform_size,
};
