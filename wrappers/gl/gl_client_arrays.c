/* SPDX-License-Identifier: MIT */
#include "gl/gl_client_arrays.h"

#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "memory/program_memory.h"
#include "runtime/array_calls.h"

#include "spec_ids.h"

#include <string.h>

struct gl_client_unit gl_client_arrays_unit(const struct gl_context *c)
{
    bool any = (c->arrays->client_pointers & GL_TEXTURE_ARRAYS_MASK) != 0;
    uint32_t unit = any ? gl_client_unit(c) : 0;
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
    bool ignores_divisors; /* Mesa compiles lists vertex by vertex */
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
    if (a->divisor != 0 && !r->ignores_divisors) {
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
    uint64_t most = a->step > 0 ? MAX_ARRAY / a->step : UINT64_MAX;
    if (first >= most)
        return 0;
    if (end > most)
        end = most;
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

/* Records a binding as the driver has it. Without a buffer, the elements are where the pointer's call said,
 * whatever the offset, as in Mesa. */
static void record_binding(struct capture_thread *t, uint32_t binding, const struct gl_client_array *a)
{
    uint32_t buffer = (uint32_t)gl_driver_indexed_integer(SPEC_GL_VERTEX_BINDING_BUFFER, binding);
    int32_t offset = buffer != 0 ? gl_driver_indexed_integer(SPEC_GL_VERTEX_BINDING_OFFSET, binding) : 0;
    int32_t stride = gl_driver_indexed_integer(SPEC_GL_VERTEX_BINDING_STRIDE, binding);
    const union spec_arg args[4] = {{.u = binding}, {.u = buffer}, {.i = offset}, {.i = stride}};
    if (buffer != 0 || (uint32_t)stride != gl_step_of_pointer(a))
        capture_fake_call(t, SPEC_FN_glBindVertexBuffer, args);
}

/* The pointer's call has bound the attribute to the binding of its number, whose buffer and stride it has
 * changed. */
static void record_bindings_again(struct capture_thread *t, const struct gl_client_array *a)
{
    uint32_t index = a->array - GL_ARRAY_GENERIC_0;
    if ((t->context->used & GL_USES_BINDINGS) == 0 || a->array < GL_ARRAY_GENERIC_0)
        return;
    uint32_t binding = (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_BINDING);
    record_binding(t, index, a);
    const union spec_arg args[2] = {{.u = index}, {.u = binding}};
    if (binding != index)
        capture_fake_call(t, SPEC_FN_glVertexAttribBinding, args);
}

static void record_array(struct capture_thread *t, const struct gl_client_array *a, void *data)
{
    struct recording *r = data;
    bool complete;
    if (gl_stride_is_refused(t->context, a->stride))
        return; /* the array of an error: the trace keeps the one that was set before */
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
    record_bindings_again(t, a);
}

void gl_client_arrays_record(struct capture_thread *t, const struct gl_array_range *range)
{
    struct gl_context *c = t->context;
    struct recording r = {.range = range,
                          .unit = gl_client_arrays_unit(c),
                          .ignores_divisors = c->in_list,
                          .buffer = c->buffers[GL_BUFFER_ARRAY]};
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

static bool has_bindings(struct gl_context *c)
{
    gl_context_identify(c);
    return c->profile == GL_PROFILE_ES
               ? c->version >= 31
               : c->version >= 43 || gl_driver_has_extension(c->version, "GL_ARB_vertex_attrib_binding");
}

/* Returns true if glVertexAttribFormat(), glBindVertexBuffer() and the like, which are recorded, have changed
 * what the pointer's call had set. */
static bool has_own_format(struct gl_context *c, const struct gl_client_array *a)
{
    uint32_t index = a->array - GL_ARRAY_GENERIC_0;
    return a->array >= GL_ARRAY_GENERIC_0 && has_bindings(c) &&
           (gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_RELATIVE_OFFSET) != 0 ||
            (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_BINDING) != index ||
            (uint32_t)gl_driver_indexed_integer(SPEC_GL_VERTEX_BINDING_STRIDE, index) != a->step);
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

/* Records the format of an attribute and its binding. A pointer that was recorded for a draw has set others.
 */
static void record_own_format(struct capture_thread *t, uint32_t index, const struct gl_client_array *a)
{
    union spec_arg args[5] = {{.u = index}};
    unsigned n = 1;
    args[n++].i = a->size;
    args[n++].u = a->type;
    if (a->function == SPEC_FN_glVertexAttribPointer)
        args[n++].u = a->normalized;
    args[n].u = (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_RELATIVE_OFFSET);
    capture_fake_call(t, format_function(a->function), args);
    args[1].u = (uint32_t)gl_driver_attribute(index, SPEC_GL_VERTEX_ATTRIB_BINDING);
    capture_fake_call(t, SPEC_FN_glVertexAttribBinding, args);
}

void gl_client_array_record_format(struct capture_thread *t, const struct gl_client_array *a)
{
    struct recording r = {.unit = gl_client_arrays_unit(t->context),
                          .buffer = t->context->buffers[GL_BUFFER_ARRAY]};
    union spec_arg args[6];
    const struct spec_function *f = &spec_functions[a->function];
    set_arguments(a, args);
    args[f->param_count - 1u] = spec_arg_ptr(NULL);
    if (spec_array_is_refused(f, args, t->context->profile == GL_PROFILE_ES) ||
        gl_stride_is_refused(t->context, a->stride))
        return;
    if (has_own_format(t->context, a)) {
        record_own_format(t, a->array - GL_ARRAY_GENERIC_0, a);
        return;
    }
    unbind_buffer(t, &r);
    gl_client_arrays_enter_unit(t, &r.unit, a->array);
    capture_fake_call(t, a->function, args);
    gl_client_arrays_leave_unit(t, &r.unit);
    bind_buffer_again(t, &r);
}

/* The stride that the program asks for is the one of the pointer's call, whatever buffer follows. */
static void record_format(struct capture_thread *t, uint32_t index)
{
    struct gl_client_array a;
    gl_attribute_describe(t->context, index, &a); /* also in core profiles, and for NULL */
    if (gl_client_array_describe(t->context, (enum gl_array)(GL_ARRAY_GENERIC_0 + index), &a))
        gl_client_array_record_format(t, &a);
    else
        record_own_format(t, index, &a);
}

static bool may_have_bindings(struct gl_context *c)
{
    bool any = c->arrays->client_pointers >> GL_ARRAY_GENERIC_0 != 0;
    return any && gl_client_arrays_possible(c) && has_bindings(c);
}

/* glVertexAttribFormat() and the like keep the memory and the stride. */
DEFINE_HOOK(change_attribute_format)
{
    UNUSED_HOOK_ARGUMENTS;
    if (may_have_bindings(t->context))
        t->context->used |= GL_USES_BINDINGS | GL_USES_INTEGER_ARRAYS | GL_USES_LONG_ARRAYS;
}

/* glBindVertexBuffer() and similar calls change the buffer or the binding of an array, but keep its format.
 * If an unrecorded call has set the format, fake calls record the format, without the bindings. */
DEFINE_HOOK(bind_vertex_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    uint64_t possible = c->arrays->client_pointers >> GL_ARRAY_GENERIC_0;
    if (!may_have_bindings(c))
        return;
    c->used |= GL_USES_BINDINGS;
    for (uint32_t i = 0; i < GL_GENERIC_ARRAYS; ++i)
        if ((possible >> i & 1) != 0 && !gl_attribute_is_in_buffer(i))
            record_format(t, i);
}
