/* SPDX-License-Identifier: MIT */
#include "stub_gl.h"

#include "call_script.h"
#include "objects/replay_context.h"
#include "check/replay_check.h"
#include "replay_loop.h"
#include "replay_profile.h"
#include "replayer.h"
#include "snapshot/snapshot.h"
#include "windows/window_system.h"

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

struct stub_gl stub_gl;

/* --- what was called ------------------------------------------------------------------------------------ */

void stub_gl_log(const char *format, ...)
{
    size_t length = strlen(stub_gl.log);
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(stub_gl.log + length, STUB_LOG - length, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, STUB_LOG - 2);
    strcpy(stub_gl.log + length, "\n");
}

/* Reads size bytes, and gives the first ones as text, with dots for zeros and _ for no
 * text. */
static const char *text_of(const void *memory, size_t size)
{
    static char text[60];
    const uint8_t *bytes = memory;
    unsigned sum = 0;
    size_t n = 0;
    if (memory == NULL)
        return "NULL";
    for (size_t i = 0; i < size; ++i)
        sum += bytes[i];
    text[n++] = '\'';
    for (size_t i = 0; i < size && n < 17; ++i)
        text[n++] = bytes[i] == 0 ? '.' : bytes[i] < ' ' || bytes[i] > '~' ? '_' : (char)bytes[i];
    snprintf(text + n, sizeof text - n, "' of %zu%s", size, sum == 0 && size > 0 ? ", zeros" : "");
    return text;
}

/* --- state ---------------------------------------------------------------------------------------------- */

static bool in_begin;

static void begin(GLenum mode)
{
    (void)mode;
    in_begin = true;
}

static void vertex(GLfloat x, GLfloat y)
{
    stub_gl_log("glVertex2f(%g, %g)", (double)x, (double)y);
}

static void end(void)
{
    in_begin = false;
    stub_gl.error = stub_gl.draw_error;
}

/* Queries between glBegin() and glEnd() are errors themselves. */
void stub_gl_question(void)
{
    if (in_begin)
        stub_gl_log("a question between glBegin() and glEnd()");
}

static GLenum get_error(void)
{
    stub_gl_question();
    GLenum error = stub_gl.error;
    stub_gl.error = GL_NO_ERROR;
    return error;
}

static void get_integers(GLenum pname, GLint *values)
{
    stub_gl_question();
    if (pname == GL_VIEWPORT)
        memcpy(values, stub_gl.viewport, sizeof stub_gl.viewport);
    else
        values[0] = stub_gl.integers[pname];
}

static const GLubyte *get_string(GLenum name)
{
    (void)name;
    return (const GLubyte *)stub_gl.version;
}

static void finish(void)
{
}

static void pixel_store(GLenum pname, GLint value)
{
    stub_gl.integers[pname] = value;
    stub_gl_log("glPixelStorei(0x%x, %d)", pname, value);
}

static void read_buffer(GLenum buffer)
{
    stub_gl.integers[GL_READ_BUFFER] = (GLint)buffer;
    stub_gl_log("glReadBuffer(0x%x)", buffer);
}

static void get_floats(GLenum pname, GLfloat *values)
{
    values[0] = (GLfloat)stub_gl.integers[pname] / 100;
}

static void get_query(GLuint query, GLenum pname, GLuint *value)
{
    assert_int_equal(query, NEW_NAME + 1);
    if (pname == GL_QUERY_RESULT_AVAILABLE)
        *value = ++stub_gl.query_polls >= 3;
    else
        *value = stub_gl.query_polls >= 3 ? stub_gl.query_result : 0;
}

static void begin_query(GLenum target, GLuint query)
{
    (void)target, (void)query;
}

static void end_query(GLenum target)
{
    (void)target;
}

/* --- names ---------------------------------------------------------------------------------------------- */

static void make_names(GLsizei count, GLuint *names)
{
    for (GLsizei i = 0; i < count; ++i)
        names[i] = ++stub_gl.last_name;
}

static GLuint make_name(void)
{
    return ++stub_gl.last_name;
}

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

static void delete_textures(GLsizei count, const GLuint *names)
{
    for (GLsizei i = 0; i < count; ++i)
        stub_gl_log("glDeleteTextures(%u)", names[i]);
}

#define LOGS_ONE_NAME(function, name)                                                                        \
    static void function(GLuint object)                                                                      \
    {                                                                                                        \
        stub_gl_log(#name "(%u)", object);                                                                   \
    }

LOGS_ONE_NAME(use_program, glUseProgram)
LOGS_ONE_NAME(delete_program, glDeleteProgram)
LOGS_ONE_NAME(bind_pipeline, glBindProgramPipeline)
LOGS_ONE_NAME(link_program, glLinkProgram)

static void active_program(GLuint pipeline, GLuint program)
{
    stub_gl_log("glActiveShaderProgram(%u, %u)", pipeline, program);
}

static GLint find_location(GLuint program, const char *name)
{
    stub_gl_log("location(%u, %s)", program, name);
    return stub_gl.next_location++;
}

static void block_binding(GLuint program, GLuint block, GLuint binding)
{
    stub_gl_log("glUniformBlockBinding(%u, %u, %u)", program, block, binding);
}

static void uniform_integer(GLint location, GLint value)
{
    stub_gl_log("glUniform1i(%d, %d)", location, value);
}

static void uniform_vectors(GLint location, GLsizei count, const GLfloat *values)
{
    stub_gl_log("glUniform4fv(%d, %d, %s)", location, count, text_of(values, 16 * (size_t)count));
}

static void shader_source(GLuint shader, GLsizei count, const char *const *strings, const GLint *lengths)
{
    for (GLsizei i = 0; i < count; ++i)
        stub_gl_log("glShaderSource(%u, %s)", shader,
                    text_of(strings[i],
                            lengths != NULL && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(strings[i])));
}

static GLenum texture_binding(GLenum target)
{
    return target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_BINDING_CUBE_MAP
           : target == GL_TEXTURE_3D     ? GL_TEXTURE_BINDING_3D
                                         : GL_TEXTURE_BINDING_2D;
}

static void bind_texture(GLenum target, GLuint name)
{
    if (stub_gl.texture_target != 0 && target != stub_gl.texture_target) {
        stub_gl.error = GL_INVALID_OPERATION;
        return;
    }
    stub_gl.integers[texture_binding(target)] = (GLint)name;
    stub_gl_log("glBindTexture(0x%x, %u)", target, name);
}

/* --- buffers -------------------------------------------------------------------------------------------- */

static GLenum binding_of(GLenum target)
{
    switch (target) {
    case GL_ARRAY_BUFFER:
        return GL_ARRAY_BUFFER_BINDING;
    case GL_ELEMENT_ARRAY_BUFFER:
        return GL_ELEMENT_ARRAY_BUFFER_BINDING;
    case GL_PIXEL_UNPACK_BUFFER:
        return GL_PIXEL_UNPACK_BUFFER_BINDING;
    case GL_PIXEL_PACK_BUFFER:
        return GL_PIXEL_PACK_BUFFER_BINDING;
    default:
        fail_msg("binding 0x%x", target);
        return 0;
    }
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
    stub_gl_log("glBufferData(0x%x, %s)", target, text_of(data, (size_t)size));
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
                text_of(stub_gl.mapped[buffer].memory, stub_gl.mapped[buffer].size));
    free(stub_gl.mapped[buffer].memory);
    stub_gl.mapped[buffer].memory = NULL;
    return GL_TRUE;
}

/* --- pixels and draws ----------------------------------------------------------------------------------- */

/* RGBA, rows without gaps. */
static void texture_image(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                          GLint border, GLenum format, GLenum type, const void *pixels)
{
    (void)target, (void)level, (void)internal, (void)border, (void)format, (void)type;
    if (stub_gl.integers[GL_PIXEL_UNPACK_BUFFER_BINDING] != 0)
        stub_gl_log("glTexImage2D(%d x %d, offset %zu)", width, height, (size_t)pixels);
    else
        stub_gl_log("glTexImage2D(%d x %d, %s)", width, height,
                    text_of(pixels, (size_t)width * (size_t)height * 4));
}

static void read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                        void *pixels)
{
    (void)x, (void)y, (void)format, (void)type;
    if (stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] != 0) {
        stub_gl_log("glReadPixels(%d x %d, offset %zu)", width, height, (size_t)pixels);
        return;
    }
    stub_gl_log("glReadPixels(%d x %d) of framebuffer %d, buffer 0x%x, alignment %d, row length %d, skips %d "
                "and %d",
                width, height, stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING],
                stub_gl.integers[GL_READ_BUFFER], stub_gl.integers[GL_PACK_ALIGNMENT],
                stub_gl.integers[GL_PACK_ROW_LENGTH], stub_gl.integers[GL_PACK_SKIP_ROWS],
                stub_gl.integers[GL_PACK_SKIP_PIXELS]);
    memset(pixels, stub_gl.pixel, (size_t)width * (size_t)height * 4);
}

static void draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    (void)mode, (void)type;
    if (stub_gl.integers[GL_ELEMENT_ARRAY_BUFFER_BINDING] != 0)
        stub_gl_log("glDrawElements(%d, offset %zu)", count, (size_t)indices);
    else
        stub_gl_log("glDrawElements(%d, %s)", count, text_of(indices, 2 * (size_t)count));
}

static void draw_arrays(GLenum mode, GLint first, GLsizei count)
{
    (void)mode;
    stub_gl_log("glDrawArrays(%d, %d)", first, count);
    stub_gl.error = stub_gl.draw_error;
}

static void viewport(GLint x, GLint y, GLsizei width, GLsizei height)
{
    stub_gl_log("glViewport(%d, %d, %d, %d)", x, y, width, height);
    memcpy(stub_gl.viewport, (GLint[4]){x, y, width, height}, sizeof stub_gl.viewport);
}

static void bind_framebuffer(GLenum target, GLuint framebuffer)
{
    stub_gl_log("glBindFramebuffer(0x%x, %u)", target, framebuffer);
    if (target != GL_READ_FRAMEBUFFER)
        stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = (GLint)framebuffer;
    if (target != GL_DRAW_FRAMEBUFFER)
        stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING] = (GLint)framebuffer;
}

/* A renderbuffer of 3 x 2, or level 9 of a texture of 5 x 4 there. */
static void get_attachment(GLenum target, GLenum attachment, GLenum pname, GLint *value)
{
    (void)target, (void)attachment;
    *value = pname != GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE ? 9
             : stub_gl.texture_target != 0                  ? GL_TEXTURE
                                                            : GL_RENDERBUFFER;
}

static void get_renderbuffer(GLenum target, GLenum pname, GLint *value)
{
    (void)target;
    *value = pname == GL_RENDERBUFFER_WIDTH     ? 3
             : pname == GL_RENDERBUFFER_HEIGHT  ? 2
             : pname == GL_RENDERBUFFER_SAMPLES ? stub_gl.samples
                                                : GL_RGBA8;
}

static void get_texture_level(GLenum target, GLint level, GLenum pname, GLint *value)
{
    bool face = target == GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    assert_int_equal(level, 9);
    assert_int_equal(face ? GL_TEXTURE_CUBE_MAP : target, stub_gl.texture_target);
    assert_int_equal(stub_gl.integers[texture_binding(stub_gl.texture_target)], 9);
    *value = pname == GL_TEXTURE_WIDTH     ? 5
             : pname == GL_TEXTURE_HEIGHT  ? 4
             : pname == GL_TEXTURE_SAMPLES ? stub_gl.samples
                                           : GL_RGBA8;
}

static void storage(GLenum target, GLenum format, GLsizei width, GLsizei height)
{
    (void)target;
    stub_gl_log("glRenderbufferStorage(%d, 0x%x, %d x %d)", stub_gl.integers[GL_RENDERBUFFER_BINDING], format,
                width, height);
}

static void attach(GLenum target, GLenum attachment, GLenum kind, GLuint name)
{
    (void)target, (void)kind;
    stub_gl_log("glFramebufferRenderbuffer(0x%x, %u)", attachment, name);
}

LOGS_ONE_NAME(delete_framebuffer, glDeleteFramebuffers)
LOGS_ONE_NAME(delete_renderbuffer, glDeleteRenderbuffers)

static void delete_framebuffers(GLsizei count, const GLuint *names)
{
    assert_int_equal(count, 1);
    delete_framebuffer(*names);
}

static void delete_renderbuffers(GLsizei count, const GLuint *names)
{
    assert_int_equal(count, 1);
    delete_renderbuffer(*names);
}

static GLboolean is_enabled(GLenum capability)
{
    return stub_gl.integers[capability] != 0;
}

static void enable(GLenum capability)
{
    stub_gl.integers[capability] = 1;
}

static void disable(GLenum capability)
{
    stub_gl.integers[capability] = 0;
}

static void bind_renderbuffer(GLenum target, GLuint name)
{
    (void)target;
    stub_gl.integers[GL_RENDERBUFFER_BINDING] = (GLint)name;
}

static void blit_framebuffer(GLint sx0, GLint sy0, GLint sx1, GLint sy1, GLint x0, GLint y0, GLint x1,
                             GLint y1, GLbitfield mask, GLenum filter)
{
    (void)sx0, (void)sy0, (void)sx1, (void)sy1, (void)mask, (void)filter;
    if (stub_gl.integers[GL_SCISSOR_TEST])
        stub_gl_log("(cut)");
    stub_gl_log("glBlitFramebuffer(%d, %d, %d, %d)", x0, y0, x1, y1);
}

/* --- fences --------------------------------------------------------------------------------------------- */

static GLsync make_fence(GLenum condition, GLbitfield flags)
{
    static int fence;
    (void)condition;
    (void)flags;
    return (GLsync)(void *)&fence;
}

static GLenum wait_for_fence(GLsync fence, GLbitfield flags, GLuint64 nanoseconds)
{
    stub_gl_log("glClientWaitSync(%s0x%x, %llu)", fence == NULL ? "NULL, " : "", flags,
                (unsigned long long)nanoseconds);
    if (fence == NULL)
        stub_gl.error = GL_INVALID_VALUE;
    return fence == NULL ? GL_WAIT_FAILED : stub_gl.wait_result;
}

/* --- what must not be called ---------------------------------------------------------------------------- */

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
    assert_int_equal(pname, GL_VERTEX_ATTRIB_ARRAY_ENABLED);
    *value = index == 1;
}

static void copy_texture(GLenum target, GLint level, GLenum format, GLint x, GLint y, GLsizei width,
                         GLsizei height, GLint border)
{
    (void)target, (void)level, (void)format, (void)x, (void)y, (void)border;
    stub_gl_log("glCopyTexImage2D(%d x %d)", width, height);
}

static void draw_buffer(GLenum buffer)
{
    stub_gl.integers[GL_DRAW_BUFFER] = (GLint)buffer;
    stub_gl_log("glDrawBuffer(0x%x)", buffer);
}

static void delete_sync(GLsync sync)
{
    stub_gl_log("glDeleteSync(%s)", sync != NULL ? "a fence" : "NULL");
}

/* Drivers have entry points even of extensions that they do not support. */
static void string_marker(GLsizei length, const void *string)
{
    (void)length, (void)string;
    stub_gl.error = GL_INVALID_OPERATION;
}

/* --- the table ------------------------------------------------------------------------------------------ */

void *stub_gl_function(const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"glActiveShaderProgram", (void (*)(void))active_program},
        {"glBegin", (void (*)(void))begin},
        {"glBindBuffer", (void (*)(void))bind_buffer},
        {"glBindFramebuffer", (void (*)(void))bind_framebuffer},
        {"glBindProgramPipeline", (void (*)(void))bind_pipeline},
        {"glBindRenderbuffer", (void (*)(void))bind_renderbuffer},
        {"glBindTexture", (void (*)(void))bind_texture},
        {"glBindVertexArray", (void (*)(void))bind_vertex_array},
        {"glBlitFramebuffer", (void (*)(void))blit_framebuffer},
        {"glBufferData", (void (*)(void))buffer_data},
        {"glClientWaitSync", (void (*)(void))wait_for_fence},
        {"glCreateProgram", (void (*)(void))make_name},
        {"glCreateShader", (void (*)(void))make_name},
        {"glDeleteBuffers", (void (*)(void))delete_buffers},
        {"glDeleteProgram", (void (*)(void))delete_program},
        {"glDeleteTextures", (void (*)(void))delete_textures},
        {"glDeleteFramebuffers", (void (*)(void))delete_framebuffers},
        {"glDeleteRenderbuffers", (void (*)(void))delete_renderbuffers},
        {"glDisable", (void (*)(void))disable},
        {"glEnable", (void (*)(void))enable},
        {"glFramebufferRenderbuffer", (void (*)(void))attach},
        {"glGenRenderbuffers", (void (*)(void))make_names},
        {"glGetTexLevelParameteriv", (void (*)(void))get_texture_level},
        {"glIsEnabled", (void (*)(void))is_enabled},
        {"glRenderbufferStorage", (void (*)(void))storage},
        {"glBeginQuery", (void (*)(void))begin_query},
        {"glEndQuery", (void (*)(void))end_query},
        {"glGenQueries", (void (*)(void))make_names},
        {"glGetFloatv", (void (*)(void))get_floats},
        {"glGetQueryObjectuiv", (void (*)(void))get_query},
        {"glArrayElement", (void (*)(void))array_element},
        {"glClientActiveTexture", (void (*)(void))client_active_texture},
        {"glVertexPointer", (void (*)(void))client_pointer},
        {"glVertexAttribPointer", (void (*)(void))attribute_pointer},
        {"glGetVertexAttribiv", (void (*)(void))get_attribute},
        {"glCopyTexImage2D", (void (*)(void))copy_texture},
        {"glDrawBuffer", (void (*)(void))draw_buffer},
        {"glDeleteSync", (void (*)(void))delete_sync},
        {"glStringMarkerGREMEDY", (void (*)(void))string_marker},
        {"glDrawArrays", (void (*)(void))draw_arrays},
        {"glDrawElements", (void (*)(void))draw_elements},
        {"glEnd", (void (*)(void))end},
        {"glFenceSync", (void (*)(void))make_fence},
        {"glFinish", (void (*)(void))finish},
        {"glFlush", (void (*)(void))finish},
        {"glGenBuffers", (void (*)(void))make_names},
        {"glImportMemoryFdEXT", (void (*)(void))import_memory},
        {"glImportSemaphoreFdEXT", (void (*)(void))import_semaphore},
        {"glGenFramebuffers", (void (*)(void))make_names},
        {"glGenProgramPipelines", (void (*)(void))make_names},
        {"glGenTextures", (void (*)(void))make_names},
        {"glGenVertexArrays", (void (*)(void))make_names},
        {"glGetError", (void (*)(void))get_error},
        {"glGetFramebufferAttachmentParameteriv", (void (*)(void))get_attachment},
        {"glGetIntegerv", (void (*)(void))get_integers},
        {"glGetRenderbufferParameteriv", (void (*)(void))get_renderbuffer},
        {"glGetString", (void (*)(void))get_string},
        {"glGetUniformBlockIndex", (void (*)(void))find_location},
        {"glGetUniformLocation", (void (*)(void))find_location},
        {"glLinkProgram", (void (*)(void))link_program},
        {"glMapBufferRange", (void (*)(void))map_buffer},
        {"glPixelStorei", (void (*)(void))pixel_store},
        {"glReadBuffer", (void (*)(void))read_buffer},
        {"glReadPixels", (void (*)(void))read_pixels},
        {"glShaderSource", (void (*)(void))shader_source},
        {"glTexImage2D", (void (*)(void))texture_image},
        {"glUniform1i", (void (*)(void))uniform_integer},
        {"glUniform4fv", (void (*)(void))uniform_vectors},
        {"glUniformBlockBinding", (void (*)(void))block_binding},
        {"glUnmapBuffer", (void (*)(void))unmap_buffer},
        {"glUseProgram", (void (*)(void))use_program},
        {"glVertex2f", (void (*)(void))vertex},
        {"glViewport", (void (*)(void))viewport},
    };
    void *timer = stub_gl.timers.enabled ? stub_timers_function(name) : NULL;
    if (timer != NULL)
        return timer;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return *(void **)(uintptr_t)&functions[i].function;
    return NULL;
}

void stub_gl_reset(const char *version)
{
    for (unsigned i = 0; i < STUB_BUFFERS; ++i)
        free(stub_gl.mapped[i].memory);
    memset(&stub_gl, 0, sizeof stub_gl);
    in_begin = false;
    stub_gl.version = version;
    stub_gl.last_name = NEW_NAME;
    stub_gl.next_location = 11;
    stub_gl.integers[GL_PACK_ALIGNMENT] = stub_gl.integers[GL_UNPACK_ALIGNMENT] = 4;
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_BACK;
    stub_gl.wait_result = GL_CONDITION_SATISFIED;
    stub_windows_reset();
    stub_timers_reset();
}

/* --- replays -------------------------------------------------------------------------------------------- */

static const char first_calls[] = "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
                                  "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                                  "glFlush\n";

static void write_calls(int fd, const char *text)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct trace_output *output;
    FILE *script = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(script);
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    call_script_encode(&e, script);
    assert_false(e.failed);
    assert_int_equal(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(output, stream.data, stream.len), 0);
    assert_int_equal(trace_output_close(output), 0);
    trace_encoder_fini(&e);
    buf_fini(&stream);
    fclose(script);
}

void stub_gl_write_chunks(int fd, const char *text, unsigned garbage)
{
    const uint8_t head[4] = {garbage > 4 ? (uint8_t)(garbage - 4) : 200, 0, 0, 0};
    uint8_t bytes[256];
    assert_in_range(garbage, 0, 256);
    memset(bytes, 0xff, sizeof bytes);
    memcpy(bytes, head, sizeof head);
    write_calls(fd, text);
    assert_true(lseek(fd, 0, SEEK_END) > 0);
    assert_int_equal(write(fd, bytes, garbage), garbage);
}

/* Replays the calls of reader; messages go to stub_gl.messages. */
static void replay(const struct replay_options *options, struct trace_reader *reader)
{
    struct replayer r;
    int terminal = dup(STDERR_FILENO), messages = memfd_create("messages", MFD_CLOEXEC);
    fflush(stderr);
    dup2(messages, STDERR_FILENO);
    assert_int_equal(replayer_init(&r, options, &stub_windows, reader), 0);
    stub_gl.rc = replay_profile_begin(&r);
    if (stub_gl.rc == 0)
        stub_gl.rc = replay_trace(&r);
    if (replay_profile_finish(&r) != 0 || snapshot_finish(&r) != 0)
        stub_gl.rc = -1;
    stub_gl.log_end = strlen(stub_gl.log);
    replayer_report_failures(&r);
    stub_gl.calls = r.calls;
    stub_gl.failures = r.failures;
    stub_gl.frames = r.frames;
    stub_gl.differing_calls = r.check.differing_calls;
    memcpy(stub_gl.answers, r.check.answers, sizeof stub_gl.answers);
    if (r.options->check)
        replay_check_summary(&r, stdout);
    replay_contexts_fini(&r);
    replayer_fini(&r);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    ssize_t n = pread(messages, stub_gl.messages, STUB_LOG - 1, 0);
    stub_gl.messages[n > 0 ? n : 0] = '\0';
    close(messages);
    close(terminal);
}

void stub_gl_replay_file(const struct replay_options *options, const char *path)
{
    static const struct replay_options none;
    struct trace_reader *reader;
    assert_int_equal(trace_reader_open(&reader, path), 0);
    replay(options != NULL ? options : &none, reader);
    trace_reader_close(reader);
}

void stub_gl_replay_all(const struct replay_options *options, const char *text)
{
    char path[40];
    int fd = memfd_create("calls.trace", MFD_CLOEXEC);
    write_calls(fd, text);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    stub_gl_replay_file(options, path);
    close(fd);
}

/* Removes the first calls' lines, and what is freed after the last call, from the log. */
static void trim_log(void)
{
    stub_gl.log[stub_gl.log_end] = '\0';
    char *first = strstr(stub_gl.log, "current: 1, 2, 2\n");
    assert_non_null(first);
    first += strlen("current: 1, 2, 2\n");
    memmove(stub_gl.log, first, strlen(first) + 1);
}

void stub_gl_replay(const struct replay_options *options, const char *text)
{
    char *all = malloc(sizeof first_calls + strlen(text));
    assert_non_null(all);
    strcpy(all, first_calls);
    strcat(all, text);
    stub_gl_replay_all(options, all);
    free(all);
    trim_log();
}

size_t stub_gl_replay_printing(const struct replay_options *options, const char *text)
{
    int terminal = dup(STDOUT_FILENO), printed = memfd_create("printed", MFD_CLOEXEC);
    fflush(stdout);
    dup2(printed, STDOUT_FILENO);
    stub_gl_replay(options, text);
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    off_t size = lseek(printed, 0, SEEK_END);
    ssize_t n = pread(printed, stub_gl.printed, STUB_LOG - 1, 0);
    stub_gl.printed[n > 0 ? n : 0] = '\0';
    close(printed);
    close(terminal);
    return (size_t)size;
}

/* --- expectations --------------------------------------------------------------------------------------- */

void stub_gl_expect(const char *log)
{
    if (strcmp(stub_gl.log, log) != 0)
        fail_msg("expected:\n%sthe driver was called with:\n%smessages:\n%s", log, stub_gl.log,
                 stub_gl.messages);
}

void stub_gl_expect_line(const char *line)
{
    size_t n = strlen(line);
    for (const char *at = stub_gl.log; (at = strstr(at, line)) != NULL; at += n)
        if ((at == stub_gl.log || at[-1] == '\n') && at[n] == '\n')
            return;
    fail_msg("there is no line '%s' in:\n%smessages:\n%s", line, stub_gl.log, stub_gl.messages);
}

void stub_gl_expect_no_line(const char *part)
{
    if (strstr(stub_gl.log, part) != NULL)
        fail_msg("'%s' is in:\n%s", part, stub_gl.log);
}

void stub_gl_expect_message(const char *part)
{
    if (strstr(stub_gl.messages, part) == NULL)
        fail_msg("'%s' is not in the messages:\n%s", part, stub_gl.messages);
}
