/* SPDX-License-Identifier: MIT */
#include "gl/gl_array_state.h"

#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "runtime/array_calls.h"

#include "spec_ids.h"

/* The enums for querying the state of a fixed-function array with glIsEnabled() and glGet*(). 0: the array
 * does not have this state. */
struct array_state {
    uint8_t array; /* enum gl_array */
    uint16_t enable, size, type, stride, pointer, buffer;
    uint8_t components; /* number of components of an array that has no size */
    uint16_t function, extension;
};

#define SETTERS(name) SPEC_FN_gl##name##Pointer, SPEC_FN_gl##name##PointerEXT

static const struct array_state array_states[] = {
    {GL_ARRAY_POINT_SIZE, 0x8B9C, 0, 0x898A, 0x898B, 0x898C, 0x8B9F, 1, SPEC_FN_glPointSizePointerOES, 0},
    {GL_ARRAY_WEIGHT, 0x86AD, 0x86AB, 0x86A9, 0x86AA, 0x86AC, 0x889E, 0, SPEC_FN_glWeightPointerARB, 0},
    {GL_ARRAY_MATRIX_INDEX, 0x8844, 0x8846, 0x8847, 0x8848, 0x8849, 0, 0, SPEC_FN_glMatrixIndexPointerARB, 0},
    {GL_ARRAY_SECONDARY_COLOR, 0x845E, 0x845A, 0x845B, 0x845C, 0x845D, 0x889C, 0, SETTERS(SecondaryColor)},
    {GL_ARRAY_FOG_COORD, 0x8457, 0, 0x8454, 0x8455, 0x8456, 0x889D, 1, SETTERS(FogCoord)},
    {GL_ARRAY_EDGE_FLAG, 0x8079, 0, 0, 0x808C, 0x8093, 0x889B, 1, SETTERS(EdgeFlag)},
    {GL_ARRAY_TEXTURE_0, 0x8078, 0x8088, 0x8089, 0x808A, 0x8092, 0x889A, 0, SETTERS(TexCoord)},
    {GL_ARRAY_INDEX, 0x8077, 0, 0x8085, 0x8086, 0x8091, 0x8899, 1, SETTERS(Index)},
    {GL_ARRAY_COLOR, 0x8076, 0x8081, 0x8082, 0x8083, 0x8090, 0x8898, 0, SETTERS(Color)},
    {GL_ARRAY_NORMAL, 0x8075, 0, 0x807E, 0x807F, 0x808F, 0x8897, 3, SETTERS(Normal)},
    {GL_ARRAY_VERTEX, 0x8074, 0x807A, 0x807B, 0x807C, 0x808E, 0x8896, 0, SETTERS(Vertex)},
};
#define ARRAY_STATES (sizeof array_states / sizeof array_states[0])

static uint32_t component_size(uint32_t type)
{
    switch (type) {
    case SPEC_GL_BYTE:
    case SPEC_GL_UNSIGNED_BYTE:
        return 1;
    case SPEC_GL_SHORT:
    case SPEC_GL_UNSIGNED_SHORT:
    case SPEC_GL_HALF_FLOAT:
    case SPEC_GL_HALF_FLOAT_OES:
        return 2;
    case SPEC_GL_DOUBLE:
    case SPEC_GL_INT64:
    case SPEC_GL_UNSIGNED_INT64:
        return 8;
    default:
        return 4;
    }
}

/* Returns the size of an element in bytes. components may be GL_BGRA. */
static uint32_t element_size(int32_t components, uint32_t type)
{
    switch (type) {
    case SPEC_GL_UNSIGNED_INT_2_10_10_10_REV:
    case SPEC_GL_INT_2_10_10_10_REV:
    case SPEC_GL_UNSIGNED_INT_10F_11F_11F_REV:
        return 4; /* all components are packed into one word */
    default:
        return (components == SPEC_GL_BGRA ? 4 : (uint32_t)components) * component_size(type);
    }
}

enum gl_array gl_array_set_by(uint32_t function)
{
    for (unsigned i = 0; i < ARRAY_STATES; ++i)
        if (array_states[i].function == function || array_states[i].extension == function)
            return (enum gl_array)array_states[i].array;
    return GL_ARRAY_COUNT;
}

enum gl_array gl_array_asked_by(uint32_t pname)
{
    for (unsigned i = 0; i < ARRAY_STATES; ++i) {
        const struct array_state *s = &array_states[i];
        if (pname != 0 && (pname == s->size || pname == s->type || pname == s->stride || pname == s->buffer))
            return (enum gl_array)s->array;
    }
    return GL_ARRAY_COUNT;
}

static const struct array_state *state_of(enum gl_array array)
{
    unsigned i = 0;
    if (gl_client_array_is_texture(array))
        array = GL_ARRAY_TEXTURE_0;
    while (array_states[i].array != array)
        i++; /* skips arrays that are not fixed-function; the table has all that are */
    return &array_states[i];
}

uint32_t gl_client_array_state(enum gl_array array)
{
    return state_of(array)->enable;
}

unsigned gl_client_unit(const struct gl_context *c)
{
    bool has_units = c->profile == GL_PROFILE_ES || c->version >= 13;
    return has_units && !c->in_begin
               ? (unsigned)gl_driver_integer(SPEC_GL_CLIENT_ACTIVE_TEXTURE) - SPEC_GL_TEXTURE0
               : 0;
}

bool gl_stride_is_refused(const struct gl_context *c, int64_t stride)
{
    if (stride >= 0 && stride <= SPEC_STRIDE_MIN)
        return false;
    return stride < 0 || (c->profile != GL_PROFILE_ES && c->version >= 44 &&
                          stride > gl_driver_integer(SPEC_GL_MAX_VERTEX_ATTRIB_STRIDE));
}

/* --- what the driver says ---------------------------------------------------------------------------- */

enum array_place { ARRAY_OFF, ARRAY_IN_BUFFER, ARRAY_IN_MEMORY };

static void complete_array(struct gl_client_array *a)
{
    a->element = element_size(a->size, a->type);
    a->step = gl_step_of_pointer(a);
}

static bool fixed_is_in_buffer(const struct gl_context *c, const struct array_state *s)
{
    bool has_buffers = c->version >= (c->profile == GL_PROFILE_ES ? 11 : 15);
    return has_buffers && s->buffer != 0 && gl_driver_integer(s->buffer) != 0;
}

static void describe_fixed(const struct array_state *s, struct gl_client_array *a)
{
    a->function = s->function;
    a->size = s->size != 0 ? gl_driver_integer(s->size) : s->components;
    a->type = s->type != 0 ? (uint32_t)gl_driver_integer(s->type) : SPEC_GL_UNSIGNED_BYTE;
    a->stride = gl_driver_integer(s->stride);
    a->normalized = false;
    a->divisor = 0;
    a->pointer = gl_driver_pointer(s->pointer);
}

static enum array_place ask_fixed(const struct gl_context *c, const struct array_state *s,
                                  struct gl_client_array *a)
{
    if (!gl_driver_is_enabled(s->enable))
        return ARRAY_OFF;
    if (fixed_is_in_buffer(c, s))
        return ARRAY_IN_BUFFER;
    describe_fixed(s, a);
    return ARRAY_IN_MEMORY;
}

static uint16_t attribute_function(const struct gl_context *c, uint32_t index)
{
    if ((c->used & GL_USES_INTEGER_ARRAYS) != 0 && c->version >= 30 &&
        gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_INTEGER) != 0)
        return SPEC_FN_glVertexAttribIPointer;
    if ((c->used & GL_USES_LONG_ARRAYS) != 0 && c->version >= 41 &&
        gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_LONG) != 0)
        return SPEC_FN_glVertexAttribLPointer;
    return SPEC_FN_glVertexAttribPointer;
}

bool gl_attribute_is_in_buffer(uint32_t index)
{
    return gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) != 0;
}

void gl_attribute_describe(const struct gl_context *c, uint32_t index, struct gl_client_array *a)
{
    a->array = (enum gl_array)(GL_ARRAY_GENERIC_0 + index);
    a->function = attribute_function(c, index);
    a->size = gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_SIZE);
    a->type = (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_TYPE);
    a->stride = gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_STRIDE);
    a->normalized = gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_NORMALIZED) != 0;
    a->divisor = (c->used & GL_USES_DIVISORS) != 0
                     ? (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_DIVISOR)
                     : 0;
    a->pointer = gl_driver_attribute_pointer(index);
}

static enum array_place ask_generic(const struct gl_context *c, uint32_t index, struct gl_client_array *a)
{
    if (gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 0)
        return ARRAY_OFF;
    if (gl_attribute_is_in_buffer(index))
        return ARRAY_IN_BUFFER;
    gl_attribute_describe(c, index, a);
    return ARRAY_IN_MEMORY;
}

/* The distance between elements is that of the binding, which glBindVertexBuffer() or glVertexAttribFormat()
 * may have made another one than that of the pointer's call. It may be 0. */
static void take_step_of_binding(const struct gl_context *c, struct gl_client_array *a)
{
    if ((c->used & GL_USES_BINDINGS) == 0 || a->array < GL_ARRAY_GENERIC_0)
        return;
    uint32_t index = a->array - GL_ARRAY_GENERIC_0;
    uint32_t binding = (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_BINDING);
    a->step = (uint32_t)gl_driver_indexed_integer(SPEC_GL_VERTEX_BINDING_STRIDE, binding);
}

static void choose_driver_unit(uint32_t unit)
{
    capture_function choose = real_function_find(SPEC_FN_glClientActiveTexture);
    ((void (*)(uint32_t))choose)(SPEC_GL_TEXTURE0 + unit);
}

/* Core profiles have no arrays in memory, and an API has fixed-function arrays, generic ones, or both. */
static bool has_array(const struct gl_context *c, unsigned array)
{
    bool es = c->profile == GL_PROFILE_ES;
    bool generic_only = c->core || (es && c->version >= 20), fixed_only = es ? c->version < 20 : false;
    return array < GL_ARRAY_GENERIC_0 ? !generic_only : !fixed_only;
}

/* *unit: the current client texture unit of the driver. Arrays that the context's API does not have are
 * disabled. */
static enum array_place ask_array(const struct gl_context *c, unsigned array, uint32_t *unit,
                                  struct gl_client_array *out)
{
    if (!has_array(c, array))
        return ARRAY_OFF;
    out->array = (enum gl_array)array;
    if (array >= GL_ARRAY_GENERIC_0)
        return ask_generic(c, array - GL_ARRAY_GENERIC_0, out);
    bool texture = gl_client_array_is_texture(out->array);
    if (texture && *unit != array - GL_ARRAY_TEXTURE_0)
        choose_driver_unit(*unit = array - GL_ARRAY_TEXTURE_0);
    return ask_fixed(c, state_of(out->array), out);
}

void gl_client_arrays_visit(struct capture_thread *t, gl_client_array_visitor visit, void *data)
{
    struct gl_context *c = t->context;
    uint64_t possible = c->arrays->client_pointers;
    gl_context_identify(c);
    uint32_t program_unit = (possible & GL_TEXTURE_ARRAYS_MASK) != 0 ? gl_client_unit(c) : 0,
             unit = program_unit;
    for (unsigned i = 0; i < GL_ARRAY_COUNT && possible >> i != 0; ++i) {
        struct gl_client_array a;
        if ((possible >> i & 1) == 0)
            continue;
        enum array_place place = ask_array(c, i, &unit, &a);
        /* glPopClientAttrib() may restore a pointer that was pushed, and so may another binding. */
        if (place == ARRAY_IN_BUFFER && (c->used & (GL_USES_CLIENT_STACK | GL_USES_BINDINGS)) == 0)
            c->arrays->client_pointers &= ~((uint64_t)1 << i);
        if (place != ARRAY_IN_MEMORY || a.pointer == NULL)
            continue;
        complete_array(&a);
        take_step_of_binding(c, &a);
        if (a.size > 0)
            visit(t, &a, data);
    }
    if (unit != program_unit)
        choose_driver_unit(program_unit);
}

static bool describe_chosen(const struct gl_context *c, enum gl_array array, struct gl_client_array *a)
{
    a->array = array;
    if (array < GL_ARRAY_GENERIC_0) {
        const struct array_state *s = state_of(array);
        if (fixed_is_in_buffer(c, s))
            return false;
        describe_fixed(s, a);
    } else {
        uint32_t index = array - GL_ARRAY_GENERIC_0;
        if (gl_attribute_is_in_buffer(index))
            return false;
        gl_attribute_describe(c, index, a);
    }
    return a->pointer != NULL;
}

bool gl_client_array_describe(const struct gl_context *c, enum gl_array array, struct gl_client_array *a)
{
    if (c->core || !has_array(c, array))
        return false;
    uint32_t program_unit = gl_client_array_is_texture(array) ? gl_client_unit(c) : 0;
    uint32_t unit = gl_client_array_is_texture(array) ? array - GL_ARRAY_TEXTURE_0 : 0;
    if (unit != program_unit)
        choose_driver_unit(unit);
    bool is_in_memory = describe_chosen(c, array, a);
    if (unit != program_unit)
        choose_driver_unit(program_unit);
    complete_array(a);
    return is_in_memory;
}
