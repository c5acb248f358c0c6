/* SPDX-License-Identifier: MIT
 * Client arrays, vertex array objects, and what draws from them.
 */
#include "stub_parts.h"

#include "buffer_bindings.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>

static void bind_vertex_array(GLuint array)
{
    stub_gl_log("glBindVertexArray(%u)", array);
    stub_gl.integers[GL_VERTEX_ARRAY_BINDING] = (GLint)array;
    stub_gl.integers[GL_ELEMENT_ARRAY_BUFFER_BINDING] = stub_gl.element_buffers[array];
}

/* --- arrays --------------------------------------------------------------------------------------------- */

static void log_pointer(const char *name, const void *pointer)
{
    stub_gl.last_pointer = pointer;
    stub_gl_log("%s(%s)", name,
                stub_gl.integers[GL_ARRAY_BUFFER_BINDING] != 0 ? "offset"
                : pointer != NULL                              ? "memory"
                                                               : "NULL");
    if (stub_gl.array_error != GL_NO_ERROR)
        stub_gl.error = stub_gl.array_error;
}

#define POINTER_OF_SIZE(function, name)                                                                      \
    static void function(GLint size, GLenum type, GLsizei stride, const void *pointer)                       \
    {                                                                                                        \
        (void)size, (void)type, (void)stride;                                                                \
        log_pointer(#name, pointer);                                                                         \
    }

#define POINTER_OF_TYPE(function, name)                                                                      \
    static void function(GLenum type, GLsizei stride, const void *pointer)                                   \
    {                                                                                                        \
        (void)type, (void)stride;                                                                            \
        log_pointer(#name, pointer);                                                                         \
    }

POINTER_OF_SIZE(vertex_pointer, glVertexPointer)

POINTER_OF_SIZE(coord_pointer, glTexCoordPointer)

POINTER_OF_TYPE(normal_pointer, glNormalPointer)

POINTER_OF_TYPE(interleaved_arrays, glInterleavedArrays)

/* Arrays of colours have at least eight bytes. */
static void color_pointer(GLint size, GLenum type, GLsizei stride, const void *pointer)
{
    (void)size, (void)type, (void)stride;
    stub_gl_log("glColorPointer(%s)", stub_gl_text_of(pointer, 8));
}

POINTER_OF_SIZE(secondary_pointer, glSecondaryColorPointer)

POINTER_OF_TYPE(index_pointer, glIndexPointer)

POINTER_OF_TYPE(fog_pointer, glFogCoordPointer)

static void edge_flag_pointer(GLsizei stride, const void *pointer)
{
    (void)stride;
    log_pointer("glEdgeFlagPointer", pointer);
}

/* Sets the stride of the binding of the same number, unless it is that of what the array has. */
static void attribute_pointer(GLuint index, GLint size, GLenum type, GLboolean normal, GLsizei stride,
                              const void *pointer)
{
    (void)size, (void)type, (void)normal;
    if (stride != 0)
        stub_gl.integers[GL_VERTEX_BINDING_STRIDE] = stride - (GLint)index; /* see get_indexed() */
    stub_gl_log("glVertexAttribPointer(%u, %s)", index, pointer != NULL ? "memory" : "NULL");
    if (stub_gl.array_error != GL_NO_ERROR)
        stub_gl.error = stub_gl.array_error;
}

static void integer_pointer(GLuint index, GLint size, GLenum type, GLsizei stride, const void *pointer)
{
    (void)size, (void)type, (void)stride;
    stub_gl_log("glVertexAttribIPointer(%u, %s)", index, pointer != NULL ? "memory" : "NULL");
}

/* Attribute 1 is enabled, and maybe another one. */
static void get_attribute(GLuint index, GLenum pname, GLint *value)
{
    stub_gl_question();
    if (pname == GL_VERTEX_ATTRIB_ARRAY_ENABLED)
        *value = index == 1 || (index != 0 && index == stub_gl.enabled_attribute);
    else if (pname == GL_VERTEX_ATTRIB_ARRAY_DIVISOR)
        *value = index == 1 ? stub_gl.divisor : index == 0 ? stub_gl.divisor_of_0 : 0;
    else if (pname == GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)
        *value = stub_gl.attribute_buffer;
    else if (pname == GL_VERTEX_ATTRIB_ARRAY_SIZE)
        *value = stub_gl.attribute_size;
    else if (pname == GL_VERTEX_ATTRIB_ARRAY_TYPE)
        *value = stub_gl.attribute_type;
    else if (pname == GL_VERTEX_ATTRIB_BINDING)
        *value = stub_gl.attribute_binding;
    else
        stub_gl.error = GL_INVALID_ENUM;
}

/* Of each kind of array, one is known: that of vertices or another one, and attribute 1. */
static void get_pointer(GLenum pname, void **pointer)
{
    GLenum known = stub_gl.known_array != 0 ? stub_gl.known_array : GL_VERTEX_ARRAY_POINTER;
    stub_gl_question();
    *pointer = pname == known ? stub_gl.array_pointer : stub_gl.log;
}

static void get_attribute_pointer(GLuint index, GLenum pname, void **pointer)
{
    stub_gl_question();
    bool is_known = index == 1 || index == stub_gl.enabled_attribute;
    *pointer = is_known && pname == GL_VERTEX_ATTRIB_ARRAY_POINTER ? stub_gl.array_pointer : stub_gl.log;
}

static void enable_array(GLuint array)
{
    (void)array;
}

/* What these set is in stub_gl. */
static void bind_vertex_buffer(GLuint binding, GLuint buffer, GLintptr offset, GLsizei stride)
{
    (void)binding, (void)buffer, (void)offset, (void)stride;
}

static void attribute_format(GLuint index, GLint size, GLenum type, GLboolean normalized, GLuint offset)
{
    (void)index, (void)size, (void)type, (void)normalized, (void)offset;
}

static void attribute_binding(GLuint index, GLuint binding)
{
    (void)index, (void)binding;
}

static void enable_indexed_array(GLenum array, GLuint index)
{
    stub_gl_log("glEnableClientStateiEXT(%#x, %u)", array, index);
}

/* Array objects are bound, or the element buffer of the bound one is another one. */
static void set_element_buffer(GLuint array, GLuint buffer)
{
    stub_gl.element_buffers[array] = (GLint)buffer;
    stub_gl.integers[GL_ELEMENT_ARRAY_BUFFER_BINDING] = (GLint)buffer;
}

static void delete_arrays(GLsizei count, const GLuint *arrays)
{
    (void)count, (void)arrays;
    bind_vertex_array(0);
}

static void client_active_texture(GLenum texture)
{
    stub_gl_log("glClientActiveTexture(%#x)", texture);
}

/* All buffers have the same contents. */
static void get_buffer(GLenum target, GLenum pname, GLint *value)
{
    stub_gl_question();
    if (pname == GL_BUFFER_SIZE && stub_gl.integers[buffer_binding(target)] != 0)
        *value = (GLint)stub_gl.buffer_size;
    else
        stub_gl.error = GL_INVALID_ENUM;
}

static void get_contents(GLenum target, GLintptr offset, GLsizeiptr size, void *bytes)
{
    (void)target;
    assert_true((size_t)offset + (size_t)size <= stub_gl.buffer_size);
    memcpy(bytes, (const char *)stub_gl.buffer + offset, (size_t)size);
    stub_gl.buffer_reads++;
}

static void draw_elements_indirect(GLenum mode, GLenum type, const void *indirect, GLsizei draws,
                                   GLsizei stride)
{
    (void)mode, (void)type;
    stub_gl_log("glMultiDrawElementsIndirect(offset %zu, %d, %d)", (size_t)indirect, draws, stride);
}

/* --- draws ---------------------------------------------------------------------------------------------- */

static void log_elements(const char *name, GLsizei count, GLenum type, const void *indices)
{
    size_t size = type == GL_UNSIGNED_BYTE ? 1 : type == GL_UNSIGNED_SHORT ? 2 : 4;
    if (stub_gl.integers[GL_ELEMENT_ARRAY_BUFFER_BINDING] != 0)
        stub_gl_log("%s(%d, offset %zu)", name, count, (size_t)indices);
    else
        stub_gl_log("%s(%d, %s)", name, count, stub_gl_text_of(indices, size * (size_t)count));
}

static void draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    (void)mode;
    log_elements("glDrawElements", count, type, indices);
}

static void draw_elements_from(GLenum mode, GLsizei count, GLenum type, const void *indices, GLint base)
{
    (void)mode, (void)base;
    log_elements("glDrawElementsBaseVertex", count, type, indices);
}

static void draw_all_elements(GLenum mode, const GLsizei *counts, GLenum type, const void *const *indices,
                              GLsizei draws)
{
    (void)mode;
    for (GLsizei i = 0; i < draws; ++i)
        log_elements("glMultiDrawElements", counts[i], type, indices[i]);
}

static void draw_all_elements_from(GLenum mode, const GLsizei *counts, GLenum type,
                                   const void *const *indices, GLsizei draws, const GLint *bases)
{
    (void)bases;
    draw_all_elements(mode, counts, type, indices, draws);
}

static void draw_all_arrays(GLenum mode, const GLint *firsts, const GLsizei *counts, GLsizei draws)
{
    (void)mode;
    for (GLsizei i = 0; i < draws; ++i)
        stub_gl_log("glMultiDrawArrays(%d, %d)", firsts[i], counts[i]);
}

static void draw_instances(GLenum mode, GLint first, GLsizei count, GLsizei instances)
{
    (void)mode;
    stub_gl_log("glDrawArraysInstanced(%d, %d, %d)", first, count, instances);
}

static void draw_instances_from(GLenum mode, GLint first, GLsizei count, GLsizei instances, GLuint base)
{
    (void)base;
    draw_instances(mode, first, count, instances);
}

static void draw_arrays(GLenum mode, GLint first, GLsizei count)
{
    (void)mode;
    char context[32] = "";
    if (stub_gl.shows_contexts)
        snprintf(context, sizeof context, " in %d", stub_windows_current());
    stub_gl_log("glDrawArrays(%d, %d)%s", first, count, context);
    if (stub_gl.draw_message != NULL)
        stub_messages_say(stub_gl.draw_message);
    if (stub_gl.draw_signal != 0)
        raise(stub_gl.draw_signal);
    sleep(stub_gl.draw_seconds);
    if (stub_gl.draw_error != GL_NO_ERROR)
        stub_gl.error = stub_gl.draw_error;
}

/* Where the parameters are: in a buffer, or what they begin with in memory. */
static void draw_counted(GLenum mode, const void *indirect, GLintptr count, GLsizei most, GLsizei stride)
{
    (void)mode, (void)count, (void)stride;
    if ((uintptr_t)indirect < 0x10000)
        stub_gl_log("glMultiDrawArraysIndirectCount(offset %zu, %d)", (size_t)indirect, most);
    else
        stub_gl_log("glMultiDrawArraysIndirectCount(%s, %d)", stub_gl_text_of(indirect, 4), most);
}

static void draw_arrays_indirect(GLenum mode, const void *indirect)
{
    (void)mode;
    stub_gl_log("glDrawArraysIndirect(offset %zu)", (size_t)indirect);
}

static void compute(GLuint x, GLuint y, GLuint z)
{
    stub_gl_log("glDispatchCompute(%u, %u, %u)", x, y, z);
}

static void array_element(GLint index)
{
    stub_gl_log("glArrayElement(%d)", index);
}

void *stub_arrays_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glArrayElement", (void (*)(void))array_element},
        {"glBindVertexBuffer", (void (*)(void))bind_vertex_buffer},
        {"glVertexAttribBinding", (void (*)(void))attribute_binding},
        {"glVertexAttribFormat", (void (*)(void))attribute_format},
        {"glBindVertexArray", (void (*)(void))bind_vertex_array},
        {"glColorPointer", (void (*)(void))color_pointer},
        {"glFogCoordPointer", (void (*)(void))fog_pointer},
        {"glIndexPointer", (void (*)(void))index_pointer},
        {"glSecondaryColorPointer", (void (*)(void))secondary_pointer},
        {"glClientActiveTexture", (void (*)(void))client_active_texture},
        {"glDispatchCompute", (void (*)(void))compute},
        {"glDrawArrays", (void (*)(void))draw_arrays},
        {"glDrawArraysInstanced", (void (*)(void))draw_instances},
        {"glDrawArraysInstancedBaseInstance", (void (*)(void))draw_instances_from},
        {"glDrawArraysIndirect", (void (*)(void))draw_arrays_indirect},
        {"glGetBufferParameteriv", (void (*)(void))get_buffer},
        {"glGetBufferSubData", (void (*)(void))get_contents},
        {"glMultiDrawArraysIndirectCount", (void (*)(void))draw_counted},
        {"glMultiDrawElementsIndirect", (void (*)(void))draw_elements_indirect},
        {"glDrawElements", (void (*)(void))draw_elements},
        {"glDrawElementsBaseVertex", (void (*)(void))draw_elements_from},
        {"glEdgeFlagPointer", (void (*)(void))edge_flag_pointer},
        {"glEnableClientState", (void (*)(void))enable_array},
        {"glDeleteVertexArrays", (void (*)(void))delete_arrays},
        {"glEnableClientStateiEXT", (void (*)(void))enable_indexed_array},
        {"glVertexArrayElementBuffer", (void (*)(void))set_element_buffer},
        {"glEnableVertexAttribArray", (void (*)(void))enable_array},
        {"glGetPointerv", (void (*)(void))get_pointer},
        {"glGetVertexAttribPointerv", (void (*)(void))get_attribute_pointer},
        {"glGetVertexAttribiv", (void (*)(void))get_attribute},
        {"glInterleavedArrays", (void (*)(void))interleaved_arrays},
        {"glMultiDrawArrays", (void (*)(void))draw_all_arrays},
        {"glMultiDrawElements", (void (*)(void))draw_all_elements},
        {"glMultiDrawElementsBaseVertex", (void (*)(void))draw_all_elements_from},
        {"glNormalPointer", (void (*)(void))normal_pointer},
        {"glTexCoordPointer", (void (*)(void))coord_pointer},
        {"glVertexAttribIPointer", (void (*)(void))integer_pointer},
        {"glVertexAttribPointer", (void (*)(void))attribute_pointer},
        {"glVertexPointer", (void (*)(void))vertex_pointer},
    };
    return STUB_FIND(functions, name);
}
