/* SPDX-License-Identifier: MIT */
#include "gl/gl_client_arrays.h"

#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/program_memory.h"
#include "runtime/array_calls.h"

#include "spec_ids.h"

#include <string.h>

enum { MAX_ARRAY_ARGUMENTS = 8 }; /* of a function that sets an array */

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

uint32_t gl_client_array_element(int32_t components, uint32_t type)
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

/* --- which arrays may be in memory ------------------------------------------------------------------ */

static const struct array_state *find_state(uint32_t function)
{
    for (unsigned i = 0; i < ARRAY_STATES; ++i)
        if (array_states[i].function == function || array_states[i].extension == function)
            return &array_states[i];
    return NULL;
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

/* The texture unit that gl*TexCoord* calls for client arrays refer to. */
static unsigned client_unit(const struct gl_context *c)
{
    bool has_units = c->profile == GL_PROFILE_ES || c->version >= 13;
    return has_units && !c->in_begin
               ? (unsigned)gl_driver_integer(SPEC_GL_CLIENT_ACTIVE_TEXTURE) - SPEC_GL_TEXTURE0
               : 0;
}

static void mark(struct gl_context *c, unsigned array, unsigned end)
{
    if (array < end)
        c->arrays->client_pointers |= (uint64_t)1 << array;
}

/* GL is asked: it is not between glBegin() and glEnd(). */
static bool is_refused(const struct spec_function *f, const union spec_arg *args)
{
    if (spec_array_is_refused(f, args))
        return true;
    uint32_t attribute = spec_array_attribute(f, args);
    return attribute >= SPEC_ATTRIBUTES_MIN &&
           attribute >= (uint32_t)gl_driver_integer(SPEC_GL_MAX_VERTEX_ATTRIBS);
}

/* A call that points to the program's memory is left out: no trace has addresses of the program. If it fails
 * by its other arguments, it is recorded for its error, with NULL, which no driver looks at. In core
 * profiles, which have no client-side arrays, the pointer is the error, so that is lost. Returns true if the
 * call sets an array. */
static bool points_to_memory(struct capture_thread *t, const struct spec_function *f,
                             const union spec_arg *args)
{
    struct gl_context *c = t->context;
    unsigned pointer = f->param_count - 1u;
    if (args[pointer].p == NULL || c->sizes.array_buffer)
        return false;
    gl_context_identify(c);
    t->omit = true;
    if (c->in_begin || !is_refused(f, args))
        return true;
    union spec_arg without_address[MAX_ARRAY_ARGUMENTS];
    memcpy(without_address, args, pointer * sizeof *args);
    without_address[pointer] = spec_arg_ptr(NULL);
    capture_fake_call(t, f->id, without_address);
    return false;
}

/* gl*Pointer(…, pointer) of a fixed-function array */
DEFINE_HOOK(array_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (!points_to_memory(t, f, args))
        return;
    const struct array_state *state = find_state(f->id);
    if (state != NULL && state->array == GL_ARRAY_TEXTURE_0)
        mark(c, GL_ARRAY_TEXTURE_0 + client_unit(c), GL_ARRAY_INDEX);
    else if (state != NULL)
        mark(c, state->array, GL_ARRAY_COUNT);
}

/* glMultiTexCoordPointerEXT(unit, size, type, stride, pointer) */
DEFINE_HOOK(multi_tex_coord_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!points_to_memory(t, f, args))
        return;
    uint64_t unit = args[0].u - SPEC_GL_TEXTURE0;
    if (unit < GL_TEXTURE_ARRAYS)
        mark(t->context, GL_ARRAY_TEXTURE_0 + (unsigned)unit, GL_ARRAY_INDEX);
}

static void set_attribute(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args)
{
    if (!points_to_memory(t, f, args))
        return;
    if (args[0].u < GL_GENERIC_ARRAYS)
        mark(t->context, GL_ARRAY_GENERIC_0 + (unsigned)args[0].u, GL_ARRAY_COUNT);
}

/* glVertexAttrib*Pointer(index, …) */
DEFINE_HOOK(attrib_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_attribute(t, f, args);
}

DEFINE_HOOK(attrib_integer_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_INTEGER_ARRAYS;
    set_attribute(t, f, args);
}

DEFINE_HOOK(attrib_long_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_LONG_ARRAYS;
    set_attribute(t, f, args);
}

DEFINE_HOOK(attrib_divisor)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if ((c->used & GL_USES_DIVISORS) != 0)
        return;
    gl_context_identify(c);
    static const char *const extensions[] = {"GL_ARB_instanced_arrays", "GL_EXT_instanced_arrays",
                                             "GL_ANGLE_instanced_arrays", "GL_NV_instanced_arrays"};
    bool has = c->version >= (c->profile == GL_PROFILE_ES ? 30 : 33);
    for (unsigned i = 0; !has && !c->in_begin && i < 4; ++i)
        has = gl_driver_has_extension(c->version, extensions[i]);
    if (has)
        c->used |= GL_USES_DIVISORS;
}

DEFINE_HOOK(lock_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_LOCKED_ARRAYS;
}

/* --- what the driver says ---------------------------------------------------------------------------- */

enum array_place { ARRAY_OFF, ARRAY_IN_BUFFER, ARRAY_IN_MEMORY };

static void complete_array(struct gl_client_array *a)
{
    a->element = gl_client_array_element(a->size, a->type);
    a->step = a->stride > 0 ? (uint32_t)a->stride : a->element;
}

static enum array_place ask_fixed(const struct gl_context *c, const struct array_state *s,
                                  struct gl_client_array *a)
{
    bool has_buffers = c->version >= (c->profile == GL_PROFILE_ES ? 11 : 15);
    if (!gl_driver_is_enabled(s->enable))
        return ARRAY_OFF;
    if (has_buffers && s->buffer != 0 && gl_driver_integer(s->buffer) != 0)
        return ARRAY_IN_BUFFER;
    a->function = s->function;
    a->size = s->size != 0 ? gl_driver_integer(s->size) : s->components;
    a->type = s->type != 0 ? (uint32_t)gl_driver_integer(s->type) : SPEC_GL_UNSIGNED_BYTE;
    a->stride = gl_driver_integer(s->stride);
    a->normalized = false;
    a->divisor = 0;
    a->pointer = gl_driver_pointer(s->pointer);
    return ARRAY_IN_MEMORY;
}

enum {
    SPEC_GL_VERTEX_ATTRIB_ARRAY_ENABLED = 0x8622,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_SIZE = 0x8623,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_STRIDE = 0x8624,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_TYPE = 0x8625,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_LONG = 0x874E,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_NORMALIZED = 0x886A,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING = 0x889F,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_INTEGER = 0x88FD,
    SPEC_GL_VERTEX_ATTRIB_ARRAY_DIVISOR = 0x88FE,
    SPEC_GL_VERTEX_ATTRIB_BINDING = 0x82D4,
    SPEC_GL_VERTEX_ATTRIB_RELATIVE_OFFSET = 0x82D5,
};

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

static bool is_in_buffer(uint32_t index)
{
    return gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) != 0;
}

static void describe_generic(const struct gl_context *c, uint32_t index, struct gl_client_array *a)
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
    if (is_in_buffer(index))
        return ARRAY_IN_BUFFER;
    describe_generic(c, index, a);
    return ARRAY_IN_MEMORY;
}

static void choose_driver_unit(uint32_t unit)
{
    capture_function choose = real_function_find(SPEC_FN_glClientActiveTexture);
    ((void (*)(uint32_t))choose)(SPEC_GL_TEXTURE0 + unit);
}

/* *unit: the current client texture unit of the driver. Arrays that the context's API does not have are
 * disabled. */
static enum array_place ask_array(const struct gl_context *c, unsigned array, uint32_t *unit,
                                  struct gl_client_array *out)
{
    bool es = c->profile == GL_PROFILE_ES, fixed = array < GL_ARRAY_GENERIC_0;
    bool generic_only = c->core || (es && c->version >= 20), fixed_only = es ? c->version < 20 : false;
    if (fixed ? generic_only : fixed_only)
        return ARRAY_OFF;
    out->array = (enum gl_array)array;
    if (!fixed)
        return ask_generic(c, array - GL_ARRAY_GENERIC_0, out);
    bool texture = gl_client_array_is_texture(out->array);
    if (texture && *unit != array - GL_ARRAY_TEXTURE_0)
        choose_driver_unit(*unit = array - GL_ARRAY_TEXTURE_0);
    return ask_fixed(c, state_of(out->array), out);
}

#define TEXTURE_ARRAYS_MASK ((((uint64_t)1 << GL_TEXTURE_ARRAYS) - 1) << GL_ARRAY_TEXTURE_0)

void gl_client_arrays_visit(struct capture_thread *t, gl_client_array_visitor visit, void *data)
{
    struct gl_context *c = t->context;
    uint64_t possible = c->arrays->client_pointers;
    gl_context_identify(c);
    uint32_t program_unit = (possible & TEXTURE_ARRAYS_MASK) != 0 ? client_unit(c) : 0, unit = program_unit;
    for (unsigned i = 0; i < GL_ARRAY_COUNT && possible >> i != 0; ++i) {
        struct gl_client_array a;
        if ((possible >> i & 1) == 0)
            continue;
        enum array_place place = ask_array(c, i, &unit, &a);
        /* glPopClientAttrib() may restore a pointer that was pushed. */
        if (place == ARRAY_IN_BUFFER && (c->used & GL_USES_CLIENT_STACK) == 0)
            c->arrays->client_pointers &= ~((uint64_t)1 << i);
        if (place != ARRAY_IN_MEMORY || a.pointer == NULL)
            continue;
        complete_array(&a);
        if (a.size > 0)
            visit(t, &a, data);
    }
    if (unit != program_unit)
        choose_driver_unit(program_unit);
}

/* --- recording --------------------------------------------------------------------------------------- */

struct gl_client_unit gl_client_arrays_unit(const struct gl_context *c)
{
    bool any = (c->arrays->client_pointers & TEXTURE_ARRAYS_MASK) != 0;
    uint32_t unit = any ? client_unit(c) : 0;
    return (struct gl_client_unit){unit, unit};
}

static void record_unit(struct capture_thread *t, struct gl_client_unit *unit, uint32_t wanted)
{
    const union spec_arg args[1] = {{.u = SPEC_GL_TEXTURE0 + wanted}};
    if (unit->recorded != wanted)
        capture_fake_call(t, SPEC_FN_glClientActiveTexture, args);
    unit->recorded = wanted;
}

void gl_client_arrays_enter_unit(struct capture_thread *t, struct gl_client_unit *unit, enum gl_array array)
{
    if (array >= GL_ARRAY_INDEX)
        record_unit(t, unit, unit->program);
    else if (array >= GL_ARRAY_TEXTURE_0)
        record_unit(t, unit, array - GL_ARRAY_TEXTURE_0);
}

void gl_client_arrays_leave_unit(struct capture_thread *t, struct gl_client_unit *unit)
{
    record_unit(t, unit, unit->program);
}

struct recording {
    const struct gl_array_range *range;
    uint64_t locked_end; /* glLockArraysEXT() allows GL to read vertices below this at any time */
    struct gl_client_unit unit;
    uint32_t buffer; /* buffer that the program has bound; in the trace it is unbound while client-side arrays
                        are recorded */
    bool unbound;
};

/* Finds the range [*first, *end) of elements that are read. */
static void find_elements(const struct gl_client_array *a, const struct recording *r, uint64_t *first,
                          uint64_t *end)
{
    *first = r->range->first;
    *end = r->range->end > r->locked_end ? r->range->end : r->locked_end;
    if (a->divisor != 0) {
        *first = r->range->base_instance;
        *end = *first + (r->range->instances - 1) / a->divisor + 1;
    }
}

#define MAX_ARRAY ((uint64_t)1 << 30)  /* limit for an array, in bytes */
#define MAX_LEAD  ((uint64_t)16 << 20) /* limit for the unreadable bytes at its start */

/* Returns the number of bytes to record. They start at the pointer, because GL counts elements from there.
 * The bytes before the first element that is read need not be readable; the end is limited to readable
 * memory. Returns 0 if the values are implausible. */
static uint64_t find_size(const struct gl_client_array *a, const struct recording *r, bool *complete)
{
    uint64_t first, end;
    find_elements(a, r, &first, &end);
    *complete = true;
    if (first >= MAX_ARRAY / a->step)
        return 0;
    if (end > MAX_ARRAY / a->step)
        end = MAX_ARRAY / a->step;
    uint64_t start = first * a->step, size = (end - 1 - first) * a->step + a->element;
    *complete = program_memory_readable(a->pointer + start, size);
    if (!*complete)
        size = program_memory_extent(a->pointer + start, size);
    if (size == 0 || (start > MAX_LEAD && program_memory_gap(a->pointer, MAX_LEAD + 1) > MAX_LEAD))
        return 0;
    return start + size;
}

static void set_arguments(const struct gl_client_array *a, union spec_arg *args)
{
    const struct spec_function *f = &spec_functions[a->function];
    union spec_arg *arg = args;
    if (a->array >= GL_ARRAY_GENERIC_0)
        *arg++ = (union spec_arg){.u = a->array - GL_ARRAY_GENERIC_0};
    if (strcmp(spec_string(spec_param(f, arg - args)->name), "size") == 0)
        *arg++ = (union spec_arg){.i = a->size};
    if (strcmp(spec_string(spec_param(f, arg - args)->name), "type") == 0)
        *arg++ = (union spec_arg){.u = a->type};
    if (strcmp(spec_string(spec_param(f, arg - args)->name), "normalized") == 0)
        *arg++ = (union spec_arg){.u = a->normalized};
    *arg++ = (union spec_arg){.i = a->stride};
    *arg = spec_arg_ptr((const void *)(uintptr_t)a->pointer);
}

static void record_array_buffer(struct capture_thread *t, uint32_t buffer)
{
    const union spec_arg args[2] = {{.u = SPEC_GL_ARRAY_BUFFER}, {.u = buffer}};
    capture_fake_call(t, SPEC_FN_glBindBuffer, args);
}

/* Client-side arrays are recorded with no buffer bound. */
static void unbind_buffer(struct capture_thread *t, struct recording *r)
{
    if (r->buffer != 0 && !r->unbound)
        record_array_buffer(t, 0);
    r->unbound = true;
}

static void bind_buffer_again(struct capture_thread *t, const struct recording *r)
{
    if (r->buffer != 0 && r->unbound)
        record_array_buffer(t, r->buffer);
}

static void note_missed(struct capture_thread *t, uint64_t arrays)
{
    t->missed = t->outermost;
    t->missed_arrays |= arrays;
}

bool gl_client_arrays_can_read(struct capture_thread *t, const void *memory, uint64_t size)
{
    bool can = program_memory_readable(memory, size);
    if (!can)
        note_missed(t, UINT64_MAX);
    return can;
}

static void record_array(struct capture_thread *t, const struct gl_client_array *a, void *data)
{
    struct recording *r = data;
    bool complete;
    uint64_t size = find_size(a, r, &complete), bit = (uint64_t)1 << a->array;
    if (!complete)
        note_missed(t, bit);
    if (size == 0 || (t->again_arrays != 0 && !(complete && (t->again_arrays & bit) != 0)))
        return;
    union spec_arg args[6];
    unsigned pointer = spec_functions[a->function].param_count - 1u;
    const struct capture_override memory = {pointer, a->pointer, (int64_t)size};
    set_arguments(a, args);
    unbind_buffer(t, r);
    gl_client_arrays_enter_unit(t, &r->unit, a->array);
    capture_fake_call_with(t, a->function, args, &memory);
}

void gl_client_arrays_record(struct capture_thread *t, const struct gl_array_range *range)
{
    struct gl_context *c = t->context;
    struct recording r = {range, 0, gl_client_arrays_unit(c), c->buffers[GL_BUFFER_ARRAY], false};
    if (range->end <= range->first || range->instances == 0)
        return;
    if ((c->used & GL_USES_LOCKED_ARRAYS) != 0) {
        int32_t count = gl_driver_integer(SPEC_GL_ARRAY_ELEMENT_LOCK_COUNT_EXT);
        int32_t first = gl_driver_integer(SPEC_GL_ARRAY_ELEMENT_LOCK_FIRST_EXT);
        r.locked_end = count > 0 && first >= 0 ? (uint64_t)first + (uint64_t)count : 0;
    }
    gl_client_arrays_visit(t, record_array, &r);
    gl_client_arrays_leave_unit(t, &r.unit);
    bind_buffer_again(t, &r);
}

static uint16_t format_function(uint16_t pointer_function)
{
    switch (pointer_function) {
    case SPEC_FN_glVertexAttribIPointer:
        return SPEC_FN_glVertexAttribIFormat;
    case SPEC_FN_glVertexAttribLPointer:
        return SPEC_FN_glVertexAttribLFormat;
    default:
        return SPEC_FN_glVertexAttribFormat;
    }
}

static void record_format(struct capture_thread *t, uint32_t index)
{
    struct gl_client_array a;
    union spec_arg args[5] = {{.u = index}};
    unsigned n = 1;
    describe_generic(t->context, index, &a);
    args[n++].i = a.size;
    args[n++].u = a.type;
    if (a.function == SPEC_FN_glVertexAttribPointer)
        args[n++].u = a.normalized;
    args[n].u = (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_RELATIVE_OFFSET);
    capture_fake_call(t, format_function(a.function), args);
    args[1].u = (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_BINDING);
    capture_fake_call(t, SPEC_FN_glVertexAttribBinding, args);
}

static bool has_bindings(struct gl_context *c)
{
    gl_context_identify(c);
    return c->profile == GL_PROFILE_ES
               ? c->version >= 31
               : c->version >= 43 || gl_driver_has_extension(c->version, "GL_ARB_vertex_attrib_binding");
}

/* glBindVertexBuffer() and similar calls change the buffer or the binding of an array, but keep its format.
 * If an unrecorded call has set the format, fake calls record the format, without the bindings. */
DEFINE_HOOK(bind_vertex_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    uint64_t possible = c->arrays->client_pointers >> GL_ARRAY_GENERIC_0;
    if (possible == 0 || !gl_client_arrays_possible(c) || !has_bindings(c))
        return;
    for (uint32_t i = 0; i < GL_GENERIC_ARRAYS; ++i)
        if ((possible >> i & 1) != 0 && !is_in_buffer(i))
            record_format(t, i);
}

/* --- glInterleavedArrays(format, stride, pointer) ----------------------------------------------------- */

static void complete_interleaved_arrays(struct capture_thread *t)
{
    static const uint16_t states[] = {SPEC_GL_SECONDARY_COLOR_ARRAY, SPEC_GL_FOG_COORD_ARRAY,
                                      SPEC_GL_EDGE_FLAG_ARRAY,       SPEC_GL_TEXTURE_COORD_ARRAY,
                                      SPEC_GL_INDEX_ARRAY,           SPEC_GL_COLOR_ARRAY,
                                      SPEC_GL_NORMAL_ARRAY,          SPEC_GL_VERTEX_ARRAY};
    if (t->context->in_begin)
        return;
    for (unsigned i = t->context->version >= 14 ? 0 : 2; i < sizeof states / sizeof states[0]; ++i) {
        const union spec_arg args[1] = {{.u = states[i]}};
        bool enabled = gl_driver_is_enabled(states[i]);
        capture_fake_call(t, enabled ? SPEC_FN_glEnableClientState : SPEC_FN_glDisableClientState, args);
    }
}

/* With client-side arrays, this is recorded as the calls that it is equivalent to. */
DEFINE_HOOK(interleaved_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (!points_to_memory(t, f, args))
        return;
    mark(c, GL_ARRAY_TEXTURE_0 + client_unit(c), GL_ARRAY_INDEX);
    mark(c, GL_ARRAY_COLOR, GL_ARRAY_COUNT);
    mark(c, GL_ARRAY_NORMAL, GL_ARRAY_COUNT);
    mark(c, GL_ARRAY_VERTEX, GL_ARRAY_COUNT);
    t->complete = complete_interleaved_arrays;
}
