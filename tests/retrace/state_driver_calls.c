/* SPDX-License-Identifier: MIT
 * The calls of the driver that change or read something.
 */
#include "state_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* --- buffers -------------------------------------------------------------------------------------------- */

static void bind_buffer(GLenum target, GLuint buffer)
{
    state_driver_log("glBindBuffer(0x%x, %u)", target, buffer);
    state_driver.buffer = buffer;
}

/* The size is that of the buffer that was bound last. */
static void get_buffer(GLenum target, GLenum pname, GLint *out)
{
    GLuint object = pname == GL_BUFFER_SIZE && state_driver.buffer != 0 ? state_driver.buffer : target;
    state_driver_get("glGetBufferParameteriv", object, 0, pname, out);
}

static void read_buffer(GLenum target, GLintptr offset, GLsizeiptr size, void *out)
{
    state_driver_log("glGetBufferSubData(0x%x, %d, %d)", target, (int)offset, (int)size);
    size_t known = state_driver.byte_count > (size_t)offset ? state_driver.byte_count - (size_t)offset : 0;
    if (!state_driver_differs() || known > (size_t)size)
        known = (size_t)size;
    memset(out, 0, (size_t)size);
    if (known > 0)
        memcpy(out, state_driver.bytes + offset, known);
    state_driver_fails("glGetBufferSubData");
}

static void *map_buffer(GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield access)
{
    state_driver_log("glMapBufferRange(0x%x, %d, %d, 0x%x)", target, (int)offset, (int)size, access);
    return state_driver_fails("glMapBufferRange") ? NULL : (void *)(uintptr_t)(state_driver.bytes + offset);
}

static GLboolean unmap_buffer(GLenum target)
{
    state_driver_log("glUnmapBuffer(0x%x)", target);
    return !state_driver_fails("glUnmapBuffer");
}

/* --- textures and framebuffers -------------------------------------------------------------------------- */

static void select_unit(GLenum unit)
{
    state_driver_log("glActiveTexture(%u)", unit - GL_TEXTURE0);
    state_driver.unit = unit - GL_TEXTURE0;
}

static GLboolean is_texture(GLuint texture)
{
    return state_driver_find_answer("texture", texture, 0, 0) != NULL;
}

/* A buffer or a renderbuffer. */
static GLboolean is_there(GLuint name)
{
    return name != state_driver.gone;
}

/* A texture has one target. */
static void bind_texture(GLenum target, GLuint texture)
{
    const struct state_answer *a = texture != 0 ? state_driver_find_answer("texture", texture, 0, 0) : NULL;
    bool fits = texture == 0 || (a != NULL && a->values[0] == target);
    state_driver_log("glBindTexture(0x%x, %u)%s", target, texture, fits ? "" : ": error");
    if (!fits)
        state_driver_set_error();
}

static void read_pixels_of(size_t size, void *out)
{
    if (state_driver_differs()) { /* there may be fewer than are read now */
        memset(out, 0, size);
        return;
    }
    memcpy(out, (const char *)state_driver.pixels + state_driver.pixels_read, size);
    state_driver.pixels_read += size;
}

static size_t pixel_size(GLenum format, GLenum type)
{
    size_t channels = format == GL_RGBA || format == GL_RGBA_INTEGER ? 4
                      : format == GL_RGB                             ? 3
                      : format == GL_RG                              ? 2
                                                                     : 1;
    assert_true(type == GL_FLOAT || type == GL_UNSIGNED_BYTE || type == GL_UNSIGNED_INT);
    return type == GL_UNSIGNED_BYTE ? channels : channels * sizeof(GLfloat);
}

static void read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                        void *out)
{
    state_driver_log("glReadPixels(%d, %d, %d, %d, 0x%x, 0x%x)", x, y, width, height, format, type);
    if (!state_driver_fails("glReadPixels"))
        read_pixels_of((size_t)width * (size_t)height * pixel_size(format, type), out);
}

static GLint size_of_level(GLenum target, GLint level, GLenum pname, GLint fallback)
{
    const struct state_answer *a =
        state_driver_find_answer("glGetTexLevelParameteriv", target, (GLuint)level, pname);
    return a != NULL && a != state_driver.silent ? (GLint)a->values[0] : fallback;
}

static void get_image(GLenum target, GLint level, GLenum format, GLenum type, void *out)
{
    state_driver_log("glGetTexImage(0x%x, %d, 0x%x, 0x%x)", target, level, format, type);
    if (state_driver_fails("glGetTexImage"))
        return;
    GLint width = size_of_level(target, level, GL_TEXTURE_WIDTH, 0);
    GLint height = size_of_level(target, level, GL_TEXTURE_HEIGHT, 1);
    bool has_layers = target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY ||
                      target == GL_TEXTURE_CUBE_MAP_ARRAY || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    GLint depth = has_layers ? size_of_level(target, level, GL_TEXTURE_DEPTH, 1) : 1;
    if (target == GL_TEXTURE_1D)
        height = 1;
    read_pixels_of((size_t)(width * (height > 0 ? height : 1) * depth) * pixel_size(format, type), out);
}

/* The answer is of a level and a format; its values are the size, and the type if that is not bytes. */
static void update_nothing(const char *function, GLenum target, GLint level, GLenum format, GLenum type,
                           const GLint at[3])
{
    const struct state_answer *a = state_driver_find_answer(function, target, (GLuint)level, format);
    bool fits = a != NULL && (a->values[3] != 0 ? a->values[3] : GL_UNSIGNED_BYTE) == type;
    for (int i = 0; i < 3; ++i)
        fits = fits && at[i] <= a->values[i];
    state_driver_give(function, fits || state_driver.accepts_updates ? &state_driver_zero : NULL);
}

static void update_2d(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                      GLenum format, GLenum type, const void *texels)
{
    assert_true(width == 0 && height == 0 && texels != NULL);
    update_nothing("glTexSubImage2D", target, level, format, type, (const GLint[]){x, y, 0});
}

static void update_3d(GLenum target, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                      GLsizei depth, GLenum format, GLenum type, const void *texels)
{
    assert_true(width == 0 && height == 0 && depth == 0 && texels != NULL);
    update_nothing("glTexSubImage3D", target, level, format, type, (const GLint[]){x, y, z});
}

static GLenum check_framebuffer(GLenum target)
{
    const struct state_answer *a = state_driver_find_answer("glCheckFramebufferStatus", target, 0, 0);
    state_driver_give("glCheckFramebufferStatus", a != NULL ? a : &state_driver_zero);
    return a != NULL ? (GLenum)a->values[0] : GL_FRAMEBUFFER_COMPLETE;
}

static void bind_renderbuffer(GLenum target, GLuint renderbuffer)
{
    state_driver_log("glBindRenderbuffer(0x%x, %u)", target, renderbuffer);
    state_driver.renderbuffer = renderbuffer;
}

static void get_renderbuffer(GLenum target, GLenum pname, GLint *out)
{
    assert_int_equal(target, GL_RENDERBUFFER);
    state_driver_get("glGetRenderbufferParameteriv", state_driver.renderbuffer, 0, pname, out);
}

static void storage(GLenum target, GLenum format, GLsizei width, GLsizei height)
{
    state_driver_log("glRenderbufferStorage(0x%x, 0x%x, %d, %d)", target, format, width, height);
}

static void blit(GLint x0, GLint y0, GLint x1, GLint y1, GLint x2, GLint y2, GLint x3, GLint y3,
                 GLbitfield bits, GLenum filter)
{
    state_driver_log("glBlitFramebuffer(%d %d %d %d, %d %d %d %d, 0x%x, 0x%x)", x0, y0, x1, y1, x2, y2, x3,
                     y3, bits, filter);
    state_driver_fails("glBlitFramebuffer");
}

static void attach_texture(GLenum target, GLenum point, GLenum image, GLuint texture, GLint level)
{
    state_driver_log("glFramebufferTexture2D(0x%x, 0x%x, 0x%x, %u, %d)", target, point, image, texture,
                     level);
    state_driver_fails("glFramebufferTexture2D");
}

static void attach_layer(GLenum target, GLenum point, GLuint texture, GLint level, GLint layer)
{
    state_driver_log("glFramebufferTextureLayer(0x%x, 0x%x, %u, %d, %d)", target, point, texture, level,
                     layer);
    state_driver_fails("glFramebufferTextureLayer");
}

static void attach_renderbuffer(GLenum target, GLenum point, GLenum kind, GLuint renderbuffer)
{
    assert_int_equal(kind, GL_RENDERBUFFER);
    state_driver_log("glFramebufferRenderbuffer(0x%x, 0x%x, %u)", target, point, renderbuffer);
}

#define LOGS(function, name, format, declaration, ...)                                                       \
    static void function declaration                                                                         \
    {                                                                                                        \
        state_driver_log(name "(" format ")", __VA_ARGS__);                                                  \
    }
LOGS(bind_framebuffer, "glBindFramebuffer", "0x%x, %u", (GLenum target, GLuint name), target, name)
LOGS(disable, "glDisable", "0x%x", (GLenum capability), capability)
LOGS(enable, "glEnable", "0x%x", (GLenum capability), capability)
LOGS(draw_buffer, "glDrawBuffer", "0x%x", (GLenum buffer), buffer)
LOGS(select_buffer, "glReadBuffer", "0x%x", (GLenum buffer), buffer)
LOGS(pixel_store, "glPixelStorei", "0x%x, %d", (GLenum pname, GLint value), pname, value)
LOGS(barrier, "glMemoryBarrier", "0x%x", (GLbitfield bits), bits)

static void finish(void)
{
    state_driver_log("glFinish()");
    state_driver.is_finished = true;
}

/* --- what a dump makes, and deletes --------------------------------------------------------------------- */

enum { FIRST_NAME = 101 };

static GLuint make_name(const char *kind)
{
    assert_true(state_driver.names < STATE_DRIVER_NAMES);
    state_driver.made[state_driver.names] = kind;
    return FIRST_NAME + state_driver.names++;
}

static void delete_name(const char *kind, GLuint name)
{
    if (name == 0)
        return;
    assert_in_range(name, FIRST_NAME, FIRST_NAME + state_driver.names - 1);
    assert_ptr_equal(state_driver.made[name - FIRST_NAME], kind);
    state_driver.made[name - FIRST_NAME] = NULL;
}

#define NAMES(kind, name)                                                                                    \
    static const char kind[] = #name;                                                                        \
    static void make_##kind(GLsizei n, GLuint *names)                                                        \
    {                                                                                                        \
        for (GLsizei i = 0; i < n; ++i)                                                                      \
            names[i] = make_name(kind);                                                                      \
    }                                                                                                        \
    static void delete_##kind(GLsizei n, const GLuint *names)                                                \
    {                                                                                                        \
        state_driver_log("glDelete" #name "(%d, %u)", n, names[0]);                                          \
        for (GLsizei i = 0; i < n; ++i)                                                                      \
            delete_name(kind, names[i]);                                                                     \
    }
NAMES(buffers, Buffers)
NAMES(framebuffers, Framebuffers)
NAMES(renderbuffers, Renderbuffers)
NAMES(samplers, Samplers)

static const char shaders[] = "Shader", programs[] = "Program";

static void delete_shader(GLuint shader)
{
    state_driver_log("glDeleteShader(%u)", shader);
    delete_name(shaders, shader);
}

static void delete_program(GLuint program)
{
    state_driver_log("glDeleteProgram(%u)", program);
    delete_name(programs, program);
}

void state_driver_expect_no_objects(void)
{
    for (GLuint i = 0; i < state_driver.names; ++i)
        if (state_driver.made[i] != NULL)
            fail_msg("%s: %u is not deleted", state_driver.made[i], FIRST_NAME + i);
}

/* --- compute shaders ------------------------------------------------------------------------------------ */

static GLuint make_shader(GLenum type)
{
    GLuint name = make_name(shaders);
    state_driver_log("glCreateShader(0x%x): %u", type, name);
    return name;
}

static GLuint make_program(void)
{
    GLuint name = make_name(programs);
    state_driver_log("glCreateProgram(): %u", name);
    return name;
}

static void set_source(GLuint shader, GLsizei count, const GLchar *const *texts, const GLint *lengths)
{
    assert_int_equal(count, 1);
    assert_null(lengths);
    state_driver_log("glShaderSource(%u):\n%s", shader, texts[0]);
}

LOGS(compile, "glCompileShader", "%u", (GLuint shader), shader)
LOGS(attach, "glAttachShader", "%u, %u", (GLuint program, GLuint shader), program, shader)
LOGS(link_program, "glLinkProgram", "%u", (GLuint program), program)
LOGS(use_program, "glUseProgram", "%u", (GLuint program), program)
LOGS(set_one, "glUniform1i", "%d, %d", (GLint location, GLint x), location, x)
LOGS(set_two, "glUniform2i", "%d, %d, %d", (GLint location, GLint x, GLint y), location, x, y)
LOGS(dispatch, "glDispatchCompute", "%u, %u, %u", (GLuint x, GLuint y, GLuint z), x, y, z)
LOGS(bind_range, "glBindBufferRange", "0x%x, %u, %u, %d, %d",
     (GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size), target, index, buffer,
     (int)offset, (int)size)
LOGS(bind_base, "glBindBufferBase", "0x%x, %u, %u", (GLenum target, GLuint index, GLuint buffer), target,
     index, buffer)

static void buffer_data(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    assert_null(data);
    state_driver_log("glBufferData(0x%x, %d, 0x%x)", target, (int)size, usage);
}

/* --- draws of textures ---------------------------------------------------------------------------------- */

LOGS(bind_sampler, "glBindSampler", "%u, %u", (GLuint unit, GLuint sampler), unit, sampler)
LOGS(set_sampler, "glSamplerParameteri", "%u, 0x%x, 0x%x", (GLuint sampler, GLenum pname, GLint value),
     sampler, pname, value)
LOGS(set_texture, "glTexParameteri", "0x%x, 0x%x, 0x%x", (GLenum target, GLenum pname, GLint value), target,
     pname, value)
LOGS(enable_attrib, "glEnableVertexAttribArray", "%u", (GLuint index), index)
LOGS(set_viewport, "glViewport", "%d, %d, %d, %d", (GLint x, GLint y, GLsizei width, GLsizei height), x, y,
     width, height)
LOGS(draw_arrays, "glDrawArrays", "0x%x, %d, %d", (GLenum mode, GLint first, GLsizei count), mode, first,
     count)

static void attrib_pointer(GLuint index, GLint size, GLenum type, GLboolean is_normalised, GLsizei stride,
                           const void *pointer)
{
    assert_true(pointer != NULL && !is_normalised);
    state_driver_log("glVertexAttribPointer(%u, %d, 0x%x, %d)", index, size, type, stride);
}

void *state_driver_call(const char *name)
{
    static const struct state_function functions[] = {
        {"glActiveTexture", (void (*)(void))select_unit},
        {"glAttachShader", (void (*)(void))attach},
        {"glBindBuffer", (void (*)(void))bind_buffer},
        {"glBindBufferBase", (void (*)(void))bind_base},
        {"glBindBufferRange", (void (*)(void))bind_range},
        {"glBindFramebuffer", (void (*)(void))bind_framebuffer},
        {"glBindRenderbuffer", (void (*)(void))bind_renderbuffer},
        {"glBindSampler", (void (*)(void))bind_sampler},
        {"glBindTexture", (void (*)(void))bind_texture},
        {"glBlitFramebuffer", (void (*)(void))blit},
        {"glBufferData", (void (*)(void))buffer_data},
        {"glCheckFramebufferStatus", (void (*)(void))check_framebuffer},
        {"glCompileShader", (void (*)(void))compile},
        {"glCreateProgram", (void (*)(void))make_program},
        {"glCreateShader", (void (*)(void))make_shader},
        {"glDeleteBuffers", (void (*)(void))delete_buffers},
        {"glDeleteFramebuffers", (void (*)(void))delete_framebuffers},
        {"glDeleteProgram", (void (*)(void))delete_program},
        {"glDeleteRenderbuffers", (void (*)(void))delete_renderbuffers},
        {"glDeleteSamplers", (void (*)(void))delete_samplers},
        {"glDeleteShader", (void (*)(void))delete_shader},
        {"glDisable", (void (*)(void))disable},
        {"glDispatchCompute", (void (*)(void))dispatch},
        {"glDrawArrays", (void (*)(void))draw_arrays},
        {"glDrawBuffer", (void (*)(void))draw_buffer},
        {"glEnable", (void (*)(void))enable},
        {"glEnableVertexAttribArray", (void (*)(void))enable_attrib},
        {"glFinish", (void (*)(void))finish},
        {"glFramebufferRenderbuffer", (void (*)(void))attach_renderbuffer},
        {"glFramebufferTexture2D", (void (*)(void))attach_texture},
        {"glFramebufferTextureLayer", (void (*)(void))attach_layer},
        {"glGenBuffers", (void (*)(void))make_buffers},
        {"glGenFramebuffers", (void (*)(void))make_framebuffers},
        {"glGenRenderbuffers", (void (*)(void))make_renderbuffers},
        {"glGenSamplers", (void (*)(void))make_samplers},
        {"glGetBufferParameteriv", (void (*)(void))get_buffer},
        {"glGetBufferSubData", (void (*)(void))read_buffer},
        {"glGetRenderbufferParameteriv", (void (*)(void))get_renderbuffer},
        {"glGetTexImage", (void (*)(void))get_image},
        {"glIsBuffer", (void (*)(void))is_there},
        {"glIsRenderbuffer", (void (*)(void))is_there},
        {"glIsTexture", (void (*)(void))is_texture},
        {"glLinkProgram", (void (*)(void))link_program},
        {"glMapBufferRange", (void (*)(void))map_buffer},
        {"glMemoryBarrier", (void (*)(void))barrier},
        {"glPixelStorei", (void (*)(void))pixel_store},
        {"glReadBuffer", (void (*)(void))select_buffer},
        {"glReadPixels", (void (*)(void))read_pixels},
        {"glRenderbufferStorage", (void (*)(void))storage},
        {"glSamplerParameteri", (void (*)(void))set_sampler},
        {"glShaderSource", (void (*)(void))set_source},
        {"glTexParameteri", (void (*)(void))set_texture},
        {"glTexSubImage2D", (void (*)(void))update_2d},
        {"glTexSubImage3D", (void (*)(void))update_3d},
        {"glUniform1i", (void (*)(void))set_one},
        {"glUniform2i", (void (*)(void))set_two},
        {"glUnmapBuffer", (void (*)(void))unmap_buffer},
        {"glUseProgram", (void (*)(void))use_program},
        {"glVertexAttribPointer", (void (*)(void))attrib_pointer},
        {"glViewport", (void (*)(void))set_viewport},
    };
    return state_driver_find(functions, sizeof functions / sizeof *functions, name);
}
