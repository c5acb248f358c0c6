/* SPDX-License-Identifier: MIT
 * Programs, shaders and uniforms.
 */
#include "stub_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

void stub_programs_use(GLuint program)
{
    if (program == stub_gl.refused_program && program != 0)
        stub_gl.error = GL_INVALID_OPERATION;
    else
        stub_gl.integers[GL_CURRENT_PROGRAM] = (GLint)program;
}

static void use_program(GLuint program)
{
    stub_gl_log("glUseProgram(%u)", program);
    stub_lists_use(program);
}

STUB_LOGS_ONE_NAME(delete_program, glDeleteProgram)

STUB_LOGS_ONE_NAME(bind_pipeline, glBindProgramPipeline)

STUB_LOGS_ONE_NAME(link_program, glLinkProgram)

static void active_program(GLuint pipeline, GLuint program)
{
    stub_gl_log("glActiveShaderProgram(%u, %u)", pipeline, program);
}

static GLint find_location(GLuint program, const char *name)
{
    stub_gl_question();
    stub_gl_log("location(%u, %s)", program, name != NULL ? name : "NULL");
    return stub_gl.same_location ? stub_gl.next_location : stub_gl.next_location++;
}

static void block_binding(GLuint program, GLuint block, GLuint binding)
{
    stub_gl_log("glUniformBlockBinding(%u, %u, %u)", program, block, binding);
}

static void storage_block_binding(GLuint program, GLuint block, GLuint binding)
{
    stub_gl_log("glShaderStorageBlockBinding(%u, %u, %u)", program, block, binding);
}

static GLint find_resource(GLuint program, GLenum interface, const char *name)
{
    (void)interface;
    return find_location(program, name);
}

static void get_resource_name(GLuint program, GLenum interface, GLuint index, GLsizei room, GLsizei *length,
                              GLchar *name)
{
    (void)length;
    stub_gl_question();
    stub_gl_log("glGetProgramResourceName(%u, 0x%x, %u)", program, interface, index);
    snprintf(name, (size_t)room, "n");
}

static void get_block_name(GLuint program, GLuint index, GLsizei room, GLsizei *length, GLchar *name)
{
    get_resource_name(program, GL_UNIFORM_BLOCK, index, room, length, name);
}

static void find_uniforms(GLuint program, GLsizei count, const char *const *names, GLuint *indices)
{
    stub_gl_question();
    for (GLsizei i = 0; i < count; ++i) {
        if (stub_gl.uniform_size > 0)
            stub_gl_log("index(%u, %s)", program, names[i]);
        indices[i] = stub_gl.uniform_size > 0 ? 0 : GL_INVALID_INDEX;
    }
}

static void get_uniforms(GLuint program, GLsizei count, const GLuint *indices, GLenum pname, GLint *values)
{
    (void)program;
    stub_gl_question();
    assert_int_equal(pname, GL_UNIFORM_SIZE);
    for (GLsizei i = 0; i < count; ++i) {
        assert_int_equal(indices[i], 0);
        values[i] = stub_gl.uniform_size;
    }
}

/* The value of each is its location. */
static void get_subroutine(GLenum stage, GLint location, GLuint *value)
{
    stub_gl_question();
    stub_gl_log("glGetUniformSubroutineuiv(0x%x, %d)", stage, location);
    *value = (GLuint)location;
}

static void set_subroutines(GLenum stage, GLsizei count, const GLuint *indices)
{
    for (GLsizei i = 0; i < count; ++i)
        stub_gl_log("glUniformSubroutinesuiv(0x%x): %u", stage, indices[i]);
}

static void uniform_integer(GLint location, GLint value)
{
    stub_gl_log("glUniform1i(%d, %d)", location, value);
}

/* The binary of a program is its number, and format 9 the only one. */
static bool is_loaded[2000];

static void get_program(GLuint program, GLenum pname, GLint *value)
{
    stub_gl_question();
    *value = pname == GL_PROGRAM_BINARY_LENGTH ? stub_gl.binary_length
             : pname == GL_LINK_STATUS && program < sizeof is_loaded / sizeof *is_loaded ? is_loaded[program]
                                                                                         : 0;
}

static void get_binary(GLuint program, GLsizei size, GLsizei *length, GLenum *format, void *binary)
{
    stub_gl_question();
    *length = stub_gl.gives_no_binaries ? 0 : snprintf(binary, (size_t)size, "%u", program);
    *format = 9;
}

static void load_binary(GLuint program, GLenum format, const void *binary, GLsizei length)
{
    stub_gl_log("glProgramBinary(%u, %u, %s)", program, format, stub_gl_text_of(binary, (size_t)length));
    is_loaded[program] = format == 9;
    if (format != 9)
        stub_gl.error = GL_INVALID_ENUM;
}

static GLuint64 texture_handle(GLuint texture)
{
    return 0x700000000 + texture;
}

static GLuint64 image_handle(GLuint texture, GLint level, GLboolean layered, GLint layer, GLenum format)
{
    (void)level, (void)layered, (void)layer, (void)format;
    return 0x900000000 + texture;
}

static void uniform_handle(GLint location, GLuint64 handle)
{
    stub_gl_log("glUniformHandleui64ARB(%d, %#llx)", location, (unsigned long long)handle);
}

static void uniform_pair(GLint location, GLuint x, GLuint y)
{
    stub_gl_log("glUniform2ui(%d, %#x, %#x)", location, x, y);
}

static void attribute_handle(GLuint index, GLuint64 handle)
{
    stub_gl_log("glVertexAttribL1ui64ARB(%u, %#llx)", index, (unsigned long long)handle);
}

static void uniform_pairs(GLint location, GLsizei count, const GLuint *values)
{
    stub_gl_log("glUniform2uiv(%d, %d, %s)", location, count, stub_gl_text_of(values, 8 * (size_t)count));
}

static void uniform_vectors(GLint location, GLsizei count, const GLfloat *values)
{
    stub_gl_log("glUniform4fv(%d, %d, %s)", location, count, stub_gl_text_of(values, 16 * (size_t)count));
}

static GLuint create_program_of(GLenum type, GLsizei count, const char *const *strings)
{
    (void)strings;
    stub_gl_log("glCreateShaderProgramv(0x%x, %d)", type, count);
    return ++stub_gl.last_name;
}

static void attach_shader(GLuint program, GLuint shader)
{
    stub_gl_log("glAttachShader(%u, %u)", program, shader);
}

STUB_LOGS_ONE_NAME(delete_shader, glDeleteShader)

static void shader_source(GLuint shader, GLsizei count, const char *const *strings, const GLint *lengths)
{
    for (GLsizei i = 0; i < count; ++i) {
        bool is_told = lengths != NULL && lengths[i] >= 0;
        size_t length = is_told ? (size_t)lengths[i] : strings[i] != NULL ? strlen(strings[i]) : 0;
        stub_gl_log("glShaderSource(%u, %s)", shader, stub_gl_text_of(strings[i], length));
    }
}

static void shader_binary(GLsizei count, const GLuint *shaders, GLenum format, const void *binary,
                          GLsizei size)
{
    for (GLsizei i = 0; i < count; ++i)
        stub_gl_log("glShaderBinary(%u, 0x%x, %s)", shaders[i], format,
                    stub_gl_text_of(binary, (size_t)size));
}

static void specialize_shader(GLuint shader, const GLchar *entry, GLuint count, const GLuint *indices,
                              const GLuint *values)
{
    stub_gl_log("glSpecializeShader(%u, %s)", shader, entry);
    for (GLuint i = 0; i < count; ++i)
        stub_gl_log("constant %u: %u", indices[i], values[i]);
}

void *stub_programs_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glActiveShaderProgram", (void (*)(void))active_program},
        {"glAttachShader", (void (*)(void))attach_shader},
        {"glCreateShaderProgramv", (void (*)(void))create_program_of},
        {"glDeleteShader", (void (*)(void))delete_shader},
        {"glBindProgramPipeline", (void (*)(void))bind_pipeline},
        {"glDeleteProgram", (void (*)(void))delete_program},
        {"glGetProgramBinary", (void (*)(void))get_binary},
        {"glGetProgramiv", (void (*)(void))get_program},
        {"glProgramBinary", (void (*)(void))load_binary},
        {"glGetAttribLocation", (void (*)(void))find_location},
        {"glGetUniformBlockIndex", (void (*)(void))find_location},
        {"glGetUniformLocation", (void (*)(void))find_location},
        {"glGetActiveUniformBlockName", (void (*)(void))get_block_name},
        {"glGetProgramResourceIndex", (void (*)(void))find_resource},
        {"glGetProgramResourceLocation", (void (*)(void))find_resource},
        {"glGetProgramResourceName", (void (*)(void))get_resource_name},
        {"glShaderStorageBlockBinding", (void (*)(void))storage_block_binding},
        {"glGetActiveSubroutineName", (void (*)(void))get_resource_name},
        {"glGetSubroutineIndex", (void (*)(void))find_resource},
        {"glGetSubroutineUniformLocation", (void (*)(void))find_resource},
        {"glGetUniformSubroutineuiv", (void (*)(void))get_subroutine},
        {"glUniformSubroutinesuiv", (void (*)(void))set_subroutines},
        {"glGetActiveUniformsiv", (void (*)(void))get_uniforms},
        {"glGetUniformIndices", (void (*)(void))find_uniforms},
        {"glLinkProgram", (void (*)(void))link_program},
        {"glShaderBinary", (void (*)(void))shader_binary},
        {"glShaderSource", (void (*)(void))shader_source},
        {"glSpecializeShader", (void (*)(void))specialize_shader},
        {"glUniform1i", (void (*)(void))uniform_integer},
        {"glGetImageHandleARB", (void (*)(void))image_handle},
        {"glGetTextureHandleARB", (void (*)(void))texture_handle},
        {"glUniformHandleui64ARB", (void (*)(void))uniform_handle},
        {"glUniform2ui", (void (*)(void))uniform_pair},
        {"glUniform2uiv", (void (*)(void))uniform_pairs},
        {"glVertexAttribL1ui64ARB", (void (*)(void))attribute_handle},
        {"glUniform4fv", (void (*)(void))uniform_vectors},
        {"glUniformBlockBinding", (void (*)(void))block_binding},
        {"glUseProgram", (void (*)(void))use_program},
    };
    return STUB_FIND(functions, name);
}
