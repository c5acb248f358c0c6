/* SPDX-License-Identifier: MIT
 * OpenGL ES: client-side vertex arrays with indices in a buffer, which ES can only read back by mapping it;
 * indices beyond the end of the buffer; a mapped buffer.
 *
 * arguments: 2
 * arguments: 3
 * expect: glVertexAttribPointer\(index = 0, size = 2, type = GL_FLOAT, normalized = GL_FALSE, stride = 0, pointer = blob\(24\)\) // fake
 * expect: glVertexAttribPointer\(index = 0, size = 2, type = GL_FLOAT, normalized = GL_FALSE, stride = 8, pointer = blob\(32\)\) // fake
 * lacks: glVertexAttribPointer\(.*pointer = 0x
 * lacks: glMapBufferRange\(.*GL_MAP_READ_BIT
 * pictures: 32 32
 */
#include "app_egl.h"
#include "guarded.h"

#include <GLES3/gl3.h>

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1, 0, -0.5f};

static void attach(GLuint program, GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

static GLint make_program(void)
{
    GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER,
           "attribute vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }");
    attach(program, GL_FRAGMENT_SHADER,
           "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }");
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    glUseProgram(program);
    return glGetUniformLocation(program, "color");
}

static void draw(GLint color, GLuint buffer)
{
    static const GLushort shorts[] = {9, 0, 1, 2};
    static const GLuint ints[] = {1, 2, 3};
    glUniform4f(color, 1, 0, 0, 1);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof shorts, shorts, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, guarded_end(corners, 24));
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, (const void *)2);
    glUniform4f(color, 0, 1, 0, 1);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof ints, ints, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, guarded_end(corners, 32));
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, NULL);
}

/* GL rejects draws from a mapped buffer. The program must not notice other mappings than its own. */
static void draw_mapped(void)
{
    void *memory = glMapBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, 12, GL_MAP_WRITE_BIT);
    memset(memory, 0, 12);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL);
    printf("error 0x%x\n", glGetError());
    printf("unmapped %d\n", glUnmapBuffer(GL_ELEMENT_ARRAY_BUFFER));
}

int main(int argc, char **argv)
{
    struct app_egl app;
    GLuint buffer;
    int version = argc > 1 ? atoi(argv[1]) : 2;
    app_egl_open(&app, version, 32, 32);
    GLint color = make_program();
    glGenBuffers(1, &buffer);
    glEnableVertexAttribArray(0);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        draw(color, buffer);
        app_egl_present(&app, "frame", frame);
    }
    if (version == 3)
        draw_mapped();
    return 0;
}
