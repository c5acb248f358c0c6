/* SPDX-License-Identifier: MIT
 * Deletes persistently mapped buffers, and maps others at the same addresses. OpenGL ES does not have
 * glGetNamedBufferPointerv(), by which apitrace's replay finds out that a mapping has ended.
 *
 * before: glUnmapBuffer\(target = GL_ARRAY_BUFFER\) = GL_FALSE // fake [0-9]+ glBindBuffer\(.* // fake
 * count: 8 glUnmapBuffer\(.* // fake
 * count: 8 glDeleteBuffers\(
 * pictures: 32 32
 */
#include "app_egl.h"

#include <GLES2/gl2ext.h>
#include <string.h>

enum { ROUNDS = 8, STEP = 96 << 10, AT = 600 << 10 };

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1};

static GLuint make_program(void)
{
    static const char *const sources[] = {
        "attribute vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }",
        "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }"};
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    return program;
}

int main(void)
{
    struct app_egl app;
    app_egl_open(&app, 3, 32, 32);
    const char *extensions = (const char *)glGetString(GL_EXTENSIONS);
    if (extensions == NULL || strstr(extensions, "GL_EXT_buffer_storage") == NULL)
        app_egl_fail("no GL_EXT_buffer_storage");
    PFNGLBUFFERSTORAGEEXTPROC storage = (PFNGLBUFFERSTORAGEEXTPROC)app_egl_function("glBufferStorageEXT");
    PFNGLMAPBUFFERRANGEEXTPROC map = (PFNGLMAPBUFFERRANGEEXTPROC)app_egl_function("glMapBufferRange");
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    GLuint program = make_program();
    glUseProgram(program);
    glEnableVertexAttribArray(0);
    for (int i = 0; i < ROUNDS; ++i) {
        GLsizeiptr size = (1 << 20) + i * STEP;
        GLuint buffer;
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        storage(GL_ARRAY_BUFFER, size, NULL, flags);
        char *memory = map(GL_ARRAY_BUFFER, 0, size, flags);
        if (memory == NULL)
            app_egl_fail("cannot map");
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, (void *)(uintptr_t)AT);
        glUniform4f(glGetUniformLocation(program, "color"), (float)i / ROUNDS, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        memcpy(memory + AT, corners, sizeof corners);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        app_egl_present(&app, "frame", i);
        glDeleteBuffers(1, &buffer);
    }
    return 0;
}
