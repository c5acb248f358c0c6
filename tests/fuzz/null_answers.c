/* SPDX-License-Identifier: MIT
 * Functions of the null driver that the replayer calls for its own purposes.
 */
#include "null_memory.h"
#include "null_state.h"

#include "buffer_bindings.h"
#include "call/gl_functions.h"
#include "runtime/driver_sizes.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>

/* Larger than what the replayer adds to outputs of unknown size. */
enum { TEXTURE_SIDE = 140, TEXTURE_DEPTH = 2, ORDER = 1500, PROGRAM_LENGTH = 60000 };

/* Between glBegin() and glEnd(), there are no answers. */
static bool answers(void)
{
    return !null_current()->inside_begin;
}

static int32_t level_value(uint32_t target, int32_t level, uint32_t pname)
{
    if (level < 0 || level > 20)
        return 0;
    return pname == GL_TEXTURE_COMPRESSED_IMAGE_SIZE ? TEXTURE_SIDE * TEXTURE_SIDE
           : pname == GL_TEXTURE_DEPTH               ? TEXTURE_DEPTH
                                                     : (int32_t)(TEXTURE_SIDE + target % 8);
}

/* Functions that do nothing, but need a context. */
#define DOES_NOTHING(name, ...)                                                                              \
    static void null_##name(__VA_ARGS__)                                                                     \
    {                                                                                                        \
        null_current();                                                                                      \
    }
DOES_NOTHING(glBeginConditionalRender, GLuint, GLenum)
DOES_NOTHING(glEndConditionalRender, void)
DOES_NOTHING(glBlitFramebuffer, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum)
DOES_NOTHING(glCopyTexImage2D, GLenum, GLint, GLenum, GLint, GLint, GLsizei, GLsizei, GLint)
DOES_NOTHING(glFramebufferRenderbuffer, GLenum, GLenum, GLenum, GLuint)
DOES_NOTHING(glRenderbufferStorage, GLenum, GLenum, GLsizei, GLsizei)
DOES_NOTHING(glRenderbufferStorageMultisample, GLenum, GLsizei, GLenum, GLsizei, GLsizei)
DOES_NOTHING(glDebugMessageCallback, GLDEBUGPROC, const void *)
DOES_NOTHING(glDebugMessageCallbackKHR, GLDEBUGPROC, const void *)
DOES_NOTHING(glDebugMessageInsert, GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar *)
DOES_NOTHING(glDebugMessageInsertKHR, GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar *)
DOES_NOTHING(glFinish, void)
DOES_NOTHING(glStringMarkerGREMEDY, GLsizei, const void *)
DOES_NOTHING(glClear, GLbitfield)
DOES_NOTHING(glClearBufferfi, GLenum, GLint, GLfloat, GLint)
DOES_NOTHING(glFlush, void)

/* Functions that set a value which can be queried. */
#define SETS(name, pname, ...)                                                                               \
    static void null_##name(__VA_ARGS__)                                                                     \
    {                                                                                                        \
        null_set_integer(pname, (int64_t)value);                                                             \
    }
SETS(glDisable, value, GLenum value)
SETS(glEnable, value, GLenum value)
SETS(glDrawBuffer, GL_DRAW_BUFFER, GLenum value)
SETS(glReadBuffer, GL_READ_BUFFER, GLenum value)
SETS(glClientActiveTexture, GL_CLIENT_ACTIVE_TEXTURE, GLenum value)
SETS(glPixelStorei, pname, GLenum pname, GLint value)
SETS(glBindRenderbuffer, target == GL_RENDERBUFFER ? GL_RENDERBUFFER_BINDING : 0, GLenum target, GLuint value)
SETS(glBindTexture, target == GL_TEXTURE_2D ? GL_TEXTURE_BINDING_2D : 0, GLenum target, GLuint value)

static void null_glBindFramebuffer(GLenum target, GLuint name)
{
    if (target != GL_READ_FRAMEBUFFER)
        null_set_integer(GL_DRAW_FRAMEBUFFER_BINDING, name);
    if (target != GL_DRAW_FRAMEBUFFER)
        null_set_integer(GL_READ_FRAMEBUFFER_BINDING, name);
}

static void null_glBindVertexArray(GLuint name)
{
    uint64_t buffer = 0;
    null_set_integer(GL_VERTEX_ARRAY_BINDING, name);
    int_map_get(&null_current()->element_buffers, name, &buffer);
    null_set_integer(GL_ELEMENT_ARRAY_BUFFER_BINDING, (int64_t)buffer);
}

static void null_glBindBuffer(GLenum target, GLuint name)
{
    GLenum binding = buffer_binding(target);
    if (binding != 0)
        null_set_integer(binding, name);
    if (target == GL_ELEMENT_ARRAY_BUFFER &&
        int_map_set(&null_current()->element_buffers, (uint64_t)null_integer(GL_VERTEX_ARRAY_BINDING),
                    name) != 0)
        abort();
}

#define null_glGenFramebuffers  null_give_names
#define null_glGenRenderbuffers null_give_names

static void delete_names(GLsizei count, const GLuint *names)
{
    null_current();
    if (count > 0)
        null_memory_read(names, (uint64_t)count * sizeof *names);
}
#define null_glDeleteFramebuffers  delete_names
#define null_glDeleteRenderbuffers delete_names

/* Some objects have been deleted by another context. */
static GLboolean null_glIsTexture(GLuint name)
{
    null_current();
    return name % 8 != 7;
}
#define null_glIsBuffer       null_glIsTexture
#define null_glIsRenderbuffer null_glIsTexture

static GLboolean null_glIsEnabled(GLenum what)
{
    null_current();
    return what != GL_SCISSOR_TEST;
}

/* Pretends now and then that a call has failed, whatever it was. */
static GLenum null_glGetError(void)
{
    null_current();
    return null_next_error();
}

static void null_glGetIntegerv(GLenum pname, GLint *values)
{
    if (pname == GL_VIEWPORT)
        memcpy(values, (const GLint[]){0, 0, SIDE, SIDE}, 4 * sizeof *values);
    else
        values[0] = (GLint)null_integer(pname);
}

static const GLubyte *null_glGetString(GLenum name)
{
    null_current();
    return (const GLubyte *)(name == GL_VERSION ? null_version() : "null driver");
}

static const GLubyte *null_glGetStringi(GLenum name, GLuint index)
{
    null_current();
    return (const GLubyte *)(name == GL_EXTENSIONS && index == 0 ? "GL_KHR_debug" : NULL);
}

static GLenum null_glClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout)
{
    (void)sync, (void)flags, (void)timeout;
    null_current();
    return GL_ALREADY_SIGNALED;
}

static void null_glGetBufferParameteriv(GLenum target, GLenum pname, GLint *value)
{
    (void)target, (void)pname;
    null_current();
    *value = BUFFER_SIZE;
}

static void null_glGetBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, void *bytes)
{
    (void)target;
    null_current();
    if (offset >= 0 && size > 0) /* or else the program's call is an error */
        null_memory_write(bytes, (uint64_t)size, 0x40);
}

static void null_glGetNamedBufferParameteriv(GLuint name, GLenum pname, GLint *value)
{
    (void)name;
    null_glGetBufferParameteriv(0, pname, value);
}

static void null_glGetFramebufferAttachmentParameteriv(GLenum target, GLenum point, GLenum pname,
                                                       GLint *value)
{
    (void)target, (void)point;
    null_current();
    *value = pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE ? GL_TEXTURE : 1;
}

static void null_glGetRenderbufferParameteriv(GLenum target, GLenum pname, GLint *value)
{
    (void)target, (void)pname;
    null_current();
    *value = SIDE;
}

static void null_glGetTexLevelParameteriv(GLenum target, GLint level, GLenum pname, GLint *value)
{
    if (answers())
        *value = level_value(target, level, pname);
}

static void get_named_level(GLuint name, GLenum target, GLint level, GLenum pname, GLint *value)
{
    (void)name;
    null_glGetTexLevelParameteriv(target, level, pname, value);
}

/* The program's texels have been read before. The replayer puts none, to find out what a level is. */
static void update_2d(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                      GLenum format, GLenum type, const void *texels)
{
    (void)target, (void)level, (void)x, (void)y, (void)width, (void)height, (void)format, (void)type;
    (void)texels;
    null_current();
}

static void update_3d(GLenum target, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                      GLsizei depth, GLenum format, GLenum type, const void *texels)
{
    (void)z, (void)depth;
    update_2d(target, level, x, y, width, height, format, type, texels);
}

static void get_map(GLenum target, GLenum pname, GLint *value)
{
    for (int i = 0; answers() && i < (target >= GL_MAP2_COLOR_4 ? 2 : 1); ++i)
        value[i] = pname == GL_ORDER ? (i == 0 ? ORDER : 2) : 0;
}

/* Of tables, filters and histograms. */
static void get_parameter(GLenum target, GLenum pname, GLint *value)
{
    (void)target;
    if (answers())
        *value = pname == GL_PROGRAM_LENGTH_ARB ? PROGRAM_LENGTH : TEXTURE_SIDE;
}

static void get_named_program(GLuint program, GLenum target, GLenum pname, GLint *value)
{
    (void)program;
    get_parameter(target, pname, value);
}

/* Each program has a uniform that is a large array of 4 x 4 matrices of doubles. */
static void null_glGetProgramiv(GLuint program, GLenum pname, GLint *value)
{
    (void)program;
    if (answers())
        *value = pname == GL_ACTIVE_UNIFORMS             ? 1
                 : pname == GL_ACTIVE_UNIFORM_MAX_LENGTH ? 5
                 : pname == GL_PROGRAM_BINARY_LENGTH     ? 4
                                                         : 0;
}

static void null_glGetProgramBinary(GLuint program, GLsizei room, GLsizei *length, GLenum *format,
                                    void *binary)
{
    (void)program;
    null_current();
    *length = room < 4 ? 0 : 4;
    *format = 9;
    null_memory_write(binary, (uint64_t)*length, 0x40);
}

static void get_active_uniform(GLuint program, GLuint index, GLsizei room, GLsizei *length, GLint *size,
                               GLenum *type, GLchar *name)
{
    (void)program, (void)index;
    null_current();
    *size = INT32_MAX;
    *type = GL_DOUBLE_MAT4;
    if (length != NULL)
        *length = 4;
    if (room > 4)
        memcpy(name, "a[0]", 5);
}

static GLint null_glGetUniformLocation(GLuint program, const GLchar *name)
{
    (void)program, (void)name;
    null_current();
    return 0;
}

static void null_glGetUniformIndices(GLuint program, GLsizei count, const GLchar *const *names,
                                     GLuint *indices)
{
    (void)program;
    null_current();
    for (GLsizei i = 0; i < count; ++i)
        indices[i] = names[i][0] != 'a' ? GL_INVALID_INDEX : 0;
}

static void null_glGetActiveUniformsiv(GLuint program, GLsizei count, const GLuint *indices, GLenum pname,
                                       GLint *values)
{
    (void)program, (void)indices, (void)pname;
    null_current();
    for (GLsizei i = 0; i < count; ++i)
        values[i] = INT32_MAX;
}

static GLuint null_glGetUniformBlockIndex(GLuint program, const GLchar *name)
{
    (void)program, (void)name;
    null_current();
    return 0;
}

static GLuint null_glGetSubroutineIndex(GLuint program, GLenum stage, const GLchar *name)
{
    (void)stage;
    return null_glGetUniformBlockIndex(program, name);
}

static GLuint null_glGetProgramResourceIndex(GLuint program, GLenum interface, const GLchar *name)
{
    (void)interface;
    return null_glGetUniformBlockIndex(program, name);
}

/* Strides that are as long as three floats. */
static void null_glGetIntegeri_v(GLenum pname, GLuint index, GLint *value)
{
    (void)pname, (void)index;
    null_current();
    *value = 12;
}

static void null_glGetVertexAttribiv(GLuint index, GLenum pname, GLint *value)
{
    (void)index, (void)pname;
    null_current();
    *value = 1;
}

static void null_glGetFloatv(GLenum pname, GLfloat *value)
{
    (void)pname;
    null_current();
    *value = 1;
}

static void null_glPixelTransferf(GLenum pname, GLfloat value)
{
    (void)pname, (void)value;
    null_current();
}

static void null_glScissor(GLint x, GLint y, GLsizei width, GLsizei height)
{
    (void)x, (void)y, (void)width, (void)height;
    null_current();
}

static void null_glClearColor(GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha)
{
    (void)red, (void)green, (void)blue, (void)alpha;
    null_current();
}

static void null_glClearDepth(GLdouble depth)
{
    (void)depth;
    null_current();
}

static void null_glClearDepthf(GLfloat depth)
{
    (void)depth;
    null_current();
}

static void null_glClearStencil(GLint stencil)
{
    (void)stencil;
    null_current();
}

static void null_glColorMaski(GLuint output, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
{
    (void)output, (void)red, (void)green, (void)blue, (void)alpha;
    null_current();
}

static void null_glScissorIndexed(GLuint index, GLint x, GLint y, GLsizei width, GLsizei height)
{
    (void)index, (void)x, (void)y, (void)width, (void)height;
    null_current();
}

static void null_glDisablei(GLenum what, GLuint index)
{
    (void)what, (void)index;
    null_current();
}

static void null_glEnablei(GLenum what, GLuint index)
{
    (void)what, (void)index;
    null_current();
}

static void null_glDrawBuffers(GLsizei count, const GLenum *buffers)
{
    (void)count, (void)buffers;
    null_current();
}

static void null_glGetDoublev(GLenum what, GLdouble *values)
{
    (void)what, (void)values;
    null_current();
}

static void null_glColorMask(GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
{
    (void)red, (void)green, (void)blue, (void)alpha;
    null_current();
}

static void null_glDepthMask(GLboolean flag)
{
    (void)flag;
    null_current();
}

static void null_glStencilMaskSeparate(GLenum face, GLuint mask)
{
    (void)face, (void)mask;
    null_current();
}

/* No array has been set, so that replays ask further. */
static void null_glGetPointerv(GLenum pname, void **value)
{
    (void)pname;
    null_current();
    *value = NULL;
}

static void null_glGetVertexAttribPointerv(GLuint index, GLenum pname, void **value)
{
    (void)index;
    null_glGetPointerv(pname, value);
}

static void null_glGetQueryObjectuiv(GLuint query, GLenum pname, GLuint *value)
{
    (void)query, (void)pname;
    null_current();
    *value = 1;
}

static void null_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                              void *pixels)
{
    struct spec_state state = null_state_of_driver();
    int64_t size = spec_image_size(format, type, width, height, 1, &state.pack);
    (void)x, (void)y;
    if (!state.pack_buffer && size > 0)
        null_memory_write(pixels, (uint64_t)size, 0x40);
}

/* --- EGL -------------------------------------------------------------------------------------------- */

static EGLImageKHR create_image(EGLDisplay display, EGLContext context, EGLenum target,
                                EGLClientBuffer buffer, const EGLint *attribs)
{
    (void)display, (void)context, (void)target, (void)buffer;
    for (null_current(); attribs != NULL && *attribs != EGL_NONE; attribs += 2)
        null_memory_read(attribs, 2 * sizeof *attribs);
    return null_give_pointer();
}

static EGLBoolean destroy_object(EGLDisplay display, void *object)
{
    (void)display, (void)object;
    null_current();
    return EGL_TRUE;
}

static EGLSyncKHR create_sync(EGLDisplay display, EGLenum type, const EGLint *attribs)
{
    (void)display, (void)type, (void)attribs;
    return null_give_pointer();
}

static EGLint wait_sync(EGLDisplay display, EGLSyncKHR sync, EGLint flags, EGLTimeKHR timeout)
{
    (void)display, (void)sync, (void)flags, (void)timeout;
    null_current();
    return EGL_CONDITION_SATISFIED_KHR;
}

/* --- the table -------------------------------------------------------------------------------------- */

void (*null_answer(const char *name, const char *alias))(void)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
#define ENTRY(type, name, parameters) {#name, (void (*)(void))null_##name},
        GL_FUNCTION_LIST(ENTRY)
#undef ENTRY
            {"glGetTextureLevelParameterivEXT", (void (*)(void))get_named_level},
        {"glGetMultiTexLevelParameterivEXT", (void (*)(void))get_named_level},
        {"glTexSubImage2D", (void (*)(void))update_2d},
        {"glTexSubImage3D", (void (*)(void))update_3d},
        {"glGetMapiv", (void (*)(void))get_map},
        {"glGetColorTableParameteriv", (void (*)(void))get_parameter},
        {"glGetConvolutionParameteriv", (void (*)(void))get_parameter},
        {"glGetHistogramParameteriv", (void (*)(void))get_parameter},
        {"glGetProgramivARB", (void (*)(void))get_parameter},
        {"glGetProgramivNV", (void (*)(void))get_parameter},
        {"glGetPathParameterivNV", (void (*)(void))get_parameter},
        {"glGetNamedProgramivEXT", (void (*)(void))get_named_program},
        {"glGetActiveUniform", (void (*)(void))get_active_uniform},
        {"eglCreateImageKHR", (void (*)(void))create_image},
        {"eglDestroyImageKHR", (void (*)(void))destroy_object},
        {"eglCreateSyncKHR", (void (*)(void))create_sync},
        {"eglDestroySyncKHR", (void (*)(void))destroy_object},
        {"eglClientWaitSyncKHR", (void (*)(void))wait_sync},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, name) == 0 || strcmp(functions[i].name, alias) == 0)
            return functions[i].function;
    return NULL;
}
