/* SPDX-License-Identifier: MIT */
#include "gl/gl_buffer_queries.h"

#include "context/gl_context.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"

#include "spec_ids.h"

#include <string.h>

bool gl_call_names_buffer(const struct spec_function *f)
{
    return strstr(spec_string(f->name), "Named") != NULL;
}

/* Returns the enum for querying the buffer that is bound to target, or 0 if there is none. */
static uint32_t binding_query(uint32_t target)
{
    static const uint32_t queries[][2] = {
        {SPEC_GL_ARRAY_BUFFER, SPEC_GL_ARRAY_BUFFER_BINDING},
        {SPEC_GL_ELEMENT_ARRAY_BUFFER, SPEC_GL_ELEMENT_ARRAY_BUFFER_BINDING},
        {SPEC_GL_PIXEL_PACK_BUFFER, SPEC_GL_PIXEL_PACK_BUFFER_BINDING},
        {SPEC_GL_PIXEL_UNPACK_BUFFER, SPEC_GL_PIXEL_UNPACK_BUFFER_BINDING},
        {SPEC_GL_DRAW_INDIRECT_BUFFER, SPEC_GL_DRAW_INDIRECT_BUFFER_BINDING},
        {SPEC_GL_QUERY_BUFFER, SPEC_GL_QUERY_BUFFER_BINDING},
        {SPEC_GL_UNIFORM_BUFFER, 0x8A28},
        {SPEC_GL_TEXTURE_BUFFER, SPEC_GL_TEXTURE_BUFFER},
        {SPEC_GL_TRANSFORM_FEEDBACK_BUFFER, 0x8C8F},
        {SPEC_GL_COPY_READ_BUFFER, SPEC_GL_COPY_READ_BUFFER},
        {SPEC_GL_COPY_WRITE_BUFFER, SPEC_GL_COPY_WRITE_BUFFER},
        {SPEC_GL_DISPATCH_INDIRECT_BUFFER, 0x90EF},
        {SPEC_GL_SHADER_STORAGE_BUFFER, 0x90D3},
        {SPEC_GL_ATOMIC_COUNTER_BUFFER, 0x92C1},
        {SPEC_GL_PARAMETER_BUFFER, 0x80EF},
    };
    for (unsigned i = 0; i < sizeof queries / sizeof queries[0]; ++i)
        if (queries[i][0] == target)
            return queries[i][1];
    return 0;
}

/* The driver is queried, because a binding may have failed, and another thread may have deleted the buffer.
 * That of pinned memory cannot be queried. */
uint32_t gl_call_buffer(const struct capture_thread *t, const struct spec_function *f,
                        const union spec_arg *args)
{
    if (gl_call_names_buffer(f))
        return (uint32_t)args[0].u;
    if (args[0].u == SPEC_GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD)
        return gl_context_bound_buffer(t->context, GL_BUFFER_PINNED);
    uint32_t query = binding_query((uint32_t)args[0].u);
    int32_t buffer = 0;
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    if (query != 0)
        ((void (*)(uint32_t, int32_t *))get)(query, &buffer);
    return (uint32_t)buffer;
}

/* Queries a parameter of the buffer that the call's first argument refers to, with the query function for
 * this kind of call. */
static int32_t buffer_parameter(const struct spec_function *f, const union spec_arg *args, uint32_t pname)
{
    bool is_ext = strcmp(spec_string(f->name) + strlen(spec_string(f->name)) - 3, "EXT") == 0;
    uint32_t id = !gl_call_names_buffer(f) ? SPEC_FN_glGetBufferParameteriv
                  : is_ext                 ? SPEC_FN_glGetNamedBufferParameterivEXT
                                           : SPEC_FN_glGetNamedBufferParameteriv;
    int32_t value = 0;
    capture_function get = real_function_find(id);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)((uint32_t)args[0].u, pname, &value);
    return value;
}

uint64_t gl_call_buffer_size(const struct spec_function *f, const union spec_arg *args)
{
    int32_t size = buffer_parameter(f, args, SPEC_GL_BUFFER_SIZE);
    return size > 0 ? (uint64_t)size : 0;
}

bool gl_call_buffer_is_mapped(const struct spec_function *f, const union spec_arg *args)
{
    return buffer_parameter(f, args, SPEC_GL_BUFFER_MAPPED) != 0;
}
