/* SPDX-License-Identifier: MIT */
#include "state/state_vertices.h"

#include <stdlib.h>
#include <string.h>

#include "state/state_buffer.h"
#include "state/state_programs.h"

enum { MOST_ATTRIBS = 64, NAME_BYTES = 256 };

/* An attribute whose array is in a buffer object. */
struct attribute {
    char name[NAME_BYTES];
    GLint components;
    GLenum type;
    bool normalised, is_integer;
    size_t stride, element; /* bytes */
    uint8_t *bytes;         /* owned; all of the buffer from the first element on */
    GLint vertices;         /* as many as the buffer has */
};

static size_t type_size(GLenum type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
        return 2;
    case GL_INT:
    case GL_UNSIGNED_INT:
    case GL_FLOAT:
    case GL_FIXED:
        return 4;
    case GL_DOUBLE:
        return 8;
    default: /* packed */
        return 0;
    }
}

static GLint attribute_integer(struct state_dump *d, GLuint index, GLenum pname)
{
    GLint value = 0;
    d->r->gl.glGetVertexAttribiv(index, pname, &value);
    return state_no_error(d) ? value : 0;
}

/* Returns false if the attribute does not come from a buffer object, or cannot be read. */
static bool read_array(struct state_dump *d, GLuint index, struct attribute *a)
{
    void *pointer = NULL;
    GLint buffer = attribute_integer(d, index, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING);
    if (buffer == 0 || attribute_integer(d, index, GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 0)
        return false;
    a->components = attribute_integer(d, index, GL_VERTEX_ATTRIB_ARRAY_SIZE);
    a->type = (GLenum)attribute_integer(d, index, GL_VERTEX_ATTRIB_ARRAY_TYPE);
    a->normalised = attribute_integer(d, index, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED) != 0;
    a->is_integer = attribute_integer(d, index, GL_VERTEX_ATTRIB_ARRAY_INTEGER) != 0;
    GLint stride = attribute_integer(d, index, GL_VERTEX_ATTRIB_ARRAY_STRIDE);
    d->gl.glGetVertexAttribPointerv(index, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
    bool is_known = state_no_error(d);
    uintptr_t offset = (uintptr_t)pointer;
    size_t size = (size_t)state_buffer_size(d, (GLuint)buffer);
    if (!is_known || a->components < 1 || a->components > 4 || stride < 0 || offset >= size)
        return false;
    a->element = type_size(a->type) * (size_t)a->components;
    a->stride = stride != 0 ? (size_t)stride : a->element;
    size -= offset;
    if (a->element == 0 || size < a->element)
        return false;
    a->vertices = (GLint)((size - a->element) / a->stride + 1);
    a->bytes = malloc(size);
    return a->bytes != NULL &&
           state_read_buffer(d, (GLuint)buffer, (GLintptr)offset, (GLsizeiptr)size, a->bytes);
}

static float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 1023;
    uint32_t bits;
    float value;
    if (exponent == 0) { /* zero, or denormal: a multiple of 2^-24 */
        value = (float)fraction / 16777216.0f;
        return sign != 0 ? -value : value;
    }
    bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Writes an integer component: as it is, or as the share of the largest one if it is normalised. */
static void write_integer(struct state_dump *d, const struct attribute *a, int64_t value, int64_t max)
{
    if (a->normalised && !a->is_integer)
        state_float(&d->w, (float)((double)value / (double)max));
    else
        state_integer(&d->w, value);
}

static void write_component(struct state_dump *d, const struct attribute *a, const uint8_t *bytes)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } v;
    memcpy(&v, bytes, type_size(a->type));
    switch (a->type) {
    case GL_BYTE:
        write_integer(d, a, v.i8, INT8_MAX);
        break;
    case GL_UNSIGNED_BYTE:
        write_integer(d, a, v.u8, UINT8_MAX);
        break;
    case GL_SHORT:
        write_integer(d, a, v.i16, INT16_MAX);
        break;
    case GL_UNSIGNED_SHORT:
        write_integer(d, a, v.u16, UINT16_MAX);
        break;
    case GL_INT:
        write_integer(d, a, v.i32, INT32_MAX);
        break;
    case GL_UNSIGNED_INT:
        write_integer(d, a, v.u32, UINT32_MAX);
        break;
    case GL_HALF_FLOAT:
        state_float(&d->w, half_to_float(v.u16));
        break;
    case GL_FIXED:
        state_double(&d->w, v.i32 / 65536.0);
        break;
    case GL_FLOAT:
        state_float(&d->w, v.f32);
        break;
    default:
        state_double(&d->w, v.f64);
        break;
    }
}

static void write_vertex(struct state_dump *d, const struct attribute *attributes, size_t count, GLint vertex)
{
    state_begin_object(&d->w);
    for (size_t i = 0; i < count; ++i) {
        const struct attribute *a = &attributes[i];
        const uint8_t *bytes = a->bytes + (size_t)vertex * a->stride;
        state_key(&d->w, a->name);
        if (a->components > 1)
            state_begin_array(&d->w);
        for (GLint k = 0; k < a->components; ++k)
            write_component(d, a, bytes + (size_t)k * type_size(a->type));
        if (a->components > 1)
            state_end_array(&d->w);
    }
    state_end_object(&d->w);
}

/* Reads the arrays of all attributes that the program uses. */
static size_t read_attributes(struct state_dump *d, GLuint program, struct attribute *out)
{
    size_t count = 0;
    GLint active = state_program_integer(d, program, GL_ACTIVE_ATTRIBUTES);
    for (GLint i = 0; i < active && count < MOST_ATTRIBS; ++i) {
        struct attribute *a = &out[count];
        GLint size;
        GLenum type;
        memset(a, 0, sizeof *a);
        d->gl.glGetActiveAttrib(program, (GLuint)i, NAME_BYTES, NULL, &size, &type, a->name);
        a->name[NAME_BYTES - 1] = '\0';
        GLint location = d->gl.glGetAttribLocation(program, a->name);
        if (state_no_error(d) && location >= 0 && read_array(d, (GLuint)location, a))
            ++count;
        else
            free(a->bytes);
    }
    return count;
}

static bool can_read(const struct state_dump *d)
{
    return !d->context->is_es && d->gl.glGetActiveAttrib != NULL && d->gl.glGetAttribLocation != NULL &&
           d->r->gl.glGetVertexAttribiv != NULL && d->gl.glGetVertexAttribPointerv != NULL;
}

void state_dump_vertices(struct state_dump *d)
{
    struct attribute *attributes = calloc(MOST_ATTRIBS, sizeof *attributes);
    struct state_programs programs;
    size_t count = 0;
    state_programs_init(d, &programs);
    GLuint program = programs.program != 0 ? programs.program : programs.by_stage[0]; /* of vertices */
    if (attributes != NULL && program != 0 && can_read(d))
        count = read_attributes(d, program, attributes);
    state_key(&d->w, "buffers");
    state_begin_object(&d->w);
    if (count > 0) {
        GLint vertices = attributes[0].vertices;
        for (size_t i = 1; i < count; ++i)
            if (attributes[i].vertices < vertices)
                vertices = attributes[i].vertices;
        state_key(&d->w, "vertices");
        state_begin_array(&d->w);
        for (GLint i = 0; i < vertices; ++i)
            write_vertex(d, attributes, count, i);
        state_end_array(&d->w);
    }
    state_end_object(&d->w);
    for (size_t i = 0; i < count; ++i)
        free(attributes[i].bytes);
    free(attributes);
}
