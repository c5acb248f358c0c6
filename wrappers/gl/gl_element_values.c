/* SPDX-License-Identifier: MIT */
#include "gl/gl_element_values.h"

#include "capture/fake_calls.h"
#include "context/gl_enums.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

#include <stdio.h>
#include <string.h>

/* An element that is being converted to the arguments of a call. */
struct element {
    int32_t size; /* number of components */
    uint32_t type;
    bool integer, normalized;
    union {
        uint8_t bytes[4 * sizeof(double)];
        int8_t b[4];
        uint8_t ub[4];
        int16_t s[4];
        uint16_t us[4];
        int32_t i[4];
        uint32_t ui[4];
        float f[4];
        double d[4];
    } v;
};

/* Returns the suffix of a type in function names, or NULL if no function takes it. */
static const char *suffix_of(uint32_t type)
{
    switch (type) {
    case SPEC_GL_BYTE:
        return "b";
    case SPEC_GL_UNSIGNED_BYTE:
        return "ub";
    case SPEC_GL_SHORT:
        return "s";
    case SPEC_GL_UNSIGNED_SHORT:
        return "us";
    case SPEC_GL_INT:
        return "i";
    case SPEC_GL_UNSIGNED_INT:
        return "ui";
    case SPEC_GL_FLOAT:
        return "f";
    case SPEC_GL_DOUBLE:
        return "d";
    default:
        return NULL;
    }
}

/* Converts IEEE 754 binary16. */
static float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
    uint32_t bits = sign | (exponent + 112) << 23 | mantissa << 13;
    float value;
    if (exponent == 0) {
        value = (float)mantissa / 16777216.0f;
        return sign != 0 ? -value : value;
    }
    if (exponent == 0x1f)
        bits = sign | 0x7f800000 | mantissa << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Converts halves and fixed-point numbers, because no function takes them. */
static void convert_to_floats(struct element *e)
{
    float f[4] = {0, 0, 0, 0};
    for (int32_t i = 0; i < e->size && i < 4; ++i)
        f[i] = e->type == SPEC_GL_FIXED ? (float)e->v.i[i] / 65536.0f : half_to_float(e->v.us[i]);
    memcpy(e->v.f, f, sizeof f);
    e->type = SPEC_GL_FLOAT;
    e->normalized = false;
}

static bool is_packed(uint32_t type)
{
    return type == SPEC_GL_UNSIGNED_INT_2_10_10_10_REV || type == SPEC_GL_INT_2_10_10_10_REV ||
           type == SPEC_GL_UNSIGNED_INT_10F_11F_11F_REV;
}

/* GL_BGRA: swaps blue and red. */
static void swap_colors(struct element *e)
{
    uint32_t packed = e->v.ui[0];
    e->size = 4;
    if (is_packed(e->type)) {
        e->v.ui[0] = (packed & 0xc00ffc00) | (packed >> 20 & 0x3ff) | (packed & 0x3ff) << 20;
    } else {
        uint8_t blue = e->v.ub[0];
        e->v.ub[0] = e->v.ub[2];
        e->v.ub[2] = blue;
    }
}

/* Adds missing components for functions that only exist for four: 0, 0, 0 and 1. The 1 of a normalised type
 * is its highest value. */
static void extend(struct element *e)
{
    for (int32_t i = e->size; i < 4; ++i) {
        bool one = i == 3;
        switch (e->type) {
        case SPEC_GL_BYTE:
            e->v.b[i] = one ? (e->normalized ? INT8_MAX : 1) : 0;
            break;
        case SPEC_GL_UNSIGNED_BYTE:
            e->v.ub[i] = one ? (e->normalized ? UINT8_MAX : 1) : 0;
            break;
        case SPEC_GL_SHORT:
            e->v.s[i] = one ? (e->normalized ? INT16_MAX : 1) : 0;
            break;
        case SPEC_GL_UNSIGNED_SHORT:
            e->v.us[i] = one ? (e->normalized ? UINT16_MAX : 1) : 0;
            break;
        case SPEC_GL_INT:
            e->v.i[i] = one ? (e->normalized ? INT32_MAX : 1) : 0;
            break;
        case SPEC_GL_UNSIGNED_INT:
            e->v.ui[i] = one ? (e->normalized ? UINT32_MAX : 1) : 0;
            break;
        default:
            break;
        }
    }
    e->size = 4;
}

/* Names the glVertexAttrib*() for this element. There are functions for all sizes of shorts, floats and
 * doubles; for integer attributes, of ints. For other types, and normalised ones, there are only functions of
 * four components. */
static void name_attribute(uint16_t function, struct element *e, char *name, size_t room)
{
    bool is_float = e->type == SPEC_GL_FLOAT || e->type == SPEC_GL_DOUBLE;
    if (function == SPEC_FN_glVertexAttribLPointer) {
        snprintf(name, room, "glVertexAttribL%ddv", e->size);
    } else if (function == SPEC_FN_glVertexAttribIPointer) {
        if (e->type != SPEC_GL_INT && e->type != SPEC_GL_UNSIGNED_INT)
            extend(e);
        snprintf(name, room, "glVertexAttribI%d%sv", e->size, suffix_of(e->type));
    } else if (e->normalized && !is_float) {
        extend(e);
        snprintf(name, room, "glVertexAttrib4N%sv", suffix_of(e->type));
    } else {
        if (!is_float && e->type != SPEC_GL_SHORT)
            extend(e);
        snprintf(name, room, "glVertexAttrib%d%sv", e->size, suffix_of(e->type));
    }
}

/* Gets the name of the function that takes this element of array a. */
static void name_function(const struct gl_client_array *a, struct element *e, char *name, size_t room)
{
    const char *type = suffix_of(e->type);
    switch (a->array) {
    case GL_ARRAY_VERTEX:
        snprintf(name, room, "glVertex%d%sv", e->size, type);
        break;
    case GL_ARRAY_NORMAL:
        snprintf(name, room, "glNormal3%sv", type);
        break;
    case GL_ARRAY_COLOR:
        snprintf(name, room, "glColor%d%sv", e->size, type);
        break;
    case GL_ARRAY_SECONDARY_COLOR:
        snprintf(name, room, "glSecondaryColor3%sv", type);
        break;
    case GL_ARRAY_INDEX:
        snprintf(name, room, "glIndex%sv", type);
        break;
    case GL_ARRAY_EDGE_FLAG:
        snprintf(name, room, "glEdgeFlagv");
        break;
    case GL_ARRAY_FOG_COORD:
        snprintf(name, room, "glFogCoord%sv", type);
        break;
    default:
        if (a->array >= GL_ARRAY_GENERIC_0)
            name_attribute(a->function, e, name, room);
        else if (a->array > GL_ARRAY_TEXTURE_0)
            snprintf(name, room, "glMultiTexCoord%d%sv", e->size, type);
        else if (a->array == GL_ARRAY_TEXTURE_0)
            snprintf(name, room, "glTexCoord%d%sv", e->size, type);
        else
            name[0] = '\0';
    }
}

static void name_packed_function(const struct gl_client_array *a, const struct element *e, char *name,
                                 size_t room)
{
    const char *what = a->array == GL_ARRAY_VERTEX            ? "Vertex"
                       : a->array == GL_ARRAY_NORMAL          ? "Normal"
                       : a->array == GL_ARRAY_COLOR           ? "Color"
                       : a->array == GL_ARRAY_SECONDARY_COLOR ? "SecondaryColor"
                       : a->array >= GL_ARRAY_GENERIC_0       ? "VertexAttrib"
                       : a->array > GL_ARRAY_TEXTURE_0        ? "MultiTexCoord"
                                                              : "TexCoord";
    snprintf(name, room, "gl%sP%duiv", what, e->size);
}

static bool load_element(const struct gl_client_array *a, uint32_t element, struct element *e)
{
    uint64_t at = (uint64_t)element * a->step;
    *e = (struct element){.size = a->size, .type = a->type, .normalized = a->normalized};
    if (a->element > sizeof e->v || !program_memory_readable(a->pointer + at, a->element))
        return false;
    memcpy(e->v.bytes, a->pointer + at, a->element);
    if (e->size == SPEC_GL_BGRA)
        swap_colors(e);
    if (suffix_of(e->type) == NULL && !is_packed(e->type))
        convert_to_floats(e);
    return true;
}

/* Sets the arguments before the values: a texture unit or an attribute, and the type of packed values. */
static unsigned set_leading_arguments(const struct gl_client_array *a, const struct element *e,
                                      union spec_arg *args)
{
    unsigned n = 0;
    bool generic = a->array >= GL_ARRAY_GENERIC_0;
    if (generic)
        args[n++] = (union spec_arg){.u = a->array - GL_ARRAY_GENERIC_0};
    else if (gl_client_array_is_texture(a->array) && a->array != GL_ARRAY_TEXTURE_0)
        args[n++] = (union spec_arg){.u = SPEC_GL_TEXTURE0 + (a->array - GL_ARRAY_TEXTURE_0)};
    if (is_packed(e->type)) {
        args[n++] = (union spec_arg){.u = e->type};
        if (generic)
            args[n++] = (union spec_arg){.u = e->normalized};
    }
    return n;
}

void gl_element_values_record(struct capture_thread *t, const struct gl_client_array *a, uint32_t element)
{
    struct element e;
    char name[40];
    union spec_arg args[4];
    if (!load_element(a, element, &e))
        return;
    if (is_packed(e.type))
        name_packed_function(a, &e, name, sizeof name);
    else
        name_function(a, &e, name, sizeof name);
    const struct spec_function *f = spec_find_function(name);
    if (f == NULL)
        return;
    unsigned n = set_leading_arguments(a, &e, args);
    args[n] = spec_arg_ptr(e.v.bytes);
    if (f->param_count == n + 1)
        capture_fake_call(t, f->id, args);
}
