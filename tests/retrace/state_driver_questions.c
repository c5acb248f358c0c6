/* SPDX-License-Identifier: MIT
 * The questions that the driver answers.
 */
#include "state_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* --- values --------------------------------------------------------------------------------------------- */

static unsigned count_of(const struct state_answer *a)
{
    unsigned count = 4;
    while (count > 1 && a->values[count - 1] == 0)
        --count;
    return count;
}

#define DEFINE_GET(name, type)                                                                               \
    static void name(const char *function, GLuint object, GLuint index, GLenum pname, type *out)             \
    {                                                                                                        \
        const struct state_answer *a = state_driver_answer(function, object, index, pname);                  \
        if (a != NULL && a == state_driver.silent)                                                           \
            return;                                                                                          \
        if (a == NULL)                                                                                       \
            out[0] = (type)GARBAGE;                                                                          \
        for (unsigned i = 0; a != NULL && i < count_of(a); ++i)                                              \
            out[i] = (type)a->values[i];                                                                     \
    }
DEFINE_GET(get_ints, GLint)
DEFINE_GET(get_uints, GLuint)
DEFINE_GET(get_longs, GLint64)
DEFINE_GET(get_floats, GLfloat)
DEFINE_GET(get_doubles, GLdouble)
DEFINE_GET(get_booleans, GLboolean)

void state_driver_get(const char *function, GLuint object, GLuint index, GLenum pname, GLint *out)
{
    get_ints(function, object, index, pname, out);
}

static void get_address(const char *function, GLuint object, GLenum pname, void **out)
{
    const struct state_answer *a = state_driver_answer(function, object, 0, pname);
    if (a == NULL || a != state_driver.silent)
        *out = (void *)(uintptr_t)(a != NULL ? a->values[0] : GARBAGE);
}

/* Returns NULL if there is none. */
static const char *text_of(const char *function, GLuint object, GLuint index, GLenum pname)
{
    const struct state_answer *a = state_driver_answer(function, object, index, pname);
    return a == NULL ? GARBAGE_TEXT : a != state_driver.silent ? a->text : NULL;
}

#define ONE(function, name, type, get)                                                                       \
    static void function(GLenum pname, type *out)                                                            \
    {                                                                                                        \
        get(name, 0, 0, pname, out);                                                                         \
    }
#define OF_OBJECT(function, name, type, get)                                                                 \
    static void function(GLuint object, GLenum pname, type *out)                                             \
    {                                                                                                        \
        get(name, object, 0, pname, out);                                                                    \
    }
#define OF_INDEX(function, name, type, get)                                                                  \
    static void function(GLuint object, GLuint index, GLenum pname, type *out)                               \
    {                                                                                                        \
        get(name, object, index, pname, out);                                                                \
    }
#define INDEXED(function, name, type, get)                                                                   \
    static void function(GLenum pname, GLuint index, type *out)                                              \
    {                                                                                                        \
        get(name, 0, index, pname, out);                                                                     \
    }

ONE(get_booleanv, "glGetBooleanv", GLboolean, get_booleans)
ONE(get_floatv, "glGetFloatv", GLfloat, get_floats)
INDEXED(get_integer64i, "glGetInteger64i_v", GLint64, get_longs)
INDEXED(get_integeri, "glGetIntegeri_v", GLint, get_ints)
OF_OBJECT(get_light, "glGetLightfv", GLfloat, get_floats)
OF_OBJECT(get_material, "glGetMaterialfv", GLfloat, get_floats)
OF_OBJECT(get_attrib, "glGetVertexAttribiv", GLint, get_ints)
OF_OBJECT(get_attribf, "glGetVertexAttribfv", GLfloat, get_floats)
OF_OBJECT(get_tex, "glGetTexParameteriv", GLint, get_ints)
OF_OBJECT(get_texf, "glGetTexParameterfv", GLfloat, get_floats)
OF_OBJECT(get_sampler, "glGetSamplerParameteriv", GLint, get_ints)
OF_OBJECT(get_samplerf, "glGetSamplerParameterfv", GLfloat, get_floats)
OF_OBJECT(get_env, "glGetTexEnviv", GLint, get_ints)
OF_OBJECT(get_envf, "glGetTexEnvfv", GLfloat, get_floats)
OF_OBJECT(get_arb, "glGetProgramivARB", GLint, get_ints)
OF_OBJECT(get_program, "glGetProgramiv", GLint, get_ints)
OF_OBJECT(get_pipeline, "glGetProgramPipelineiv", GLint, get_ints)
OF_OBJECT(get_shader, "glGetShaderiv", GLint, get_ints)
OF_OBJECT(get_location_floats, "glGetUniformfv", GLfloat, get_floats)
OF_OBJECT(get_location_doubles, "glGetUniformdv", GLdouble, get_doubles)
OF_OBJECT(get_location_ints, "glGetUniformiv", GLint, get_ints)
OF_OBJECT(get_location_uints, "glGetUniformuiv", GLuint, get_uints)
OF_OBJECT(get_env_parameter, "glGetProgramEnvParameterdvARB", GLdouble, get_doubles)
OF_OBJECT(get_local_parameter, "glGetProgramLocalParameterdvARB", GLdouble, get_doubles)
OF_INDEX(get_level, "glGetTexLevelParameteriv", GLint, get_ints)
OF_INDEX(get_attachment, "glGetFramebufferAttachmentParameteriv", GLint, get_ints)
OF_INDEX(get_block, "glGetActiveUniformBlockiv", GLint, get_ints)
OF_INDEX(get_interface, "glGetProgramInterfaceiv", GLint, get_ints)

static GLenum get_error(void)
{
    GLenum error = state_driver.error;
    state_driver.error = state_driver.more_errors-- > 0 ? error : GL_NO_ERROR;
    return error;
}

static bool is_texture_binding(GLenum pname)
{
    static const GLenum bindings[] = {
        GL_TEXTURE_BINDING_1D,
        GL_TEXTURE_BINDING_2D,
        GL_TEXTURE_BINDING_3D,
        GL_TEXTURE_BINDING_CUBE_MAP,
        GL_TEXTURE_BINDING_1D_ARRAY,
        GL_TEXTURE_BINDING_2D_ARRAY,
        GL_TEXTURE_BINDING_BUFFER,
        GL_TEXTURE_BINDING_RECTANGLE,
        GL_SAMPLER_BINDING,
        GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
        GL_TEXTURE_BINDING_2D_MULTISAMPLE,
        GL_TEXTURE_BINDING_CUBE_MAP_ARRAY,
    };
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; ++i)
        if (bindings[i] == pname)
            return true;
    return false;
}

static void get_integerv(GLenum pname, GLint *out)
{
    get_ints("glGetIntegerv", is_texture_binding(pname) ? state_driver.unit : 0, 0, pname, out);
}

static GLboolean is_enabled(GLenum capability)
{
    const struct state_answer *a = state_driver_answer("glIsEnabled", 0, 0, capability);
    return a == NULL || a->values[0] != 0;
}

static const GLubyte *get_string(GLenum name)
{
    return (const GLubyte *)text_of("glGetString", 0, 0, name);
}

static void get_pointer(GLenum pname, void **out)
{
    get_address("glGetPointerv", 0, pname, out);
}

static void get_attrib_pointer(GLuint index, GLenum pname, void **out)
{
    get_address("glGetVertexAttribPointerv", index, pname, out);
}

static void get_buffer_pointer(GLenum target, GLenum pname, void **out)
{
    get_address("glGetBufferPointerv", target, pname, out);
}

static void get_label(GLenum identifier, GLuint name, GLsizei room, GLsizei *length, GLchar *out)
{
    const char *text = text_of("glGetObjectLabel", identifier, name, 0);
    (void)length;
    if (text != NULL)
        snprintf(out, (size_t)room, "%s", text);
}

/* --- programs ------------------------------------------------------------------------------------------- */

static void get_shaders(GLuint program, GLsizei room, GLsizei *count, GLuint *out)
{
    const struct state_answer *a = state_driver_answer("glGetAttachedShaders", program, 0, 0);
    if (a != NULL && a == state_driver.silent)
        return;
    for (*count = 0; a != NULL && *count < 4 && *count < room && a->values[*count] != 0; ++*count)
        out[*count] = (GLuint)a->values[*count];
    if (a == NULL && room > 0)
        out[(*count)++] = GARBAGE;
}

static void get_source(GLuint shader, GLsizei room, GLsizei *length, GLchar *out)
{
    const char *text = text_of("glGetShaderSource", shader, 0, 0);
    if (text != NULL)
        *length = snprintf(out, (size_t)room, "%s", text);
}

static void get_arb_source(GLenum target, GLenum pname, void *out)
{
    const struct state_answer *a = state_driver_answer("glGetProgramStringARB", target, 0, pname);
    if (a != NULL && a == state_driver.silent)
        return;
    memcpy(out, a != NULL ? a->text : "?", a != NULL ? strlen(a->text) : 1);
}

/* Values: how many elements, the type. */
static void get_uniform(GLuint program, GLuint index, GLsizei room, GLsizei *length, GLint *count,
                        GLenum *type, GLchar *name)
{
    const struct state_answer *a = state_driver_answer("glGetActiveUniform", program, index, 0);
    if (a != NULL && a == state_driver.silent)
        return;
    *count = a != NULL ? (GLint)a->values[0] : GARBAGE;
    *type = a != NULL ? (GLenum)a->values[1] : GL_FLOAT;
    assert_null(length);
    snprintf(name, (size_t)room, "%s", a != NULL ? a->text : GARBAGE_TEXT);
}

static GLint location_of(const char *function, GLuint program, const GLchar *name)
{
    for (const struct state_answer *a = state_driver.answers; a != NULL && a->function != NULL; ++a)
        if (strcmp(a->function, function) == 0 && a->object == program && strcmp(a->text, name) == 0)
            return state_driver_give(function, a != state_driver.failing ? a : NULL) != NULL
                       ? (GLint)a->values[0]
                       : -1;
    return -1;
}

static GLint get_location(GLuint program, const GLchar *name)
{
    return location_of("glGetUniformLocation", program, name);
}

static GLint get_place(GLuint program, const GLchar *name)
{
    return location_of("glGetAttribLocation", program, name);
}

static void get_uniforms(GLuint program, GLsizei count, const GLuint *indices, GLenum pname, GLint *out)
{
    assert_int_equal(count, 1);
    get_ints("glGetActiveUniformsiv", program, indices[0], pname, out);
}

/* Of program 3; the objects of the answers are interfaces. If an answer has a text, its first value is
 * written to all the room, and there is said to be more. */
static void get_resource(GLuint program, GLenum interface, GLuint index, GLsizei count, const GLenum *pnames,
                         GLsizei room, GLsizei *length, GLint *values)
{
    const struct state_answer *a = state_driver_answer("glGetProgramResourceiv", interface, index, pnames[0]);
    if (a != NULL && a == state_driver.silent)
        return;
    assert_int_equal(program, 3);
    assert_int_equal(count, 1);
    assert_in_range(a != NULL ? count_of(a) : 1, 1, room);
    for (unsigned i = 0; a != NULL && i < count_of(a); ++i)
        values[i] = (GLint)a->values[i];
    if (a == NULL)
        values[0] = GARBAGE;
    if (length != NULL)
        *length = a != NULL ? (GLsizei)count_of(a) : 1;
    if (a == NULL || a->text == NULL || length == NULL)
        return;
    for (GLsizei i = 1; i < room; ++i)
        values[i] = values[0];
    *length = 2 * room;
}

static void get_resource_name(GLuint program, GLenum interface, GLuint index, GLsizei room, GLsizei *length,
                              GLchar *name)
{
    assert_int_equal(program, 3);
    assert_null(length);
    const char *text = text_of("glGetProgramResourceName", interface, index, 0);
    if (text != NULL)
        snprintf(name, (size_t)room, "%s", text);
}

/* Values: how many elements, the type. */
static void get_attribute(GLuint program, GLuint index, GLsizei room, GLsizei *length, GLint *count,
                          GLenum *type, GLchar *name)
{
    const struct state_answer *a = state_driver_answer("glGetActiveAttrib", program, index, 0);
    if (a != NULL && a == state_driver.silent)
        return;
    assert_null(length);
    *count = a != NULL ? (GLint)a->values[0] : GARBAGE;
    *type = a != NULL ? (GLenum)a->values[1] : GL_FLOAT;
    snprintf(name, (size_t)room, "%s", a != NULL ? a->text : GARBAGE_TEXT);
}

void *state_driver_find(const struct state_function *functions, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return *(void **)(uintptr_t)&functions[i].function;
    return NULL;
}

void *state_driver_question(const char *name)
{
    static const struct state_function functions[] = {
        {"glGetActiveAttrib", (void (*)(void))get_attribute},
        {"glGetActiveUniform", (void (*)(void))get_uniform},
        {"glGetActiveUniformBlockiv", (void (*)(void))get_block},
        {"glGetActiveUniformsiv", (void (*)(void))get_uniforms},
        {"glGetAttachedShaders", (void (*)(void))get_shaders},
        {"glGetAttribLocation", (void (*)(void))get_place},
        {"glGetBooleanv", (void (*)(void))get_booleanv},
        {"glGetBufferPointerv", (void (*)(void))get_buffer_pointer},
        {"glGetError", (void (*)(void))get_error},
        {"glGetFloatv", (void (*)(void))get_floatv},
        {"glGetFramebufferAttachmentParameteriv", (void (*)(void))get_attachment},
        {"glGetInteger64i_v", (void (*)(void))get_integer64i},
        {"glGetIntegeri_v", (void (*)(void))get_integeri},
        {"glGetIntegerv", (void (*)(void))get_integerv},
        {"glGetLightfv", (void (*)(void))get_light},
        {"glGetMaterialfv", (void (*)(void))get_material},
        {"glGetObjectLabel", (void (*)(void))get_label},
        {"glGetPointerv", (void (*)(void))get_pointer},
        {"glGetProgramEnvParameterdvARB", (void (*)(void))get_env_parameter},
        {"glGetProgramInterfaceiv", (void (*)(void))get_interface},
        {"glGetProgramLocalParameterdvARB", (void (*)(void))get_local_parameter},
        {"glGetProgramPipelineiv", (void (*)(void))get_pipeline},
        {"glGetProgramResourceName", (void (*)(void))get_resource_name},
        {"glGetProgramResourceiv", (void (*)(void))get_resource},
        {"glGetProgramStringARB", (void (*)(void))get_arb_source},
        {"glGetProgramiv", (void (*)(void))get_program},
        {"glGetProgramivARB", (void (*)(void))get_arb},
        {"glGetSamplerParameterfv", (void (*)(void))get_samplerf},
        {"glGetSamplerParameteriv", (void (*)(void))get_sampler},
        {"glGetShaderSource", (void (*)(void))get_source},
        {"glGetShaderiv", (void (*)(void))get_shader},
        {"glGetString", (void (*)(void))get_string},
        {"glGetTexEnvfv", (void (*)(void))get_envf},
        {"glGetTexEnviv", (void (*)(void))get_env},
        {"glGetTexLevelParameteriv", (void (*)(void))get_level},
        {"glGetTexParameterfv", (void (*)(void))get_texf},
        {"glGetTexParameteriv", (void (*)(void))get_tex},
        {"glGetUniformLocation", (void (*)(void))get_location},
        {"glGetUniformdv", (void (*)(void))get_location_doubles},
        {"glGetUniformfv", (void (*)(void))get_location_floats},
        {"glGetUniformiv", (void (*)(void))get_location_ints},
        {"glGetUniformuiv", (void (*)(void))get_location_uints},
        {"glGetVertexAttribPointerv", (void (*)(void))get_attrib_pointer},
        {"glGetVertexAttribfv", (void (*)(void))get_attribf},
        {"glGetVertexAttribiv", (void (*)(void))get_attrib},
        {"glIsEnabled", (void (*)(void))is_enabled},
    };
    return state_driver_find(functions, sizeof functions / sizeof *functions, name);
}
