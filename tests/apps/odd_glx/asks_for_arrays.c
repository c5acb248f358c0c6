/* SPDX-License-Identifier: MIT
 * Queries whose result size must be queried first, and calls for which GL knows no size. In the trace, arrays
 * must be arrays, never addresses: apitrace's replayer aborts on an address in place of an array.
 *
 * expect: glGetMapfv\(target = GL_MAP1_VERTEX_3, query = GL_COEFF, v = \{0, 0, 0, 1, 1, 1, 2, 0, 0, 3, 3, 3\}\)
 * expect: glGetMapdv\(target = GL_MAP2_COLOR_4, query = GL_COEFF, v = \{1, 2, 3, 4, 9, 10, 11, 12, 5, 6, 7, 8, 13, 14, 15, 16\}\)
 * expect: glGetMapiv\(target = GL_MAP1_VERTEX_3, query = GL_ORDER, v = &4\)
 * expect: glGetMapiv\(target = 4660, query = GL_COEFF, v = &7\)
 * expect: glMap1f\(target = 4660, u1 = 0, u2 = 1, stride = 3, order = 4, points = &0\)
 * expect: glMap2f\(target = 4660, .* points = \{\}\)
 * expect: glGetMinmax\(target = GL_MINMAX, reset = GL_FALSE, format = GL_RGBA, type = GL_FLOAT, values = blob\(32\)\)
 * expect: glGetProgramStringARB\(.* string = "!!ARBvp1.0
 * count: 5 glGetError\(\) = GL_NO_ERROR
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

static void print_error(const char *what)
{
    printf("%s: 0x%x\n", what, glGetError());
}

static void ask_maps(void)
{
    static const GLfloat line[] = {0, 0, 0, 1, 1, 1, 2, 0, 0, 3, 3, 3};
    static const GLdouble patch[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    GLfloat floats[12];
    GLdouble doubles[16];
    GLint order;
    glMap1f(GL_MAP1_VERTEX_3, 0, 1, 3, 4, line);
    glMap2d(GL_MAP2_COLOR_4, 0, 1, 4, 2, 0, 1, 8, 2, patch);
    glGetMapfv(GL_MAP1_VERTEX_3, GL_COEFF, floats);
    glGetMapdv(GL_MAP2_COLOR_4, GL_COEFF, doubles);
    glGetMapiv(GL_MAP1_VERTEX_3, GL_ORDER, &order);
    printf("%d %g %g\n", order, floats[11], doubles[15]);
    print_error("maps");
}

static void make_unknown_maps(void)
{
    static const GLfloat points[12];
    GLint value = 7;
    glMap1f(0x1234, 0, 1, 3, 4, points);
    print_error("unknown map");
    glMap2f(0x1234, 0, 1, 3, 2, 0, 1, 6, 2, (const GLfloat *)16);
    print_error("far map");
    glGetMapiv(0x1234, GL_COEFF, &value);
    print_error("unknown map's points");
}

static void ask_images(void)
{
    GLfloat pixels[256] = {0};
    glGetMinmax(GL_MINMAX, GL_FALSE, GL_RGBA, GL_FLOAT, pixels);
    glGetHistogram(GL_HISTOGRAM, GL_FALSE, GL_RGBA, GL_FLOAT, pixels);
    glGetColorTable(GL_COLOR_TABLE, GL_RGBA, GL_FLOAT, pixels);
    glGetConvolutionFilter(GL_CONVOLUTION_1D, GL_RGBA, GL_FLOAT, pixels);
    glGetSeparableFilter(GL_SEPARABLE_2D, GL_RGBA, GL_FLOAT, pixels, pixels + 128, NULL);
    print_error("images"); /* few drivers support them */
    print_error("no more");
}

static void ask_program(void)
{
    static const char text[] = "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n";
    char answer[sizeof text] = "";
    GLuint program;
    glGenProgramsARB(1, &program);
    glBindProgramARB(GL_VERTEX_PROGRAM_ARB, program);
    glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof text - 1, text);
    glGetProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_STRING_ARB, answer);
    printf("%d\n", strcmp(text, answer));
    print_error("program");
    glDeleteProgramsARB(1, &program);
    print_error("deleted");
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 16, 16);
    print_error("begin");
    ask_maps();
    ask_program();
    make_unknown_maps();
    ask_images();
    app_glx_close(&app);
    return 0;
}
