/* SPDX-License-Identifier: MIT */
#include "call/array_limits.h"

#include <string.h>

#include "base/error.h"
#include "call/array_objects.h"
#include "call/draw_ranges.h"
#include "call/missing_arrays.h"
#include "objects/replay_state.h"
#include "spec_ids.h"

enum { HALF_FLOAT_OES = 0x8d61 };

/* --- arrays ----------------------------------------------------------------------------------------- */

static uint64_t component_size(GLenum type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case HALF_FLOAT_OES:
        return 2;
    case GL_DOUBLE:
    case GL_INT64_ARB:
    case GL_UNSIGNED_INT64_ARB:
        return 8;
    default:
        return 4;
    }
}

static bool is_packed(GLenum type)
{
    return type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV ||
           type == GL_UNSIGNED_INT_10F_11F_11F_REV;
}

/* glInterleavedArrays(format, …) */
static uint64_t interleaved_size(GLenum format)
{
    static const uint8_t sizes[] = {8, 12, 12, 16, 24, 24, 40, 20, 32, 24, 32, 32, 48, 60};
    return format >= GL_V2F && format - GL_V2F < sizeof sizes ? sizes[format - GL_V2F] : 4;
}

/* Returns the bytes of a vertex; 0: an error. */
static uint64_t size_of(int64_t components, GLenum type)
{
    if (components == GL_BGRA)
        components = 4;
    if ((uint64_t)components > 4) /* or negative */
        return 0;
    if (is_packed(type))
        components = 1;
    return (uint64_t)components * component_size(type);
}

/* gl*Pointer([index,] [size,] [type,] stride, … pointer) */
static uint64_t vertex_size(const struct replay_call *c)
{
    unsigned function = c->function->spec->alias;
    if (function == SPEC_FN_glEdgeFlagPointer)
        return 1;
    if (function == SPEC_FN_glInterleavedArrays)
        return interleaved_size((GLenum)c->args[0].u);
    return size_of(draw_argument(c, "size", function == SPEC_FN_glNormalPointer ? 3 : 1),
                   (GLenum)draw_argument(c, "type", GL_FLOAT));
}

/* Returns how many vertices are in so many bytes. */
static uint64_t vertices_in(uint64_t bytes, uint64_t size, uint64_t stride)
{
    if (size == 0 || bytes < size)
        return 0;
    return stride > 0 ? (bytes - size) / stride + 1 : UINT64_MAX;
}

static void remove_limit(struct replayer *r, uint64_t slot)
{
    if (array_object_get(r->current)->limits.len > 0)
        int_map_remove(&r->current->arrays->limits, slot);
}

int array_limits_set(struct replayer *r, const struct replay_call *c, uint64_t slot, uint64_t bytes)
{
    if (c->function->spec->alias == SPEC_FN_glVertexPointer) /* it replaces a part of the other one */
        remove_limit(r, client_array_slot_of(SPEC_FN_glInterleavedArrays, r->current, 0));
    if (bytes == UINT64_MAX) {
        remove_limit(r, slot);
        return 0;
    }
    struct array_object *arrays = array_object_edit(r->current);
    if (arrays == NULL)
        return TRACE_ERR_MEMORY;
    int64_t given_stride = draw_argument(c, "stride", 0);
    uint64_t size = vertex_size(c), stride = given_stride > 0 ? (uint64_t)given_stride : size;
    bool is_wrong = given_stride < 0 || size == 0; /* the driver keeps the array that it had */
    int rc = int_map_set(&arrays->limits, slot, is_wrong ? 0 : vertices_in(bytes, size, stride));
    return rc == 0 ? int_map_set(&arrays->sizes, slot, is_wrong ? 0 : bytes) : rc;
}

static GLint get_attribute(const struct gl_functions *gl, uint64_t slot, GLenum pname)
{
    GLint value[4] = {0};
    gl->glGetVertexAttribiv(slot & 0xffffff, pname, value);
    return value[0];
}

/* As the driver says now; without bindings of attributes, it says nothing, and the limit remains. */
static uint64_t limit_of_binding(struct replayer *r, uint64_t slot, uint64_t bytes, uint64_t known)
{
    const struct gl_functions *gl = &r->gl;
    GLint binding = get_attribute(gl, slot, GL_VERTEX_ATTRIB_BINDING), stride = -1;
    uint64_t size = size_of(get_attribute(gl, slot, GL_VERTEX_ATTRIB_ARRAY_SIZE),
                            (GLenum)get_attribute(gl, slot, GL_VERTEX_ATTRIB_ARRAY_TYPE));
    gl->glGetIntegeri_v(GL_VERTEX_BINDING_STRIDE, (GLuint)binding, &stride);
    return stride < 0 ? known : vertices_in(bytes, size, (uint64_t)stride);
}

int client_arrays_update(struct replayer *r)
{
    struct replay_context *context = r->current;
    const struct int_map *sizes = &array_object_get(context)->sizes;
    int rc = context->has_bindings ? missing_arrays_update(r) : 0;
    if (rc != 0 || !context->has_bindings || context->inside_begin || r->gl.glGetIntegeri_v == NULL ||
        r->gl.glGetVertexAttribiv == NULL)
        return rc;
    replay_keep_error(r);
    for (size_t i = 0; i < sizes->cap && rc == 0; ++i) {
        uint64_t slot = sizes->slots[i].key, known;
        if (sizes->slots[i].state == INT_MAP_USED && client_array_is_attribute(slot) &&
            int_map_get(&context->arrays->limits, slot, &known))
            rc = int_map_set(&context->arrays->limits, slot,
                             limit_of_binding(r, slot, sizes->slots[i].value, known));
    }
    replay_clear_errors(r);
    return rc;
}

/* --- draws ------------------------------------------------------------------------------------------ */

static int64_t get_index(const struct gl_functions *gl, GLenum pname)
{
    GLint index = 0;
    gl->glGetIntegerv(pname, &index);
    return (GLuint)index;
}

/* Returns the index by which primitives restart, or -1. Not every driver knows every capability. */
static int64_t restart_index(struct replayer *r, GLenum type)
{
    enum { RESTART_NV = 0x8558, RESTART_INDEX_NV = 0x8559 };
    const struct gl_functions *gl = &r->gl;
    int64_t index = -1;
    if (gl->glIsEnabled == NULL)
        return index;
    replay_keep_error(r);
    if (gl->glIsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX))
        index = type == GL_UNSIGNED_BYTE ? UINT8_MAX : type == GL_UNSIGNED_SHORT ? UINT16_MAX : UINT32_MAX;
    else if (gl->glIsEnabled(GL_PRIMITIVE_RESTART))
        index = get_index(gl, GL_PRIMITIVE_RESTART_INDEX);
    else if (gl->glIsEnabled(RESTART_NV))
        index = get_index(gl, RESTART_INDEX_NV);
    replay_clear_errors(r);
    return index;
}

/* Returns true if an enabled array has fewer vertices. Instanced arrays have one for some instances, but Mesa
 * compiles lists vertex by vertex. */
static bool exceeds(struct replayer *r, const struct draw_range *d, uint64_t slot, uint64_t limit)
{
    uint64_t divisor;
    if (!client_array_is_enabled(r, slot))
        return false;
    divisor = r->current->list_mode == 0 ? client_array_divisor(r, slot) : 0;
    return divisor == 0 ? d->end > limit : d->instances > 0 && (d->instances - 1) / divisor >= limit;
}

/* Returns the fewest vertices of the arrays of the bound array object. */
static uint64_t lowest_limit(const struct replay_context *context)
{
    const struct int_map *limits = &array_object_get(context)->limits;
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 0; i < limits->cap; ++i)
        if (limits->slots[i].state == INT_MAP_USED && limits->slots[i].value < lowest)
            lowest = limits->slots[i].value;
    return lowest;
}

void array_limits_begin(struct replayer *r)
{
    struct replay_context *context = r->current;
    const struct int_map *limits = &array_object_get(context)->limits;
    context->begin_limit = UINT64_MAX;
    if (limits->len == 0)
        return;
    context->restart_index = restart_index(r, GL_UNSIGNED_INT);
    replay_keep_error(r);
    for (size_t i = 0; i < limits->cap; ++i)
        if (limits->slots[i].state == INT_MAP_USED && limits->slots[i].value < context->begin_limit &&
            client_array_is_enabled(r, limits->slots[i].key))
            context->begin_limit = limits->slots[i].value;
    replay_clear_errors(r);
}

/* Returns true if an array in memory is read. */
static bool has_enabled_array(struct replayer *r)
{
    const struct int_map *limits = &array_object_get(r->current)->limits;
    bool found = false;
    replay_keep_error(r);
    for (size_t i = 0; i < limits->cap && !found; ++i)
        found = limits->slots[i].state == INT_MAP_USED && client_array_is_enabled(r, limits->slots[i].key);
    replay_clear_errors(r);
    return found;
}

static bool reads_too_far(struct replayer *r, const struct draw_range *range)
{
    const struct replay_context *context = r->current;
    const struct int_map *limits = &array_object_get(context)->limits;
    bool too_far = false;
    if (context->inside_begin)
        return range->end > context->begin_limit;
    replay_keep_error(r);
    for (size_t i = 0; i < limits->cap && !too_far; ++i)
        if (limits->slots[i].state == INT_MAP_USED)
            too_far = exceeds(r, range, limits->slots[i].key, limits->slots[i].value);
    replay_clear_errors(r);
    return too_far;
}

int array_limits_check(struct replayer *r, const struct replay_call *c)
{
    const struct replay_context *context = r->current;
    struct draw_range range = {.restart = -1};
    uint64_t lowest = lowest_limit(context);
    if (lowest == UINT64_MAX && array_object_get(context)->missing.len == 0)
        return 0;
    draw_range_find(r, c, &range, false);
    if ((range.end > 0 || range.is_incomplete) && missing_arrays_enabled(r, context->list_mode != 0))
        return missing_arrays_fail(c);
    if (range.is_incomplete ? !has_enabled_array(r) : range.end <= lowest && range.instances <= lowest)
        return 0;
    range.restart = context->inside_begin ? context->restart_index
                                          : restart_index(r, (GLenum)draw_argument(c, "type", 0));
    draw_range_find(r, c, &range, true);
    if (!reads_too_far(r, &range))
        return 0;
    return trace_error_set(TRACE_ERR_FORMAT, "%s: a client array has fewer vertices than it reads",
                           spec_string(c->function->spec->name));
}
