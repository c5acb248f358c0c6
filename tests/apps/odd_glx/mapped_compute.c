/* SPDX-License-Identifier: MIT
 * A mapped shader storage buffer that is first read by a compute dispatch, and other readers that are not
 * draws. Each write must be recorded directly before the call that reads it, and not before calls that read
 * nothing.
 *
 * count: 7 memcpy\(
 * before: memcpy\(.* glDispatchCompute\(
 * before: memcpy\(.* glCopyBufferSubData\(
 * before: memcpy\(.* glTexImage2D\(
 * before: memcpy\(.* glMemoryBarrier\(
 * before: memcpy\(.* glBegin\(
 * before: memcpy\(.* glCallList\(
 * before: memcpy\(.* glGetBufferSubData\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 1 << 20, NUMBERS = 64 };

static const char source[] = "#version 430\n"
                             "layout(local_size_x = 64) in;\n"
                             "layout(std430, binding = 0) buffer A { uint a[]; };\n"
                             "layout(std430, binding = 1) buffer B { uint b[]; };\n"
                             "void main() { uint i = gl_GlobalInvocationID.x; b[i] = a[i] * 2u + 1u; }\n";

static GLuint make_program(void)
{
    const char *text = source;
    GLuint program = glCreateProgram(), shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked ? program : 0;
}

static GLuint *map_new(GLenum target, GLuint index)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(target, index, buffer);
    glBufferStorage(target, SIZE, NULL, flags);
    GLuint *memory = glMapBufferRange(target, 0, SIZE, flags);
    if (memory != NULL)
        memset(memory, 0, SIZE);
    return memory;
}

/* Makes calls that read no buffer, and do not wait: after a wait, what the GPU has written is recorded
 * (gl_reused.c). */
static void read_nothing(struct app_glx *app)
{
    glFlush();
    glClear(GL_COLOR_BUFFER_BIT);
    glDeleteSync(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    glXSwapBuffers(app->display, app->window);
    glXWaitX();
}

static void print_results(void)
{
    GLuint results[NUMBERS], sum = 0;
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof results, results);
    for (int i = 0; i < NUMBERS; ++i)
        sum += results[i];
    printf("sum %u, error 0x%x\n", sum, glGetError());
}

static void read_otherwise(struct app_glx *app, GLuint *memory)
{
    memory[0] = 1;
    read_nothing(app);
    glBindBuffer(GL_COPY_READ_BUFFER, 1);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_SHADER_STORAGE_BUFFER, 0, 0, 4 * NUMBERS);
    memory[1] = 2;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    memory[2] = 3;
    read_nothing(app);
    glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    memory[3] = 4;
    glUseProgram(0);
    glBegin(GL_POINTS);
    glEnd();
    glNewList(1, GL_COMPILE);
    glEndList();
    memory[4] = 5;
    glCallList(1);
    memory[5] = 6;
    glBindBuffer(GL_COPY_READ_BUFFER, 1);
    GLuint seen;
    glGetBufferSubData(GL_COPY_READ_BUFFER, 20, 4, &seen);
    printf("saw %u\n", seen);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    GLuint program = make_program();
    GLuint *memory = map_new(GL_SHADER_STORAGE_BUFFER, 0);
    if (program == 0 || memory == NULL) {
        fputs("no compute shaders or buffer storage\n", stderr);
        return APP_STATUS_NO_DISPLAY;
    }
    GLuint results;
    glGenBuffers(1, &results);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, results);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 4 * NUMBERS, NULL, GL_DYNAMIC_COPY);
    glUseProgram(program);
    for (GLuint i = 0; i < NUMBERS; ++i)
        memory[i] = i * i;
    read_nothing(&app);
    glDispatchCompute(NUMBERS / 64, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    print_results();
    read_otherwise(&app, memory);
    print_results();
    read_nothing(&app);
    app_glx_close(&app);
    return 0;
}
