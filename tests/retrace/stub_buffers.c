/* SPDX-License-Identifier: MIT
 * Buffers, client arrays, and what draws from them.
 */
#include "stub_parts.h"

#include "buffer_bindings.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static void delete_buffers(GLsizei count, const GLuint *names)
{
    for (GLsizei i = 0; i < count; ++i) {
        stub_gl_log("glDeleteBuffers(%u)", names[i]);
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

static void bind_buffer(GLenum target, GLuint buffer)
{
    GLenum binding = binding_of(target);
    stub_gl_log("glBindBuffer(0x%x, %u)", target, buffer);
    stub_gl.integers[binding] = (GLint)buffer;
    if (target == GL_ELEMENT_ARRAY_BUFFER)
        stub_gl.element_buffers[stub_gl.integers[GL_VERTEX_ARRAY_BINDING]] = (GLint)buffer;
}

static void bind_vertex_array(GLuint array)
{
    stub_gl_log("glBindVertexArray(%u)", array);
    stub_gl.integers[GL_VERTEX_ARRAY_BINDING] = (GLint)array;
    stub_gl.integers[GL_ELEMENT_ARRAY_BUFFER_BINDING] = stub_gl.element_buffers[array];
}

static void buffer_data(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    (void)usage;
    stub_gl_log("glBufferData(0x%x, %s)", target, stub_gl_text_of(data, (size_t)size));
}

static void *map_buffer(GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield access)
{
    GLint buffer = stub_gl.integers[binding_of(target)];
    (void)access;
    (void)offset;
    stub_gl.mapped[buffer].memory = calloc(1, (size_t)size);
    stub_gl.mapped[buffer].size = (size_t)size;
    return stub_gl.mapped[buffer].memory;
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

static void draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    (void)mode, (void)type;
    if (stub_gl.integers[GL_ELEMENT_ARRAY_BUFFER_BINDING] != 0)
        stub_gl_log("glDrawElements(%d, offset %zu)", count, (size_t)indices);
    else
        stub_gl_log("glDrawElements(%d, %s)", count, stub_gl_text_of(indices, 2 * (size_t)count));
}

static void draw_arrays(GLenum mode, GLint first, GLsizei count)
{
    (void)mode;
    char context[32] = "";
    if (stub_gl.shows_contexts)
        snprintf(context, sizeof context, " in %d", stub_windows_current());
    stub_gl_log("glDrawArrays(%d, %d)%s", first, count, context);
    if (stub_gl.draw_signal != 0)
        raise(stub_gl.draw_signal);
    sleep(stub_gl.draw_seconds);
    stub_gl.error = stub_gl.draw_error;
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

static void client_active_texture(GLenum texture)
{
    stub_gl_log("glClientActiveTexture(%#x)", texture);
}

static void array_element(GLint index)
{
    stub_gl_log("glArrayElement(%d)", index);
}

static void client_pointer(GLint size, GLenum type, GLsizei stride, const void *pointer)
{
    (void)size, (void)type, (void)stride;
    stub_gl_log("glVertexPointer(%s)", stub_gl.integers[GL_ARRAY_BUFFER_BINDING] != 0 ? "offset"
                                       : pointer != NULL                              ? "memory"
                                                                                      : "NULL");
}

static void attribute_pointer(GLuint index, GLint size, GLenum type, GLboolean normal, GLsizei stride,
                              const void *pointer)
{
    (void)size, (void)type, (void)normal, (void)stride;
    stub_gl_log("glVertexAttribPointer(%u, %s)", index, pointer != NULL ? "memory" : "NULL");
}

/* Attribute 1 is enabled. */
static void get_attribute(GLuint index, GLenum pname, GLint *value)
{
    stub_gl_question();
    if (pname == GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) {
        *value = stub_gl.attribute_buffer;
        return;
    }
    assert_int_equal(pname, GL_VERTEX_ATTRIB_ARRAY_ENABLED);
    *value = index == 1;
}

void *stub_buffers_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glArrayElement", (void (*)(void))array_element},
        {"glBindBuffer", (void (*)(void))bind_buffer},
        {"glBindVertexArray", (void (*)(void))bind_vertex_array},
        {"glBufferData", (void (*)(void))buffer_data},
        {"glClientActiveTexture", (void (*)(void))client_active_texture},
        {"glDeleteBuffers", (void (*)(void))delete_buffers},
        {"glDrawArrays", (void (*)(void))draw_arrays},
        {"glDrawElements", (void (*)(void))draw_elements},
        {"glGetVertexAttribiv", (void (*)(void))get_attribute},
        {"glImportMemoryFdEXT", (void (*)(void))import_memory},
        {"glImportSemaphoreFdEXT", (void (*)(void))import_semaphore},
        {"glMapBufferRange", (void (*)(void))map_buffer},
        {"glUnmapBuffer", (void (*)(void))unmap_buffer},
        {"glVertexAttribPointer", (void (*)(void))attribute_pointer},
        {"glVertexPointer", (void (*)(void))client_pointer},
    };
    return STUB_FIND(functions, name);
}
