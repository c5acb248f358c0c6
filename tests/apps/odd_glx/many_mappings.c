/* SPDX-License-Identifier: MIT
 * A thousand small persistent mappings, then frames in which buffers are created, mapped, written, unmapped
 * and deleted.
 *
 * one byte in each small one, then in every tenth; then per frame: a plain mapping, a persistent one that is
 * unmapped, and one that is deleted
 * count: 60 memcpy\(.* n = 20000\)
 * count: 1280 memcpy\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 1000, SIZE = 4096, FRAMES = 60, LARGE = 262144 };
static const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

static char *map_new(GLuint buffer, GLsizeiptr size)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, size, NULL, flags);
    return glMapBufferRange(GL_ARRAY_BUFFER, 0, size, flags);
}

static void use_small_ones(void)
{
    static GLuint buffers[COUNT];
    static char *memory[COUNT];
    glGenBuffers(COUNT, buffers);
    for (int i = 0; i < COUNT; ++i)
        memory[i] = map_new(buffers[i], SIZE);
    for (int i = 0; i < COUNT; ++i)
        memory[i][i] = 1;
    glRecti(0, 0, 0, 0);
    for (int i = 0; i < COUNT; i += 10)
        memory[i][SIZE - 1] = 1;
    glRecti(0, 0, 0, 0);
    for (int i = 0; i < COUNT; i += 2) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        glUnmapBuffer(GL_ARRAY_BUFFER);
    }
    glDeleteBuffers(COUNT, buffers);
}

static void frame(void)
{
    GLuint buffers[3];
    glGenBuffers(3, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, 20000, NULL, GL_STREAM_DRAW);
    memset(glMapBufferRange(GL_ARRAY_BUFFER, 0, 20000, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT), 3,
           20000);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    for (int i = 1; i < 3; ++i) {
        char *memory = map_new(buffers[i], LARGE);
        memory[LARGE - 100] = 1;
        glRecti(0, 0, 0, 0);
    }
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glDeleteBuffers(3, buffers);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    if (strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_buffer_storage") == NULL) {
        fputs("no GL_ARB_buffer_storage\n", stderr);
        return APP_STATUS_NO_DISPLAY;
    }
    use_small_ones();
    for (int i = 0; i < FRAMES; ++i)
        frame();
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
