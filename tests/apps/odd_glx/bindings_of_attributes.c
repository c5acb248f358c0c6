/* SPDX-License-Identifier: MIT
 * Attributes that were client-side arrays get formats with relative offsets and share bindings, in any order.
 * Neither the formats nor the bindings of others may be lost.
 *
 * expect: glVertexAttribFormat\(attribindex = 3, .*relativeoffset = 4\) // fake
 * expect: glVertexAttribBinding\(attribindex = 3, bindingindex = 5\) // fake
 * expect: glVertexAttribIFormat\(attribindex = 4, .*relativeoffset = 8\) // fake
 * lacks: Pointer\(.*NULL\) // fake
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

static void attach(GLuint program, GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

static void use_program(void)
{
    GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER,
           "#version 130\nin vec2 corner; in int shade; flat out float grey;"
           "void main() { gl_Position = vec4(corner, 0.0, 1.0); grey = float(shade) / 4.0; }");
    attach(program, GL_FRAGMENT_SHADER,
           "#version 130\nflat in float grey; void main() { gl_FragColor = vec4(grey, 1.0, grey, 1.0); }");
    glBindAttribLocation(program, 3, "corner");
    glBindAttribLocation(program, 4, "shade");
    glLinkProgram(program);
    glUseProgram(program);
}

/* {unused, corner, shade} */
static const GLint vertices[][3] = {
    {0x55555555, (int)0xffffffff, 1}, {0x55555555, (int)0xffff0001, 2}, {0x55555555, 0x00010000, 3}};

int main(void)
{
    struct app_glx app;
    GLuint buffer;
    app_glx_open(&app, 32, 32);
    if (strcmp((const char *)glGetString(GL_VERSION), "4.3") < 0) {
        fprintf(stderr, "no OpenGL 4.3\n");
        return 99;
    }
    use_program();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glBufferData(GL_COPY_READ_BUFFER, sizeof vertices, vertices, GL_STATIC_DRAW);
    glEnableVertexAttribArray(3);
    glEnableVertexAttribArray(4);
    for (int frame = 0; frame < 2; ++frame) {
        void *gone = guarded_gone();
        glClear(GL_COLOR_BUFFER_BIT);
        glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, gone);
        glVertexAttribIPointer(4, 1, GL_UNSIGNED_BYTE, 0, gone);
        glVertexAttribFormat(3, 2, GL_SHORT, GL_FALSE, 4);
        glVertexAttribIFormat(4, 1, GL_INT, 8);
        glVertexAttribBinding(3, 5);
        if (frame == 0) {
            glVertexAttribBinding(4, 5);
            glBindVertexBuffer(5, buffer, 0, sizeof vertices[0]);
        } else {
            glBindVertexBuffer(5, buffer, 0, sizeof vertices[0]);
            glVertexAttribBinding(4, 5);
        }
        glDrawArrays(GL_TRIANGLES, 0, 3);
        app_glx_present(&app, "frame", frame);
        glBindVertexBuffer(5, 0, 0, 0);
    }
    app_glx_close(&app);
    return 0;
}
