/* SPDX-License-Identifier: MIT
 * Arrays get their format by a call with an address, and later their data by glBindVertexBuffer(), or from
 * another binding; then by an address again, or from memory by an address that was given before, with the
 * stride of the binding.
 *
 * expect: glVertexAttribPointer\(index = 3, size = 2, type = GL_SHORT, .*pointer = NULL\) // fake
 * expect: glVertexAttribPointer\(index = 3, size = 2, type = GL_SHORT, .*pointer = blob\(12\)\) // fake
 * expect: glVertexAttribPointer\(index = 3, size = 2, type = GL_SHORT, .*pointer = blob\(8\)\) // fake
 * expect: glBindVertexBuffer\(bindingindex = 3, buffer = 0, offset = 0, stride = 8\) // fake
 * expect: glBindVertexBuffer\(bindingindex = 3, buffer = 0, offset = 0, stride = 0\) // fake
 * expect: glVertexAttribPointer\(index = 3, size = 4, type = GL_SHORT, .*pointer = blob\(24\)\) // fake
 * expect: glBindVertexBuffer\(bindingindex = 3, buffer = 0, offset = 0, stride = 4\) // fake
 * lacks: Pointer\(.*pointer = 0x
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

static const GLshort corners[] = {-1, -1, 1, -1, 0, 1}, other[] = {-1, 1, 1, 1, 0, 0};

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
           "attribute vec2 corner; attribute float lift;\n"
           "void main() { gl_Position = vec4(corner.x, corner.y + 0.5 * lift, 0.0, 1.0); }");
    attach(program, GL_FRAGMENT_SHADER, "uniform vec4 color; void main() { gl_FragColor = color; }");
    glBindAttribLocation(program, 3, "corner");
    glBindAttribLocation(program, 4, "lift");
    glLinkProgram(program);
    glUseProgram(program);
    return glGetUniformLocation(program, "color");
}

/* After a draw from the buffer of another binding, without a new pointer. */
static void draw_from_memory_again(GLint color)
{
    static const GLshort points[] = {0, 0, 1, 0};
    glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, guarded_end(points, sizeof points));
    glVertexAttribBinding(3, 5);
    glDrawArrays(GL_LINES, 0, 2);
    glVertexAttribBinding(3, 3);
    glUniform4f(color, 1, 1, 0, 1);
    glDrawArrays(GL_LINES, 0, 2);
}

/* The elements are further apart than the pointer's call said, or all the same, or of another format. */
static void draw_with_strides(GLint color)
{
    static const GLshort spaced[] = {-1, 0, 99, 99, 0, -1, 99, 99, 1, 0};
    static const GLshort same[] = {1, 0}, wide[] = {0, -1, 0, 1, 0, 0, 99, 99, 1, 1, 0, 1};
    glUniform4f(color, 1, 0, 1, 1);
    glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, guarded_end(spaced, sizeof spaced));
    glBindVertexBuffer(3, 0, 0, 8);
    glDrawArrays(GL_LINE_STRIP, 0, 3);
    glUniform4f(color, 1, 1, 1, 1);
    glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, guarded_end(same, sizeof same));
    glBindVertexBuffer(3, 0, 0, 0);
    glDrawArrays(GL_POINTS, 0, 5);
    glUniform4f(color, 0, 1, 1, 1);
    glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, guarded_end(wide, sizeof wide));
    glVertexAttribFormat(3, 4, GL_SHORT, GL_FALSE, 0);
    glDrawArrays(GL_LINE_STRIP, 0, 5);
}

/* The memory is read by a binding that has another number, stride and divisor than the attribute; the one
 * with its number is used by another attribute. */
static void draw_beside(GLint color, GLuint buffer)
{
    static const GLshort apart[] = {1, 99, 99, 99, 0, 99, 99, 99, -1};
    glUniform4f(color, 1, 0.5f, 0, 1);
    glVertexAttribPointer(4, 1, GL_SHORT, GL_FALSE, 0, guarded_end(apart, sizeof apart));
    glVertexAttribDivisor(4, 2);
    glVertexAttribBinding(4, 6);
    glBindVertexBuffer(6, 0, 0, 8);
    glVertexAttribFormat(3, 2, GL_SHORT, GL_FALSE, 0);
    glVertexAttribBinding(3, 4);
    glVertexBindingDivisor(4, 0);
    glBindVertexBuffer(4, buffer, 0, 4);
    glEnableVertexAttribArray(4);
    glDrawArrays(GL_LINE_LOOP, 0, 3);
    glDisableVertexAttribArray(4);
}

static void draw(GLint color, GLuint buffer)
{
    glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, guarded_gone());
    glBindVertexBuffer(3, buffer, 0, 4);
    glUniform4f(color, 1, 0, 0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUniform4f(color, 0, 1, 0, 1);
    glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, guarded_end(other, sizeof other));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glVertexAttribPointer(3, 2, GL_SHORT, GL_FALSE, 0, guarded_gone());
    glBindVertexBuffer(5, buffer, 4, 4);
    glVertexAttribBinding(3, 5);
    glUniform4f(color, 0, 0, 1, 1);
    glDrawArrays(GL_LINES, 0, 2);
    glVertexAttribBinding(3, 3);
    draw_from_memory_again(color);
    draw_with_strides(color);
    draw_beside(color, buffer);
}

int main(void)
{
    struct app_glx app;
    GLuint buffer;
    app_glx_open(&app, 32, 32);
    GLint color = make_program();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glEnableVertexAttribArray(3);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        draw(color, buffer);
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
