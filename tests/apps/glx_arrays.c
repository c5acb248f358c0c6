/* SPDX-License-Identifier: MIT */
/* Vertex arrays in the program's own memory, in the ways that a tracer has to size by itself: separate arrays
 * with and without stride, indices of each type, interleaved arrays, a range hint, a display list,
 * glArrayElement, several draws with indices of their own, and data that changes between two draws; calls
 * that fail; and queries of formats. */
#define GL_GLEXT_PROTOTYPES 1
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

enum { WIDTH = 160, HEIGHT = 120, FRAMES = 2 };

struct vertex {
    GLfloat position[3];
    GLubyte color[4];
};

static struct vertex fan[] = {
    {{0.0f, 0.0f, 0.0f}, {255, 255, 255, 255}}, {{0.9f, 0.0f, 0.0f}, {255, 0, 0, 255}},
    {{0.0f, 0.9f, 0.0f}, {0, 255, 0, 255}},     {{-0.9f, 0.0f, 0.0f}, {0, 0, 255, 255}},
    {{0.0f, -0.9f, 0.0f}, {255, 255, 0, 255}},
};

static void draw_arrays(void)
{
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(3, GL_FLOAT, sizeof(struct vertex), fan[0].position);
    glColorPointer(4, GL_UNSIGNED_BYTE, sizeof(struct vertex), fan[0].color);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 3);
    fan[1].position[0] = 0.5f; /* the pointers stay, and the memory behind them changes */
    glDrawArrays(GL_TRIANGLE_FAN, 0, 5);
    glBegin(GL_LINES);
    glArrayElement(1);
    glArrayElement(3);
    glEnd();
    glDisableClientState(GL_COLOR_ARRAY);
}

static void draw_elements(void)
{
    static const GLfloat corners[] = {-1, -1, -0.5f, -1, -0.5f, -0.5f, -1, -0.5f, 99, 99};
    static const GLubyte bytes[] = {0, 1, 2};
    static const GLushort shorts[] = {2, 3, 0};
    static const GLuint ints[] = {3, 2, 1};
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glColor3f(0.0f, 1.0f, 1.0f);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, bytes);
    glColor3f(1.0f, 0.0f, 1.0f);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, shorts);
    glColor3f(1.0f, 1.0f, 0.0f);
    glDrawRangeElements(GL_LINE_LOOP, 1, 3, 3, GL_UNSIGNED_INT, ints);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* Indices in several places in memory, and at offsets in a buffer. */
static void draw_multiple(void)
{
    static const GLfloat corners[] = {0.5f, 0.5f, 0.75f, 0.5f, 0.75f, 0.75f, 1, 0.75f, 1, 1, 0.75f, 1};
    static const GLushort first[] = {0, 1, 2}, second[] = {2, 3, 4, 2, 4, 5};
    static const GLsizei counts[] = {3, 0, 6};
    static const GLushort in_buffer[] = {1, 2, 3, 0, 1, 5};
    const GLvoid *indices[] = {first, NULL, second};
    const GLvoid *offsets[] = {(const GLvoid *)sizeof(GLushort), NULL, NULL};
    GLuint buffer;
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glColor3f(0.5f, 1.0f, 0.5f);
    glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_SHORT, indices, 3);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof in_buffer, in_buffer, GL_STATIC_DRAW);
    glColor3f(0.5f, 0.5f, 1.0f);
    glMultiDrawElements(GL_LINE_LOOP, counts, GL_UNSIGNED_SHORT, offsets, 3);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
    glDisableClientState(GL_VERTEX_ARRAY);
}

static void draw_interleaved(void)
{
    static const GLfloat data[] = {
        1, 0.5f, 0, 0.5f, 0.5f, 0, 0, 0.5f, 1, 1, 0.5f, 0, 0.5f, 0, 1, 1, 1, 0,
    };
    glInterleavedArrays(GL_C3F_V3F, 0, data);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
}

/* The arrays are read when the list is compiled. They no longer exist when it is called. */
static GLuint compile_arrays(void)
{
    GLfloat corners[] = {-0.2f, -0.2f, 0.2f, -0.2f, 0.2f, 0.2f, -0.2f, 0.2f};
    GLuint list = glGenLists(1);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glNewList(list, GL_COMPILE);
    glColor3f(0.1f, 0.2f, 0.3f);
    glDrawArrays(GL_QUADS, 0, 4);
    glEndList();
    glDisableClientState(GL_VERTEX_ARRAY);
    return list;
}

/* Calls that set no array. The program sees their errors. */
static void make_errors(void)
{
    static const GLfloat corners[] = {0, 0, 0, 0, 0, 0};
    glVertexPointer(5, GL_FLOAT, 0, corners);
    if (glGetError() != GL_INVALID_VALUE)
        fprintf(stderr, "glVertexPointer: no error\n");
    glVertexPointer(2, GL_FLOAT, -4, corners);
    glInterleavedArrays(GL_FLOAT, 0, corners);
    if (glGetError() != GL_INVALID_VALUE)
        fprintf(stderr, "glVertexPointer: not the first error\n");
    if (glGetError() != GL_NO_ERROR && glGetError() != GL_NO_ERROR)
        fprintf(stderr, "too many errors\n");
    GLuint object;
    glGenVertexArrays(1, &object);
    glBindVertexArray(object);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    if (glGetError() != GL_INVALID_OPERATION)
        fprintf(stderr, "arrays in memory of a vertex array object: no error\n");
    glEnableClientState(GL_VERTEX_ARRAY); /* Mesa has taken it */
    glDrawArrays(GL_TRIANGLES, 0, 3);
    if (glGetError() != GL_NO_ERROR)
        fprintf(stderr, "a draw from a vertex array object: an error\n");
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &object);
}

/* Asks for the formats of arrays that no draw reads, of two texture units. */
static void ask_formats(void)
{
    static const GLfloat memory[8];
    GLint size = 0, type = 0, stride = 0, of_unit_1 = 0;
    glTexCoordPointer(3, GL_SHORT, 48, memory);
    glClientActiveTexture(GL_TEXTURE1);
    glTexCoordPointer(1, GL_DOUBLE, 56, memory);
    glNormalPointer(GL_BYTE, 24, memory);
    glGetIntegerv(GL_TEXTURE_COORD_ARRAY_SIZE, &of_unit_1);
    glClientActiveTexture(GL_TEXTURE0);
    glGetIntegerv(GL_TEXTURE_COORD_ARRAY_SIZE, &size);
    glGetIntegerv(GL_TEXTURE_COORD_ARRAY_TYPE, &type);
    glGetIntegerv(GL_NORMAL_ARRAY_STRIDE, &stride);
    if (size != 3 || of_unit_1 != 1 || type != GL_SHORT || stride != 24)
        fprintf(stderr, "the formats are %d, %d, %#x, %d\n", size, of_unit_1, (unsigned)type, stride);
}

/* Buffers and bindings change what an attribute reads, not the stride of its pointer. */
static void ask_strides_after_bindings(void)
{
    static const GLubyte memory[8];
    GLint of_pointer[4] = {0}, of_pointer_moved[4] = {0}, of_binding = 0; /* tracers read four */
    GLint binding[4] = {0}, offset[4] = {0};
    glVertexAttribPointer(3, 1, GL_UNSIGNED_BYTE, GL_TRUE, 255, memory);
    glBindVertexBuffer(3, 0, 5, 9);
    glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_ARRAY_STRIDE, of_pointer);
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, 5, memory);
    glVertexAttribBinding(3, 1);
    glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_ARRAY_STRIDE, of_pointer_moved);
    glGetIntegeri_v(GL_VERTEX_BINDING_STRIDE, 3, &of_binding);
    glEnableVertexAttribArray(3);
    glDrawArrays(GL_POINTS, 0, 1);
    glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_BINDING, binding);
    glVertexAttribBinding(3, 3);
    glVertexAttribFormat(3, 1, GL_UNSIGNED_BYTE, GL_TRUE, 2);
    glDrawArrays(GL_POINTS, 0, 1);
    glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_RELATIVE_OFFSET, offset);
    glDisableVertexAttribArray(3);
    if (binding[0] != 1 || offset[0] != 2)
        fprintf(stderr, "the binding is %d, the offset %d\n", binding[0], offset[0]);
    if (of_pointer[0] != 255 || of_pointer_moved[0] != 5 || of_binding != 5)
        fprintf(stderr, "the strides are %d, %d, %d\n", of_pointer[0], of_pointer_moved[0], of_binding);
}

/* Without lists, buffers are unbound and strides are what they were at first. */
static void ask_stride_without_lists(void)
{
    GLuint object;
    GLint stride = 0;
    glCreateVertexArrays(1, &object);
    glVertexArrayVertexBuffer(object, 0, 0, 0, 32);
    glVertexArrayVertexBuffers(object, 0, 1, NULL, NULL, NULL);
    glBindVertexArray(object);
    glGetIntegeri_v(GL_VERTEX_BINDING_STRIDE, 0, &stride);
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &object);
    if (stride != 16)
        fprintf(stderr, "the stride is %d\n", stride);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, WIDTH, HEIGHT);
    GLuint list = compile_arrays();
    for (int frame = 0; frame < FRAMES; frame++) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        fan[1].position[0] = 0.9f - 0.2f * (float)frame;
        draw_arrays();
        make_errors();
        ask_formats();
        ask_strides_after_bindings();
        ask_stride_without_lists();
        draw_elements();
        draw_multiple();
        draw_interleaved();
        glCallList(list);
        app_glx_present(&app, "glx_arrays", frame);
    }
    glDeleteLists(list, 1);
    app_glx_close(&app);
    return 0;
}
