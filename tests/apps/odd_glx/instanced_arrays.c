/* SPDX-License-Identifier: MIT
 * Client-side attributes that advance by instance, from a base instance on; drawn directly, with parameters
 * in client memory, and with parameters in a buffer. Integer and double attributes; primitive restart.
 *
 * count: 2 glVertexAttribPointer\(index = 1, .*pointer = blob\(12\)\) // fake
 * count: 3 glVertexAttribPointer\(index = 1, .*pointer = blob\(36\)\) // fake
 * expect: glVertexAttribIPointer\(index = 2, size = 1, type = GL_UNSIGNED_BYTE, stride = 0, pointer = blob\(
 * lacks: Pointer\(.*pointer = 0x
 * pictures: 64 64
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

enum { SIDE = 64 };

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1, 0, -0.5f};
static const GLfloat colors[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const GLubyte flags[] = {255, 64, 255, 255, 255};

static const char vertex_source[] =
    "#version 130\n"
    "in vec2 corner; in vec3 color; in uint bright; uniform vec2 place; out vec3 shade;\n"
    "void main() { gl_Position = vec4(corner * 0.2 + place, 0.0, 1.0);\n"
    "              shade = color * (float(bright) / 255.0); }\n";
static const char fragment_source[] = "#version 130\n"
                                      "in vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }\n";

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
    GLint linked;
    attach(program, GL_VERTEX_SHADER, vertex_source);
    attach(program, GL_FRAGMENT_SHADER, fragment_source);
    glBindAttribLocation(program, 0, "corner");
    glBindAttribLocation(program, 1, "color");
    glBindAttribLocation(program, 2, "bright");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        exit(APP_STATUS_NO_DISPLAY);
    glUseProgram(program);
    return glGetUniformLocation(program, "place");
}

static void set_color(GLuint divisor, int count)
{
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, guarded_end(colors, (size_t)count * 12));
    glVertexAttribDivisor(1, divisor);
}

static void draw_instances(GLint place)
{
    glUniform2f(place, -0.7f, -0.7f);
    set_color(1, 3);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 3);
    glUniform2f(place, 0, -0.7f);
    set_color(7, 1); /* one color for seven instances */
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 7);
    glUniform2f(place, 0.7f, -0.7f);
    set_color(4, 3);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, 3, 4, 2);
    glUniform2f(place, -0.7f, 0);
    set_color(1, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3); /* the first instance's color */
}

static void draw_indirectly(GLint place)
{
    static const GLubyte indices[] = {9, 9, 0, 1, 2};
    const GLuint arrays[] = {3, 1, 1, 2}, elements[] = {3, 1, 2, 0, 1};
    GLuint buffers[2];
    set_color(1, 3);
    glUniform2f(place, 0, 0);
    glDrawArraysIndirect(GL_TRIANGLES, guarded_end(arrays, sizeof arrays));
    glGenBuffers(2, buffers);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[0]);
    glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof elements, elements, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glUniform2f(place, 0.7f, 0);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_BYTE, NULL);
    glDeleteBuffers(2, buffers);
}

/* Restart indices are not vertices. The fixed index takes precedence. */
static void draw_strips(GLint place)
{
    static const GLushort shorts[] = {0, 1, 2, 1000, 1, 2, 3};
    static const GLubyte bytes[] = {0, 1, 2, 255, 1, 2, 3};
    glVertexAttribDivisor(1, 0);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 4, guarded_end(colors, 24));
    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(1000);
    glUniform2f(place, -0.7f, 0.7f);
    glDrawElements(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_SHORT, guarded_end(shorts, sizeof shorts));
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glUniform2f(place, 0, 0.7f);
    glDrawElements(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_BYTE, guarded_end(bytes, sizeof bytes));
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDisable(GL_PRIMITIVE_RESTART);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, SIDE, SIDE);
    GLint place = make_program();
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, guarded_end(corners, sizeof corners));
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_BYTE, 0, guarded_end(flags, sizeof flags));
    for (GLuint i = 0; i < 3; ++i)
        glEnableVertexAttribArray(i);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        if (frame == 1) {
            draw_instances(place);
            draw_indirectly(place);
            draw_strips(place);
        }
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
