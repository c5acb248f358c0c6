/* SPDX-License-Identifier: MIT
 * Legal uses of OpenGL ES 3.1 that are seldom seen: programs of one stage each, in a pipeline whose programs
 * are deleted; draws whose commands another draw wrote; buffers that are given new memory while they are
 * mapped; a context that is used after the one it shares with has gone. Without a display server. Prints the
 * pixels' checksum and the error after each.
 */
#include "app_hash.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64 };

static EGLDisplay display;
static EGLConfig config;
static EGLSurface surface;

static const char vertex_source[] =
    "#version 310 es\nlayout(location = 0) in vec2 at; uniform float scale; out vec4 kept;\n"
    "void main() { kept = vec4(at, 0.25, 1.0); gl_Position = vec4(at * scale, 0.0, 1.0); }\n";
static const char fragment_source[] =
    "#version 310 es\nprecision highp float; in vec4 kept; uniform vec4 tint;\n"
    "layout(location = 0) out vec4 colour;\n"
    "void main() { colour = tint + 0.1 * kept; }\n";
static const char compute_source[] =
    "#version 310 es\nlayout(local_size_x = 1) in;\n"
    "layout(std430, binding = 0) buffer Command { uint words[4]; };\n"
    "void main() { words[0] = 4u; words[1] = 1u; words[2] = 0u; words[3] = 0u; }\n";
static const GLfloat square[] = {-0.5f, -0.5f, 0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f};

static void die(const char *what)
{
    fprintf(stderr, "es_odd_lives: %s failed\n", what);
    exit(99);
}

static EGLContext open_context(EGLContext share)
{
    const EGLint attribs[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    EGLContext context = eglCreateContext(display, config, share, attribs);
    if (context == EGL_NO_CONTEXT)
        die("eglCreateContext");
    return context;
}

static void open_display(void)
{
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES3_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, SIDE, EGL_HEIGHT, SIDE, EGL_NONE};
    EGLint count = 0;
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
        count == 0)
        die("eglInitialize");
    surface = eglCreatePbufferSurface(display, config, size);
}

static void clear(void)
{
    glClearColor(0.1f, 0.2f, 0.3f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void show(const char *what)
{
    static uint8_t pixels[SIDE * SIDE * 4];
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("%s: %016llx, error 0x%x\n", what, (unsigned long long)app_hash(pixels, sizeof pixels),
           glGetError());
}

static GLuint stage(GLenum type, const char *source)
{
    GLuint program = glCreateShaderProgramv(type, 1, &source);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        die("glCreateShaderProgramv");
    return program;
}

static void fill_square(GLuint *array, GLuint *buffer)
{
    glGenVertexArrays(1, array);
    glBindVertexArray(*array);
    glGenBuffers(1, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, square, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
}

static GLuint make_pipeline(void)
{
    GLuint pipeline, v = stage(GL_VERTEX_SHADER, vertex_source),
                     f = stage(GL_FRAGMENT_SHADER, fragment_source);
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, v);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, f);
    glBindProgramPipeline(pipeline);
    glProgramUniform1f(v, glGetUniformLocation(v, "scale"), 1.5f);
    glActiveShaderProgram(pipeline, f);
    glUniform4f(glGetUniformLocation(f, "tint"), 0.75f, 0.25f, 0.0f, 1.0f);
    glDeleteProgram(v); /* the pipeline keeps them */
    glDeleteProgram(f);
    return pipeline;
}

/* Nothing is read from the program's memory: a shader writes the command. */
static void draw_what_was_computed(void)
{
    GLuint command, compute = stage(GL_COMPUTE_SHADER, compute_source);
    glGenBuffers(1, &command);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, command);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 16, NULL, GL_DYNAMIC_COPY);
    glUseProgram(compute);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_COMMAND_BARRIER_BIT);
    glUseProgram(0);
    glDeleteProgram(compute);
    clear();
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, command);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
    glDeleteBuffers(1, &command);
    show("a command that was computed");
}

static void orphan(void)
{
    GLuint buffer;
    const GLbitfield again = GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_FLUSH_EXPLICIT_BIT;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, square, GL_STREAM_DRAW);
    memset(glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof square, GL_MAP_WRITE_BIT), 0, sizeof square);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, NULL, GL_STREAM_DRAW);
    GLfloat *mapped = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof square, again);
    for (unsigned i = 0; i < 8; ++i)
        mapped[i] = 0.5f * square[i];
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, sizeof square);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    clear();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    show("orphaned while mapped");
    glDeleteBuffers(1, &buffer);
}

/* Two strips, parted by the fixed index. */
static void restart(void)
{
    static const GLushort indices[] = {0, 1, 2, 0xFFFF, 1, 3, 2};
    GLuint elements;
    clear();
    glGenBuffers(1, &elements);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElements(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_SHORT, NULL);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    show("restart");
    glDeleteBuffers(1, &elements);
}

int main(void)
{
    GLuint array, buffer;
    open_display();
    EGLContext first = open_context(EGL_NO_CONTEXT);
    eglMakeCurrent(display, surface, surface, first);
    fill_square(&array, &buffer);
    GLuint pipeline = make_pipeline();
    clear();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    show("pipeline of deleted programs");
    draw_what_was_computed();
    restart();
    orphan();
    EGLContext second = open_context(first);
    GLuint program = stage(GL_FRAGMENT_SHADER, fragment_source);
    GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    glDeleteProgramPipelines(1, &pipeline); /* while it is bound */
    eglDestroyContext(display, first);      /* while it is current */
    eglMakeCurrent(display, surface, surface, second);
    glWaitSync(sync, 0, GL_TIMEOUT_IGNORED);
    glDeleteSync(sync);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    pipeline = make_pipeline();
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, program);
    glProgramUniform4f(program, glGetUniformLocation(program, "tint"), 0.0f, 0.5f, 1.0f, 1.0f);
    clear();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    show("objects of a context that has gone");
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, second);
    eglTerminate(display);
    return 0;
}
