/* SPDX-License-Identifier: MIT
 * Questions with answers of rare types, or with several ones, for tests of --check.
 */
#include "stub_parts.h"

#include <stdio.h>

/* Numbers of 64 bits: the first one is -5 as a signed one. */
static void get_large(GLuint index, GLenum pname, GLuint64 *values)
{
    (void)pname;
    for (unsigned i = 0; i < 4; ++i)
        values[i] = i == 0 ? UINT64_MAX - 4 : index + i;
}

static void get_attribute(GLuint program, GLuint index, GLsizei room, GLsizei *length, GLint *size,
                          GLenum *type, GLchar *name)
{
    (void)program, (void)index;
    *length = snprintf(name, (size_t)room, "abc");
    *size = 3;
    *type = GL_FLOAT;
}

/* The shaders with the last two names. */
static void get_shaders(GLuint program, GLsizei room, GLsizei *count, GLuint *shaders)
{
    (void)program;
    for (*count = 0; *count < 2 && *count < room; ++*count)
        shaders[*count] = stub_gl.last_name - (GLuint)*count;
}

/* The one with the last name is bound. */
static void get_bound_program(GLenum target, GLenum pname, GLint *value)
{
    (void)target, (void)pname;
    *value = (GLint)stub_gl.last_name;
}

/* No answer, if the question is an error. */
static GLboolean are_resident(GLsizei count, const GLuint *textures, GLboolean *out)
{
    (void)textures;
    stub_gl_question();
    for (GLsizei i = 0; i < count && stub_gl.error == GL_NO_ERROR; ++i)
        out[i] = GL_FALSE;
    return GL_FALSE;
}

static GLfloat get_length(GLuint path, GLsizei first, GLsizei count)
{
    (void)path, (void)first, (void)count;
    return 1.5F;
}

void *stub_answers_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glAreTexturesResident", (void (*)(void))are_resident},
        {"glGetVertexAttribLui64vARB", (void (*)(void))get_large},
        {"glGetActiveAttrib", (void (*)(void))get_attribute},
        {"glGetAttachedShaders", (void (*)(void))get_shaders},
        {"glGetProgramivARB", (void (*)(void))get_bound_program},
        {"glGetPathLengthNV", (void (*)(void))get_length},
    };
    return STUB_FIND(functions, name);
}
