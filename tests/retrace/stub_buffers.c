/* SPDX-License-Identifier: MIT
 * Buffers, and what is imported from other processes.
 */
#include "stub_parts.h"

#include "buffer_bindings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static void delete_buffers(GLsizei count, const GLuint *names)
{
    for (GLsizei i = 0; i < count; ++i) {
        stub_gl_log("glDeleteBuffers(%u)", names[i]);
        for (size_t k = 0; k < BUFFER_BINDINGS; ++k)
            if (stub_gl.integers[buffer_bindings[k].binding] == (GLint)names[i])
                stub_gl.integers[buffer_bindings[k].binding] = 0;
        if (names[i] < STUB_BUFFERS) {
            free(stub_gl.mapped[names[i]].memory);
            stub_gl.mapped[names[i]].memory = NULL;
        }
    }
}

static GLenum binding_of(GLenum target)
{
    GLenum binding = buffer_binding(target);
    assert_int_not_equal(binding, 0);
    return binding;
}

static GLboolean is_there(GLuint name)
{
    return name != stub_gl.gone;
}

static void bind_buffer(GLenum target, GLuint buffer)
{
    GLenum binding = binding_of(target);
    stub_gl_log("glBindBuffer(0x%x, %u)", target, buffer);
    if (buffer != 0 && buffer == stub_gl.refused_buffer) {
        stub_gl.error = GL_INVALID_OPERATION;
        return;
    }
    stub_gl.integers[binding] = (GLint)buffer;
    if (target == GL_ELEMENT_ARRAY_BUFFER)
        stub_gl.element_buffers[stub_gl.integers[GL_VERTEX_ARRAY_BINDING]] = (GLint)buffer;
}

static void buffer_data(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    (void)usage;
    stub_gl_log("glBufferData(0x%x, %s)", target, stub_gl_text_of(data, (size_t)size));
}

static void buffer_sub_data(GLenum target, GLintptr offset, GLsizeiptr size, const void *data)
{
    stub_gl_log("glBufferSubData(0x%x, %d, %s)", target, (int)offset, stub_gl_text_of(data, (size_t)size));
}

static void *map_buffer(GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield access)
{
    GLint buffer = stub_gl.integers[binding_of(target)];
    (void)access;
    (void)offset;
    if (stub_gl.refuses_mappings)
        return NULL;
    stub_gl.mapped[buffer].memory = calloc(1, (size_t)size);
    stub_gl.mapped[buffer].size = (size_t)size;
    return stub_gl.mapped[buffer].memory;
}

static void *map_whole_buffer(GLenum target, GLenum access)
{
    return map_buffer(target, 0, (GLsizeiptr)stub_gl.buffer_size, access);
}

static GLboolean unmap_buffer(GLenum target)
{
    GLint buffer = stub_gl.integers[binding_of(target)];
    stub_gl_log("glUnmapBuffer(%d: %s)", buffer,
                stub_gl_text_of(stub_gl.mapped[buffer].memory, stub_gl.mapped[buffer].size));
    free(stub_gl.mapped[buffer].memory);
    stub_gl.mapped[buffer].memory = NULL;
    return GL_TRUE;
}

/* --- by name -------------------------------------------------------------------------------------------- */

static void *map_named_range(GLuint buffer, GLintptr offset, GLsizeiptr size, GLbitfield access)
{
    (void)access, (void)offset;
    free(stub_gl.mapped[buffer].memory);
    stub_gl.mapped[buffer].memory = calloc(1, (size_t)size);
    stub_gl.mapped[buffer].size = (size_t)size;
    return stub_gl.mapped[buffer].memory;
}

/* Named buffers have eight bytes. */
static void *map_named(GLuint buffer, GLenum access)
{
    return map_named_range(buffer, 0, 8, access);
}

static void get_named(GLuint buffer, GLenum pname, GLint *value)
{
    (void)buffer;
    assert_int_equal(pname, GL_BUFFER_SIZE);
    *value = 8;
}

static void end_mapping(const char *name, GLuint buffer)
{
    stub_gl_log("%s(%u: %s)", name, buffer,
                stub_gl_text_of(stub_gl.mapped[buffer].memory, stub_gl.mapped[buffer].size));
    free(stub_gl.mapped[buffer].memory);
    stub_gl.mapped[buffer].memory = NULL;
}

static GLboolean unmap_named(GLuint buffer)
{
    end_mapping("glUnmapNamedBuffer", buffer);
    return GL_TRUE;
}

static void named_data(GLuint buffer, GLsizeiptr size, const void *data, GLenum usage)
{
    (void)size, (void)data, (void)usage;
    end_mapping("glNamedBufferData", buffer);
}

static void import_memory(GLuint memory, GLuint64 size, GLenum type, GLint descriptor)
{
    (void)size;
    (void)type;
    stub_gl_log("glImportMemoryFdEXT(%u, %d)", memory, descriptor);
}

static void import_semaphore(GLuint semaphore, GLenum type, GLint descriptor)
{
    (void)type;
    stub_gl_log("glImportSemaphoreFdEXT(%u, %d)", semaphore, descriptor);
}

void *stub_buffers_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glIsBuffer", (void (*)(void))is_there},
        {"glIsRenderbuffer", (void (*)(void))is_there},
        {"glIsTexture", (void (*)(void))is_there},
        {"glBindBuffer", (void (*)(void))bind_buffer},
        {"glBufferData", (void (*)(void))buffer_data},
        {"glBufferSubData", (void (*)(void))buffer_sub_data},
        {"glDeleteBuffers", (void (*)(void))delete_buffers},
        {"glImportMemoryFdEXT", (void (*)(void))import_memory},
        {"glImportSemaphoreFdEXT", (void (*)(void))import_semaphore},
        {"glGetNamedBufferParameteriv", (void (*)(void))get_named},
        {"glMapNamedBuffer", (void (*)(void))map_named},
        {"glMapNamedBufferRange", (void (*)(void))map_named_range},
        {"glNamedBufferData", (void (*)(void))named_data},
        {"glUnmapNamedBuffer", (void (*)(void))unmap_named},
        {"glMapBuffer", (void (*)(void))map_whole_buffer},
        {"glMapBufferRange", (void (*)(void))map_buffer},
        {"glUnmapBuffer", (void (*)(void))unmap_buffer},
    };
    return STUB_FIND(functions, name);
}
