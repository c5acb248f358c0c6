/* SPDX-License-Identifier: MIT
 * Buffers: bindings, mappings, and the writes of the traced program into mapped memory.
 */
#include "handlers/handlers.h"

#include <string.h>

#include "base/error.h"
#include "call/missing_arrays.h"
#include "call/replay_args.h"
#include "call/replay_invoke.h"
#include "objects/bindless_handles.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "call/replay_values.h"
#include "spec_ids.h"

/* Returns the name of the buffer bound to target, or 0 if there is none. */
static uint64_t bound_buffer(struct replayer *r, GLenum target)
{
    static const struct {
        GLenum target, binding;
    } bindings[] = {
        {GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING},
        {GL_ELEMENT_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING},
        {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING},
        {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING},
        {GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING},
        {GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER_BINDING},
        {GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING},
        {GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING},
        {GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING},
        {GL_DRAW_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER_BINDING},
        {GL_DISPATCH_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER_BINDING},
        {GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING},
        {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_BINDING},
        {GL_QUERY_BUFFER, GL_QUERY_BUFFER_BINDING},
        {GL_PARAMETER_BUFFER, GL_PARAMETER_BUFFER_BINDING},
    };
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; ++i) {
        GLint name = 0;
        if (bindings[i].target != target)
            continue;
        r->gl.glGetIntegerv(bindings[i].binding, &name);
        return (GLuint)name;
    }
    return 0;
}

/* Notes that [traced, traced + size) corresponds to the memory that the driver has just mapped. */
static int add_region(struct replayer *r, struct replay_call *c, uint64_t buffer, int64_t size)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    if (traced == 0 || size <= 0)
        return 0;
    if (c->ret.p == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the buffer cannot be mapped",
                               spec_string(c->function->spec->name));
    struct memory_region region = {.traced = traced,
                                   .size = (uint64_t)size,
                                   .real = c->ret.p,
                                   .owner = r->current->group,
                                   .buffer = buffer};
    return memory_regions_add(&r->regions, &region);
}

int handle_map_buffer(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    GLint size = 0;
    if (rc != 0)
        return rc;
    if (r->gl.glGetBufferParameteriv != NULL)
        r->gl.glGetBufferParameteriv((GLenum)c->args[0].u, GL_BUFFER_SIZE, &size);
    return add_region(r, c, bound_buffer(r, (GLenum)c->args[0].u), size);
}

int handle_map_buffer_range(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    return rc != 0 ? rc : add_region(r, c, bound_buffer(r, (GLenum)c->args[0].u), c->args[2].i);
}

int handle_map_named_buffer(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    GLint size = 0;
    if (rc != 0)
        return rc;
    if (r->gl.glGetNamedBufferParameteriv != NULL)
        r->gl.glGetNamedBufferParameteriv((GLuint)c->args[0].u, GL_BUFFER_SIZE, &size);
    return add_region(r, c, c->args[0].u, size);
}

int handle_map_named_buffer_range(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    return rc != 0 ? rc : add_region(r, c, c->args[0].u, c->args[2].i);
}

/* glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, …) of GL_AMD_pinned_memory makes the driver use the
 * program's memory, which a replay does not have for longer than the call. So the buffer gets a copy. Traces
 * of trace-cli then make it a usual buffer, and have what the program writes to it. */
static int copy_pinned_memory(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0 || r->gl.glBindBuffer == NULL)
        return rc;
    GLint bound = replay_get_integer(r, GL_COPY_WRITE_BUFFER_BINDING, 0);
    if (!replay_can_bind_buffer(r, bound)) /* another context has deleted it */
        bound = 0;
    r->gl.glBindBuffer(GL_COPY_WRITE_BUFFER, r->current->pinned_buffer);
    c->args[0].u = GL_COPY_WRITE_BUFFER;
    rc = replay_invoke(r, c);
    r->gl.glBindBuffer(GL_COPY_WRITE_BUFFER, (GLuint)bound);
    return rc;
}

/* glUnmapBuffer, and calls that give the buffer new storage, which also unmap it. */
int handle_unmap_buffer(struct replayer *r, struct replay_call *c)
{
    if (r->regions.count > 0)
        memory_regions_remove_buffer(&r->regions, r->current->group,
                                     bound_buffer(r, (GLenum)replay_arg_uint(c, 0, 0)));
    if (replay_arg_uint(c, 0, 0) == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD)
        return copy_pinned_memory(r, c);
    return handle_with_handles(r, c);
}

int handle_unmap_named_buffer(struct replayer *r, struct replay_call *c)
{
    int rc = handle_with_handles(r, c);
    if (rc == 0 && r->regions.count > 0)
        memory_regions_remove_buffer(&r->regions, r->current->group, c->args[0].u);
    return rc;
}

int handle_delete_buffers(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc != 0)
        return rc;
    r->current->buffers_stale = true;
    rc = missing_arrays_update(r);
    if (rc != 0 || r->regions.count == 0 || c->args[1].p == NULL)
        return rc;
    for (int64_t i = 0; i < c->args[0].i; ++i) {
        GLuint name;
        memcpy(&name, (const char *)c->args[1].p + (size_t)i * sizeof name, sizeof name);
        memory_regions_remove_buffer(&r->regions, r->current->group, name);
    }
    return 0;
}

int handle_bind_buffer(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc != 0 || r->current->inside_begin) /* where it fails */
        return rc;
    bool bound = c->args[1].u != 0;
    if (bound && !replay_knows_name(r, SPEC_OBJECT_buffer, replay_arg_uint(c, 1, 0)))
        r->current->buffers_stale = true; /* it may have failed */
    replay_state_bind_buffer(r->current, (GLenum)c->args[0].u, bound);
    if (c->args[0].u == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD)
        r->current->pinned_buffer = (GLuint)c->args[1].u;
    return 0;
}

/* A write of the traced program to mapped memory: memcpy(dest, src, n). */
int handle_memcpy(struct replayer *r, struct replay_call *c)
{
    const struct trace_value *src = replay_arg(c, 1);
    uint64_t dest = replay_arg_uint(c, 0, 0);
    uint64_t size = replay_arg_uint(c, 2, 0);
    uint64_t available;
    uint8_t *memory = memory_regions_find(&r->regions, dest, &available);
    if (memory == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "memcpy: 0x%llx is not in a mapped buffer",
                               (unsigned long long)dest);
    if (src->type != TRACE_BLOB)
        return trace_error_set(TRACE_ERR_FORMAT, "memcpy: the source is not a blob");
    size = size < src->count ? size : src->count;
    if (size > available) {
        replay_warn(r, "memcpy: %llu bytes do not fit into the mapped buffer", (unsigned long long)size);
        size = available;
    }
    const void *bytes = bindless_handles_map_bytes(r, src->u.blob, size);
    if (bytes == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for handles");
    memcpy(memory, bytes, size);
    return 0;
}
