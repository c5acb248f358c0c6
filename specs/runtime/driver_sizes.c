/* SPDX-License-Identifier: MIT */
#include "runtime/driver_sizes.h"

#include "spec_ids.h"

#include <stdlib.h>

enum {
    GL_ACTIVE_UNIFORMS = 0x8B86,
    GL_ACTIVE_UNIFORM_MAX_LENGTH = 0x8B87,
};

/* Finds the driver's function, and begins to ask. Returns NULL if there is nobody to ask; else, end() it. */
static void (*begin(const struct spec_questions *q, uint32_t function))(void)
{
    if (q->begin != NULL && !q->begin(q->context))
        return NULL;
    void (*found)(void) = q->find(q->context, function);
    if (found == NULL && q->end != NULL)
        q->end(q->context);
    return found;
}

static void end(const struct spec_questions *q)
{
    if (q->end != NULL)
        q->end(q->context);
}

int64_t spec_ask_integer(void *questions, uint32_t pname)
{
    int32_t value = -1;
    void (*get)(void) = begin(questions, SPEC_FN_glGetIntegerv);
    if (get == NULL)
        return -1;
    ((void (*)(uint32_t, int32_t *))get)(pname, &value);
    end(questions);
    return value;
}

int64_t spec_ask_level(void *questions, uint32_t target, int32_t level, uint32_t pname)
{
    int32_t value = -1;
    void (*get)(void) = begin(questions, SPEC_FN_glGetTexLevelParameteriv);
    if (get == NULL)
        return -1;
    ((void (*)(uint32_t, int32_t, uint32_t, int32_t *))get)(target, level, pname, &value);
    end(questions);
    return value;
}

int64_t spec_ask_named_level(void *questions, bool unit, uint32_t name, uint32_t target, int32_t level,
                             uint32_t pname)
{
    int32_t value = -1;
    void (*get)(void) = begin(questions, unit ? SPEC_FN_glGetMultiTexLevelParameterivEXT
                                              : SPEC_FN_glGetTextureLevelParameterivEXT);
    if (get == NULL)
        return -1;
    ((void (*)(uint32_t, uint32_t, int32_t, uint32_t, int32_t *))get)(name, target, level, pname, &value);
    end(questions);
    return value;
}

int64_t spec_ask_parameter(void *questions, enum spec_query query, uint32_t of, uint32_t pname)
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
    int32_t value[4] = {-1, -1, -1, -1};
    void (*get)(void) = begin(questions, functions[query]);
    if (get == NULL)
        return -1;
    ((void (*)(uint32_t, uint32_t, int32_t *))get)(of, pname, value);
    end(questions);
    return query == SPEC_QUERY_MAP && value[0] >= 0 && value[1] >= 0 ? (int64_t)value[0] * value[1]
                                                                     : value[0];
}

int64_t spec_ask_named_program(void *questions, uint32_t program, uint32_t target, uint32_t pname)
{
    int32_t value = -1;
    void (*get)(void) = begin(questions, SPEC_FN_glGetNamedProgramivEXT);
    if (get == NULL)
        return -1;
    ((void (*)(uint32_t, uint32_t, uint32_t, int32_t *))get)(program, target, pname, &value);
    end(questions);
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

struct uniform_functions {
    void (*get_program)(uint32_t, uint32_t, int32_t *);
    void (*get_active)(uint32_t, uint32_t, int32_t, int32_t *, int32_t *, uint32_t *, char *);
    int32_t (*get_location)(uint32_t, const char *);
};

static bool find_uniform_functions(const struct spec_questions *q, struct uniform_functions *gl)
{
    gl->get_program = (void (*)(uint32_t, uint32_t, int32_t *))q->find(q->context, SPEC_FN_glGetProgramiv);
    gl->get_active = (void (*)(uint32_t, uint32_t, int32_t, int32_t *, int32_t *, uint32_t *, char *))q->find(
        q->context, SPEC_FN_glGetActiveUniform);
    gl->get_location = (int32_t(*)(uint32_t, const char *))q->find(q->context, SPEC_FN_glGetUniformLocation);
    return gl->get_program != NULL && gl->get_active != NULL && gl->get_location != NULL;
}

/* There is no query from a location to its uniform, so this searches the active uniforms. */
static int64_t uniform_size(const struct uniform_functions *gl, uint32_t program, int32_t location)
{
    int32_t count = 0, room = 0;
    gl->get_program(program, GL_ACTIVE_UNIFORMS, &count);
    gl->get_program(program, GL_ACTIVE_UNIFORM_MAX_LENGTH, &room);
    char *name = count > 0 && room >= 0 && room < INT32_MAX ? malloc((size_t)room + 1) : NULL;
    int64_t found = -1;
    for (int32_t i = 0; name != NULL && i < count && found < 0; ++i) {
        int32_t size = 0;
        uint32_t type = 0;
        name[0] = '\0';
        gl->get_active(program, (uint32_t)i, room + 1, NULL, &size, &type, name);
        if (name[0] == '\0') /* another thread has deleted the program */
            continue;
        int32_t first = gl->get_location(program, name);
        if (first >= 0 && location >= first && location - first < size)
            found = components_of(type);
    }
    free(name);
    return found;
}

int64_t spec_ask_uniform_size(void *questions, uint32_t program, int32_t location)
{
    const struct spec_questions *q = questions;
    struct uniform_functions gl;
    int64_t size = -1;
    if (q->begin != NULL && !q->begin(q->context))
        return -1;
    if (find_uniform_functions(q, &gl))
        size = uniform_size(&gl, program, location);
    end(q);
    return size;
}
