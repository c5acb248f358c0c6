/* SPDX-License-Identifier: MIT */
#include "state/state_values.h"

#include <string.h>

struct state_glsl_type state_glsl_type(GLenum type)
{
    static const struct {
        GLenum type;
        struct state_glsl_type glsl;
    } types[] = {
        {GL_FLOAT, {GL_FLOAT, 1, 1}},
        {GL_FLOAT_VEC2, {GL_FLOAT, 1, 2}},
        {GL_FLOAT_VEC3, {GL_FLOAT, 1, 3}},
        {GL_FLOAT_VEC4, {GL_FLOAT, 1, 4}},
        {GL_DOUBLE, {GL_DOUBLE, 1, 1}},
        {GL_DOUBLE_VEC2, {GL_DOUBLE, 1, 2}},
        {GL_DOUBLE_VEC3, {GL_DOUBLE, 1, 3}},
        {GL_DOUBLE_VEC4, {GL_DOUBLE, 1, 4}},
        {GL_INT, {GL_INT, 1, 1}},
        {GL_INT_VEC2, {GL_INT, 1, 2}},
        {GL_INT_VEC3, {GL_INT, 1, 3}},
        {GL_INT_VEC4, {GL_INT, 1, 4}},
        {GL_UNSIGNED_INT, {GL_UNSIGNED_INT, 1, 1}},
        {GL_UNSIGNED_INT_VEC2, {GL_UNSIGNED_INT, 1, 2}},
        {GL_UNSIGNED_INT_VEC3, {GL_UNSIGNED_INT, 1, 3}},
        {GL_UNSIGNED_INT_VEC4, {GL_UNSIGNED_INT, 1, 4}},
        {GL_BOOL, {GL_BOOL, 1, 1}},
        {GL_BOOL_VEC2, {GL_BOOL, 1, 2}},
        {GL_BOOL_VEC3, {GL_BOOL, 1, 3}},
        {GL_BOOL_VEC4, {GL_BOOL, 1, 4}},
#define MATRICES(name, component)                                                                            \
    {name##_MAT2, {component, 2, 2}}, {name##_MAT3, {component, 3, 3}}, {name##_MAT4, {component, 4, 4}},    \
        {name##_MAT2x3, {component, 2, 3}}, {name##_MAT2x4, {component, 2, 4}},                              \
        {name##_MAT3x2, {component, 3, 2}}, {name##_MAT3x4, {component, 3, 4}},                              \
        {name##_MAT4x2, {component, 4, 2}},                                                                  \
    {                                                                                                        \
        name##_MAT4x3,                                                                                       \
        {                                                                                                    \
            component, 4, 3                                                                                  \
        }                                                                                                    \
    }
        MATRICES(GL_FLOAT, GL_FLOAT),
        MATRICES(GL_DOUBLE, GL_DOUBLE),
#undef MATRICES
    };
    static const struct {
        GLenum first, last;
    } opaque[] = {
        {GL_SAMPLER_1D, GL_SAMPLER_2D_RECT_SHADOW},
        {GL_SAMPLER_1D_ARRAY, GL_SAMPLER_CUBE_SHADOW},
        {GL_INT_SAMPLER_1D, GL_UNSIGNED_INT_SAMPLER_BUFFER},
        {GL_SAMPLER_CUBE_MAP_ARRAY, GL_UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY},
        {GL_IMAGE_1D, GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY},
        {GL_SAMPLER_2D_MULTISAMPLE, GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (types[i].type == type)
            return types[i].glsl;
    for (size_t i = 0; i < sizeof opaque / sizeof *opaque; ++i)
        if (type >= opaque[i].first && type <= opaque[i].last)
            return (struct state_glsl_type){GL_INT, 1, 1};
    return (struct state_glsl_type){GL_NONE, 0, 0};
}

size_t state_component_size(GLenum component)
{
    return component == GL_DOUBLE ? sizeof(GLdouble) : sizeof(GLint);
}

static void write_component(struct state_writer *w, GLenum component, const void *bytes)
{
    GLfloat f;
    GLdouble f64;
    GLint i;
    GLuint u;
    switch (component) {
    case GL_FLOAT:
        memcpy(&f, bytes, sizeof f);
        state_float(w, f);
        break;
    case GL_DOUBLE:
        memcpy(&f64, bytes, sizeof f64);
        state_double(w, f64);
        break;
    case GL_INT:
        memcpy(&i, bytes, sizeof i);
        state_integer(w, i);
        break;
    default:
        memcpy(&u, bytes, sizeof u);
        if (component == GL_BOOL)
            state_bool(w, u != 0);
        else
            state_integer(w, u);
        break;
    }
}

/* Returns the bytes from a component to the one in the next column and in the next row. */
static void get_strides(const struct state_glsl_type *type, const struct state_layout *layout,
                        size_t *column_stride, size_t *row_stride)
{
    size_t size = state_component_size(type->component);
    unsigned along = layout->is_row_major ? type->columns : type->rows;
    size_t across = layout->matrix_stride != 0 ? layout->matrix_stride : along * size;
    *column_stride = layout->is_row_major ? size : across;
    *row_stride = layout->is_row_major ? across : size;
    if (type->columns == 1) /* a vector has no layout */
        *row_stride = size;
}

size_t state_glsl_size(const struct state_glsl_type *type, const struct state_layout *layout)
{
    size_t column_stride, row_stride;
    get_strides(type, layout, &column_stride, &row_stride);
    return (type->columns - 1) * column_stride + (type->rows - 1) * row_stride +
           state_component_size(type->component);
}

void state_write_glsl(struct state_writer *w, const struct state_glsl_type *type, const void *value,
                      const struct state_layout *layout)
{
    size_t column_stride, row_stride;
    get_strides(type, layout, &column_stride, &row_stride);
    if (type->columns > 1)
        state_begin_array(w);
    for (unsigned column = 0; column < type->columns; ++column) {
        if (type->rows > 1)
            state_begin_array(w);
        for (unsigned row = 0; row < type->rows; ++row)
            write_component(w, type->component,
                            (const uint8_t *)value + column * column_stride + row * row_stride);
        if (type->rows > 1)
            state_end_array(w);
    }
    if (type->columns > 1)
        state_end_array(w);
}
