/* SPDX-License-Identifier: MIT
 * What the drivers of the tests know about the targets of buffers.
 */
#ifndef TESTS_BUFFER_BINDINGS_H
#define TESTS_BUFFER_BINDINGS_H

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>

static const struct {
    GLenum target, binding;
} buffer_bindings[] = {
    {GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING},
    {GL_ELEMENT_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING},
    {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING},
    {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING},
    {GL_DRAW_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER_BINDING},
    {GL_QUERY_BUFFER, GL_QUERY_BUFFER_BINDING},
    {GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING},
    {GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING},
    {GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING},
    {GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER_BINDING},
    {GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING},
    {GL_DISPATCH_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER_BINDING},
    {GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING},
    {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_BINDING},
    {GL_PARAMETER_BUFFER, GL_PARAMETER_BUFFER_BINDING},
    {GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD},
};

enum { BUFFER_BINDINGS = sizeof buffer_bindings / sizeof buffer_bindings[0] };

/* Returns the parameter for queries of the buffer that is bound to target; 0: another target. */
static inline GLenum buffer_binding(GLenum target)
{
    for (size_t i = 0; i < BUFFER_BINDINGS; ++i)
        if (buffer_bindings[i].target == target)
            return buffer_bindings[i].binding;
    return 0;
}

#endif
