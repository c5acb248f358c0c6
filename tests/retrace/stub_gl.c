/* SPDX-License-Identifier: MIT */
#include "stub_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
const char *stub_gl_text_of(const void *memory, size_t size)
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
    in_begin = mode <= GL_PATCHES;
}

static void vertex(GLfloat x, GLfloat y)
{
    stub_gl_log("glVertex2f(%g, %g)", (double)x, (double)y);
}

static void end(void)
{
    in_begin = false;
    if (stub_gl.draw_error != GL_NO_ERROR)
        stub_gl.error = stub_gl.draw_error;
}

/* Queries between glBegin() and glEnd() are errors themselves. */
static void note_question(void)
{
    if (in_begin)
        stub_gl_log("a question between glBegin() and glEnd()");
}

static bool questions_fail;

/* An error stays until the program asks for it. */
void stub_gl_question(void)
{
    note_question();
    if (questions_fail && stub_gl.error == GL_NO_ERROR)
        stub_gl.error = stub_gl.question_error;
}

/* It has an error unless its argument is right. */
static void shade(GLenum model)
{
    questions_fail = true;
    if (model != GL_SMOOTH)
        stub_gl.error = GL_INVALID_OPERATION;
}

static GLenum get_error(void)
{
    note_question();
    GLenum error = stub_gl.is_lost ? GL_CONTEXT_LOST : stub_gl.error;
    bool is_first = questions_fail && error != GL_NO_ERROR && error != GL_INVALID_VALUE;
    stub_gl.error = is_first ? GL_INVALID_VALUE : GL_NO_ERROR; /* drivers may have several errors at a time */
    return error;
}

static void get_integers(GLenum pname, GLint *values)
{
    stub_gl_question();
    if (stub_gl.unknown_pname != 0 && pname == stub_gl.unknown_pname)
        stub_gl.error = GL_INVALID_ENUM;
    else if (pname == GL_CURRENT_PROGRAM)
        values[0] = stub_gl.integers[pname], stub_gl.program_questions++;
    else if (pname == GL_VIEWPORT)
        memcpy(values, stub_gl.viewport, sizeof stub_gl.viewport);
    else if (pname == GL_SCISSOR_BOX)
        memcpy(values, stub_gl.scissor, sizeof stub_gl.scissor);
    else if (pname == GL_COLOR_WRITEMASK)
        for (int i = 0; i < 4; ++i)
            values[i] = stub_gl.integers[pname] >> i & 1;
    else
        values[0] = stub_gl.integers[pname];
}

static const GLubyte *get_string(GLenum name)
{
    if (name == GL_EXTENSIONS)
        return (const GLubyte *)stub_gl.extensions;
    return (const GLubyte *)stub_gl.version;
}

static void finish(void)
{
    if (stub_gl.logs_finishes)
        stub_gl_log("glFinish()");
}

static void flush(void)
{
    if (stub_gl.logs_flushes)
        stub_gl_log("glFlush()");
}

static void pixel_store(GLenum pname, GLint value)
{
    stub_gl.integers[pname] = value;
    stub_gl_log("glPixelStorei(0x%x, %d)", pname, value);
}

static void get_floats(GLenum pname, GLfloat *values)
{
    values[0] = (GLfloat)stub_gl.integers[pname] / 100;
    if (pname == GL_COLOR_CLEAR_VALUE)
        memcpy(values + 1, stub_gl.clear_colour + 1, 3 * sizeof *values);
    if (pname == 0)
        stub_gl.error = GL_INVALID_ENUM;
}

/* OpenGL ES has no such function, although a driver of both may return one. */
static void get_doubles(GLenum pname, GLdouble *values)
{
    assert_null(strstr(stub_gl.version, "OpenGL ES"));
    values[0] = pname == GL_DOUBLES_OF_NAN ? NAN : stub_gl.integers[pname];
}

static void get_indexed(GLenum pname, GLuint index, GLint *value)
{
    stub_gl_question();
    *value = stub_gl.integers[pname] + (GLint)index;
}

static void get_large_indexed(GLuint array, GLuint index, GLenum pname, GLint64 *value)
{
    (void)array;
    *value = stub_gl.integers[pname] + (GLint)index;
}

static GLint pushed_buffer;

static void push_client_attributes(GLbitfield mask)
{
    (void)mask;
    pushed_buffer = stub_gl.integers[GL_PIXEL_UNPACK_BUFFER_BINDING];
}

static void pop_client_attributes(void)
{
    stub_gl.integers[GL_PIXEL_UNPACK_BUFFER_BINDING] = pushed_buffer;
}

static void get_query(GLuint query, GLenum pname, GLuint *value)
{
    stub_gl_question();
    if (stub_gl.integers[GL_QUERY_BUFFER_BINDING] != 0) {
        stub_gl_log("glGetQueryObjectuiv(offset %zu)", (size_t)value);
        return;
    }
    assert_int_equal(query, NEW_NAME + 1);
    if (pname == GL_QUERY_RESULT_AVAILABLE)
        *value = ++stub_gl.query_polls >= 3;
    else if (stub_gl.query_error != GL_NO_ERROR)
        stub_gl.error = stub_gl.query_error;
    else
        *value = stub_gl.query_polls >= 3 ? stub_gl.query_result : 0;
}

static void begin_query(GLenum target, GLuint query)
{
    (void)target, (void)query;
}

static void begin_conditional_render(GLuint query, GLenum mode)
{
    stub_gl_question(); /* it may be the replayer's */
    stub_gl_log("glBeginConditionalRender(%u, 0x%x)", query, mode);
}

static void end_conditional_render(void)
{
    stub_gl_question();
    stub_gl_log("glEndConditionalRender()");
}

static void end_query(GLenum target)
{
    (void)target;
}

static void begin_indexed_query(GLenum target, GLuint index, GLuint query)
{
    (void)index;
    begin_query(target, query);
}

static void end_indexed_query(GLenum target, GLuint index)
{
    (void)index;
    end_query(target);
}

static void count_query(GLuint query, GLenum target)
{
    begin_query(target, query);
}

/* --- names ---------------------------------------------------------------------------------------------- */

static void make_names(GLsizei count, GLuint *names)
{
    for (GLsizei i = 0; i < count && !in_begin; ++i) /* where it fails */
        names[i] = ++stub_gl.last_name;
}

static GLuint make_name(void)
{
    return ++stub_gl.last_name;
}

static void viewport(GLint x, GLint y, GLsizei width, GLsizei height)
{
    stub_gl_log("glViewport(%d, %d, %d, %d)", x, y, width, height);
    memcpy(stub_gl.viewport, (GLint[4]){x, y, width, height}, sizeof stub_gl.viewport);
}

static void viewport_array(GLuint first, GLsizei count, const GLfloat *v)
{
    (void)first, (void)v;
    stub_gl_log("glViewportArrayv(%d)", count);
}

static void viewport_vector(GLuint index, const GLfloat *v)
{
    (void)v;
    stub_gl_log("glViewportIndexedfv(%u)", index);
}

static void viewport_of_index(GLuint index, GLfloat x, GLfloat y, GLfloat width, GLfloat height)
{
    (void)x, (void)y, (void)width, (void)height;
    stub_gl_log("glViewportIndexedf(%u)", index);
}

/* --- capabilities, fences ------------------------------------------------------------------------------- */

static GLboolean is_enabled(GLenum capability)
{
    stub_gl_question();
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

/* A fence is not signalled yet. */
static void get_fence(GLsync fence, GLenum pname, GLsizei count, GLsizei *length, GLint *values)
{
    bool is_status = pname == GL_SYNC_STATUS;
    if (fence == NULL || count < 1 || (!is_status && pname != GL_SYNC_CONDITION)) {
        stub_gl.error = fence == NULL ? GL_INVALID_VALUE : GL_INVALID_ENUM;
        return;
    }
    values[0] = is_status ? GL_UNSIGNALED : GL_SYNC_GPU_COMMANDS_COMPLETE;
    *length = 1;
}

static void delete_sync(GLsync sync)
{
    stub_gl_log("glDeleteSync(%s)", sync != NULL ? "a fence" : "NULL");
}

/* --- the table ------------------------------------------------------------------------------------------ */

void *stub_find(const struct stub_function *functions, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return *(void **)(uintptr_t)&functions[i].function;
    return NULL;
}

static void *find_state_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glBegin", (void (*)(void))begin},
        {"glBeginConditionalRender", (void (*)(void))begin_conditional_render},
        {"glBeginConditionalRenderNV", (void (*)(void))begin_conditional_render},
        {"glBeginQuery", (void (*)(void))begin_query},
        {"glEndConditionalRender", (void (*)(void))end_conditional_render},
        {"glBeginQueryIndexed", (void (*)(void))begin_indexed_query},
        {"glEndQueryIndexed", (void (*)(void))end_indexed_query},
        {"glShadeModel", (void (*)(void))shade},
        {"glQueryCounter", (void (*)(void))count_query},
        {"glClientWaitSync", (void (*)(void))wait_for_fence},
        {"glCreateProgram", (void (*)(void))make_name},
        {"glCreateShader", (void (*)(void))make_name},
        {"glDeleteSync", (void (*)(void))delete_sync},
        {"glDisable", (void (*)(void))disable},
        {"glEnable", (void (*)(void))enable},
        {"glEnd", (void (*)(void))end},
        {"glEndQuery", (void (*)(void))end_query},
        {"glFenceSync", (void (*)(void))make_fence},
        {"glFinish", (void (*)(void))finish},
        {"glFlush", (void (*)(void))flush},
        {"glGenBuffers", (void (*)(void))make_names},
        {"glGenFramebuffers", (void (*)(void))make_names},
        {"glGenProgramsARB", (void (*)(void))make_names},
        {"glGenProgramPipelines", (void (*)(void))make_names},
        {"glGenQueries", (void (*)(void))make_names},
        {"glGenRenderbuffers", (void (*)(void))make_names},
        {"glGenTextures", (void (*)(void))make_names},
        {"glGenVertexArrays", (void (*)(void))make_names},
        {"glGetDoublev", (void (*)(void))get_doubles},
        {"glGetError", (void (*)(void))get_error},
        {"glGetSynciv", (void (*)(void))get_fence},
        {"glGetFloatv", (void (*)(void))get_floats},
        {"glGetIntegeri_v", (void (*)(void))get_indexed},
        {"glGetIntegerv", (void (*)(void))get_integers},
        {"glGetVertexArrayIndexed64iv", (void (*)(void))get_large_indexed},
        {"glGetQueryObjectuiv", (void (*)(void))get_query},
        {"glGetString", (void (*)(void))get_string},
        {"glIsEnabled", (void (*)(void))is_enabled},
        {"glPixelStorei", (void (*)(void))pixel_store},
        {"glPopClientAttrib", (void (*)(void))pop_client_attributes},
        {"glPushClientAttrib", (void (*)(void))push_client_attributes},
        {"glPushClientAttribDefaultEXT", (void (*)(void))push_client_attributes},
        {"glVertex2f", (void (*)(void))vertex},
        {"glViewport", (void (*)(void))viewport},
        {"glViewportArrayv", (void (*)(void))viewport_array},
        {"glViewportIndexedf", (void (*)(void))viewport_of_index},
        {"glViewportIndexedfv", (void (*)(void))viewport_vector},
    };
    return STUB_FIND(functions, name);
}

/* A function of an extension of OpenGL ES 1 stands for the one without its suffix. */
static bool is_lacking(const char *name)
{
    const char *lacks = stub_gl.timers.lacks;
    size_t n = lacks != NULL ? strlen(lacks) : 0;
    return n > 0 && strncmp(name, lacks, n) == 0 && (name[n] == '\0' || strcmp(name + n, "OES") == 0);
}

void *stub_gl_function(const char *name)
{
    static void *(*const parts[])(const char *) = {
        find_state_function,    stub_answers_function, stub_arrays_function,
        stub_programs_function, stub_buffers_function, stub_pictures_function,
        stub_messages_function, stub_egl_function,     stub_lists_function};
    if (is_lacking(name))
        return NULL;
    void *found = stub_gl.timers.enabled ? stub_timers_function(name) : NULL;
    for (size_t i = 0; found == NULL && i < sizeof parts / sizeof *parts; ++i)
        found = parts[i](name);
    return found;
}

void stub_gl_reset(const char *version)
{
    for (unsigned i = 0; i < STUB_BUFFERS; ++i)
        free(stub_gl.mapped[i].memory);
    memset(&stub_gl, 0, sizeof stub_gl);
    in_begin = questions_fail = false;
    stub_gl.version = version;
    stub_gl.last_name = NEW_NAME;
    stub_gl.next_location = 11;
    stub_gl.integers[GL_PACK_ALIGNMENT] = stub_gl.integers[GL_UNPACK_ALIGNMENT] = 4;
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_BACK;
    stub_gl.format = GL_RGBA8;
    stub_gl.wait_result = GL_CONDITION_SATISFIED;
    stub_windows_reset();
    stub_timers_reset();
    stub_messages_reset();
    stub_egl_reset();
    stub_lists_reset();
}
