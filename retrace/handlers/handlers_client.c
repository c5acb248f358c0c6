/* SPDX-License-Identifier: MIT
 * Client memory: vertex arrays, results that arrive after the call, and results that are not needed.
 */
#include "handlers/handlers.h"

#include <string.h>

#include "call/array_limits.h"
#include "base/error.h"
#include "call/client_memory.h"
#include "call/missing_arrays.h"
#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "objects/replay_state.h"
#include "call/replay_values.h"
#include "runtime/array_calls.h"
#include "spec_ids.h"

enum { SLOT_SELECTION = 0xfffe, SLOT_FEEDBACK = 0xffff, MAX_RESULTS = 1 << 28, UNKNOWN_ARRAY_SIZE = 1 << 16 };

/* Copies the array to memory that outlives the call. Returns NULL if there is no memory. */
static void *keep_array(struct replayer *r, const struct replay_call *c, uint64_t index,
                        const struct trace_value *v)
{
    void *memory =
        client_memory_get(&r->current->client_memory, client_array_slot(c, r->current, index), v->count);
    if (memory != NULL)
        memcpy(memory, v->u.blob, v->count);
    return memory;
}

/* In core profiles and vertex array objects, arrays are in buffers. */
static bool takes_buffers_only(const struct replayer *r)
{
    const struct context_config *config = &r->current->config;
    bool is_core =
        config->profile == PROFILE_CORE || (config->forward_compatible && r->current->version >= 31);
    return is_core || r->current->vertex_array != 0;
}

static bool is_address_refused(struct replayer *r, const struct trace_value *pointer)
{
    uint64_t available;
    return takes_buffers_only(r) && pointer->type != TRACE_NULL && pointer->u.uint != 0 &&
           !replay_state_get(r)->array_buffer &&
           memory_regions_find(&r->regions, pointer->u.uint, &available) == NULL;
}

/* The driver has fewer attributes. Between glBegin() and glEnd(), it cannot be asked; likewise below. */
static bool is_beyond_attributes(struct replayer *r, const struct replay_call *c)
{
    uint32_t attribute = spec_array_attribute(c->function->spec, c->args);
    GLint count = 0;
    if (attribute < SPEC_ATTRIBUTES_MIN || r->current->inside_begin)
        return false;
    r->gl.glGetIntegerv(GL_MAX_VERTEX_ATTRIBS, &count);
    return count > 0 && attribute >= (uint32_t)count;
}

/* As far as this is certain (spec_array_stride). */
static bool is_beyond_strides(struct replayer *r, const struct replay_call *c)
{
    int64_t stride = spec_array_stride(c->function->spec, c->args);
    if (stride <= SPEC_STRIDE_MIN || r->current->is_es || r->current->version < 44 ||
        r->current->inside_begin)
        return false;
    return stride > replay_get_integer(r, GL_MAX_VERTEX_ATTRIB_STRIDE, INT32_MAX);
}

/* The call has an error, for which it is recorded, without an address or although that is the program's. A
 * driver keeps the array that it had. */
static bool is_refused(struct replayer *r, const struct replay_call *c, const struct trace_value *pointer)
{
    if (pointer->type != TRACE_NULL && pointer->type != TRACE_OPAQUE && pointer->type != TRACE_UINT)
        return false;
    return spec_array_is_refused(c->function->spec, c->args, r->current->is_es) ||
           is_beyond_attributes(r, c) || is_beyond_strides(r, c) || is_address_refused(r, pointer);
}

static int refused_array(struct replayer *r, struct replay_call *c, uint64_t slot, bool has_pointer)
{
    if (r->current->config.no_error)
        return 0; /* the driver would take it */
    const void *pointer = has_pointer ? missing_arrays_nowhere : NULL;
    memcpy(&c->args[c->function->spec->param_count - 1].p, &pointer, sizeof pointer);
    int rc = missing_arrays_refuse(r, slot);
    return rc != 0 ? rc : replay_invoke(r, c);
}

/* The tracer says what an array has that the driver has taken in spite of its error (Mesa does so). The
 * program has got one error. */
static int invoke_without_errors(struct replayer *r, struct replay_call *c)
{
    replay_keep_error(r);
    int rc = replay_invoke(r, c);
    replay_clear_errors(r);
    return rc;
}

/* The last parameter is the pointer; all others are scalars. A blob is client memory; a number is an offset
 * into the bound buffer. */
static int client_array(struct replayer *r, struct replay_call *c, uint64_t index)
{
    unsigned pointer = c->function->spec->param_count - 1u;
    const struct trace_value *v = replay_arg(c, pointer);
    uint64_t available;
    int rc = replay_decode_scalars(r, c, pointer);
    if (rc != 0)
        return rc;
    if (r->current->inside_begin && v->type == TRACE_NULL) {
        c->args[pointer].p = NULL;
        return replay_invoke(r, c); /* recorded for its error; nothing can be asked */
    }
    if (is_refused(r, c, v))
        return refused_array(r, c, client_array_slot(c, r->current, index), trace_value_to_uint(v, 0) != 0);
    if (v->type == TRACE_BLOB && replay_state_get(r)->array_buffer)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: the pointer is client memory, but a buffer is bound",
                               spec_string(c->function->spec->name));
    bool is_there = v->type == TRACE_BLOB || replay_state_get(r)->array_buffer ||
                    memory_regions_find(&r->regions, trace_value_to_uint(v, 0), &available) != NULL;
    uint64_t slot = client_array_slot(c, r->current, index);
    rc = !is_there && v->type == TRACE_NULL ? missing_arrays_set_null(r, slot)
                                            : missing_arrays_set(r, slot, !is_there);
    if (rc == 0)
        rc = missing_arrays_set_offset(
            r, slot,
            v->type != TRACE_BLOB && replay_state_get(r)->array_buffer ? trace_value_to_uint(v, 0) : 0);
    if (rc == 0)
        rc = array_limits_set(r, c, slot, v->type == TRACE_BLOB ? v->count : UINT64_MAX);
    if (rc != 0)
        return rc;
    switch (v->type) {
    case TRACE_NULL:
        c->args[pointer].p = NULL;
        break;
    case TRACE_BLOB:
        c->args[pointer].p = keep_array(r, c, index, v);
        if (c->args[pointer].p == NULL)
            return TRACE_ERR_MEMORY;
        break;
    case TRACE_OPAQUE:
    case TRACE_UINT:
        c->args[pointer].p = memory_regions_find(&r->regions, v->u.uint, &available);
        if (replay_state_get(r)->array_buffer)
            c->args[pointer].u = v->u.uint;
        else if (c->args[pointer].p == NULL)
            return 0; /* an array of the program: another call provides the contents before a draw reads it */
        break;
    default:
        return trace_error_set(TRACE_ERR_FORMAT, "%s: the pointer has the wrong type",
                               spec_string(c->function->spec->name));
    }
    bool is_tracers = v->type == TRACE_BLOB && (c->call->flags & TRACE_CALL_FAKE) != 0;
    return is_tracers && takes_buffers_only(r) && !r->current->inside_begin ? invoke_without_errors(r, c)
                                                                            : replay_invoke(r, c);
}

static uint32_t client_unit(const struct replayer *r)
{
    return r->current->client_texture != 0 ? r->current->client_texture : GL_TEXTURE0;
}

int handle_enable_client_state(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    return rc == 0 && !r->current->inside_begin
               ? missing_arrays_enable_state(r, (GLenum)c->args[0].u, client_unit(r))
               : rc;
}

/* (array, index of a texture unit) */
int handle_enable_client_state_of_unit(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    return rc == 0 && !r->current->inside_begin
               ? missing_arrays_enable_state(r, (GLenum)c->args[0].u, GL_TEXTURE0 + c->args[1].u)
               : rc;
}

int handle_enable_attribute(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    return rc == 0 && !r->current->inside_begin ? missing_arrays_enable_attribute(r, c->args[0].u) : rc;
}

/* Only texture coordinates have an array for each unit. */
int handle_client_array(struct replayer *r, struct replay_call *c)
{
    return client_array(r, c, c->function->spec->alias == SPEC_FN_glTexCoordPointer ? client_unit(r) : 0);
}

/* glInterleavedArrays(format, stride, pointer) also enables arrays, so it is called even if later calls
 * provide the contents. Until then, the memory contains zeros. */
int handle_interleaved_arrays(struct replayer *r, struct replay_call *c)
{
    const struct trace_value *v = replay_arg(c, 2);
    uint64_t available;
    bool address = v->type == TRACE_OPAQUE || v->type == TRACE_UINT;
    if (!address || replay_state_get(r)->array_buffer ||
        memory_regions_find(&r->regions, v->u.uint, &available) != NULL)
        return client_array(r, c, 0);
    uint64_t slot = client_array_slot(c, r->current, 0);
    int rc = replay_decode_scalars(r, c, 2);
    if (rc == 0)
        rc = array_limits_set(r, c, slot, UNKNOWN_ARRAY_SIZE);
    if (rc != 0)
        return rc;
    c->args[2].p = client_memory_get(&r->current->client_memory, slot, UNKNOWN_ARRAY_SIZE);
    if (c->args[2].p == NULL)
        return TRACE_ERR_MEMORY;
    memset(c->args[2].p, 0, UNKNOWN_ARRAY_SIZE);
    return replay_invoke(r, c);
}

int handle_indexed_client_array(struct replayer *r, struct replay_call *c)
{
    int rc = client_array(r, c, replay_arg_uint(c, 0, 0));
    return rc == 0 ? client_arrays_update(r) : rc; /* other attributes may use the same binding */
}

int handle_client_active_texture(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc == 0 && !r->current->inside_begin)
        r->current->client_texture = (uint32_t)c->args[0].u;
    return rc;
}

/* glFeedbackBuffer(size, type, buffer), glSelectBuffer(size, buffer): filled until glRenderMode(). */
int handle_result_buffer(struct replayer *r, struct replay_call *c)
{
    unsigned pointer = c->function->spec->param_count - 1u;
    int64_t size = replay_arg_sint(c, 0, -1);
    if (size < 0 || size > MAX_RESULTS)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: the buffer size %lld is out of range",
                               spec_string(c->function->spec->name), (long long)size);
    uint64_t slot = (uint64_t)(pointer == 1 ? SLOT_SELECTION : SLOT_FEEDBACK) << 48;
    c->args[0].i = size;
    c->args[1].u = replay_arg_uint(c, 1, 0);
    c->args[pointer].p = client_memory_get(&r->current->client_memory, slot, (size_t)size * sizeof(uint32_t));
    return c->args[pointer].p != NULL ? replay_invoke(r, c) : TRACE_ERR_MEMORY;
}

/* What is packed is only used if it goes to a buffer. Reading other textures would only wait for the GPU. */

int handle_packed_result(struct replayer *r, struct replay_call *c)
{
    return r->check.enabled || replay_state_get(r)->pack_buffer ? replay_generic(r, c) : 0;
}
