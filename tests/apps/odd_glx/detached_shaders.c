/* SPDX-License-Identifier: MIT
 * A program whose shaders are detached and deleted once it is linked, and which is linked again with another
 * one.
 *
 * expect: glDetachShader\(program = 3, shader = 1\)$
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

static GLuint attach(GLuint program, GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    if (program != 0)
        glAttachShader(program, shader);
    return shader;
}

/* The vertex shader is the same for both. */
static void link_with(GLuint program, GLuint vertices, GLuint fragments)
{
    GLsizei count = -1;
    GLuint shaders[4];
    glAttachShader(program, vertices);
    glAttachShader(program, fragments);
    glLinkProgram(program);
    glDetachShader(program, vertices);
    glDetachShader(program, fragments);
    glDeleteShader(fragments);
    glUseProgram(program);
    glGetAttachedShaders(program, 4, &count, shaders);
    if (count != 0)
        printf("%d shaders\n", count);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    GLuint vertices = attach(0, GL_VERTEX_SHADER, "void main() { gl_Position = gl_Vertex; } // both");
    GLuint fragments = attach(0, GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(1.0); } // first");
    GLuint program = glCreateProgram();
    link_with(program, vertices, fragments);
    glRectf(-1, -1, 0, 0);
    fragments = attach(0, GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0.5); } // second");
    link_with(program, vertices, fragments);
    glRectf(0, 0, 1, 1);
    GLuint attached = attach(program, GL_FRAGMENT_SHADER, "void main() { } // not linked");
    glRectf(-1, 0, 0, 1);
    app_glx_present(&app, "frame", 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-0.5f, 0, 0.5f, 1);
    app_glx_present(&app, "frame", 1);
    glDeleteShader(attached);
    glDeleteShader(vertices);
    glDeleteProgram(program);
    app_glx_close(&app);
    return 0;
}
