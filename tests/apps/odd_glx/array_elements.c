/* SPDX-License-Identifier: MIT
 * glArrayElement() with arrays in memory of each type, in and out of glBegin(), in a display list, with some
 * arrays in a buffer, and with generic attributes.
 *
 * expect: glTexCoord2sv\(v = \{3, 4\}\) // fake
 * expect: glMultiTexCoord3fv\(target = GL_TEXTURE1, v = \{1, 2, 3\}\) // fake
 * expect: glNormal3bv\(v = \{127, 0, -128\}\) // fake
 * expect: glVertexAttrib4Nubv\(index = 3, v = \{1, 2, 3, 255\}\) // fake
 * expect: glVertexAttrib3fv\(index = 4, v = \{1, -0.5, 65504\}\) // fake
 * expect: glVertexAttribI2iv\(index = 5, v = \{-1, 70000\}\) // fake
 * expect: glVertexAttribI4ubv\(index = 6, v = \{7, 8, 0, 1\}\) // fake
 * lacks: Pointer\(.*pointer = 0x[0-9a-f]{3}
 * pictures: 48 48
 * (No halves and packed colors are drawn: Mesa's glArrayElement() does not know them.)
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

enum { SIDE = 48 };

/* Each case has a triangle in its own place. */
static void place(int i)
{
    glLoadIdentity();
    glTranslatef(-0.8f + 0.4f * (float)(i % 5), -0.8f + 0.4f * (float)(i / 5), 0);
    glScalef(0.18f, 0.18f, 1);
}

static void draw_three(void)
{
    glBegin(GL_TRIANGLES);
    glArrayElement(0);
    glArrayElement(1);
    glArrayElement(2);
    glEnd();
}

static void draw_vertex_types(void)
{
    static const GLshort shorts[] = {-1, -1, 1, -1, 0, 1};
    static const GLint ints[] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
    static const GLfloat floats[] = {-1, -1, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1};
    static const GLdouble doubles[] = {-1, -1, 1, -1, 0, 1};
    glEnableClientState(GL_VERTEX_ARRAY);
    place(0);
    glVertexPointer(2, GL_SHORT, 0, guarded_end(shorts, sizeof shorts));
    draw_three();
    place(1);
    glVertexPointer(3, GL_INT, 0, guarded_end(ints, sizeof ints));
    draw_three();
    place(2);
    glVertexPointer(4, GL_FLOAT, 0, guarded_end(floats, sizeof floats));
    draw_three();
    place(3);
    glVertexPointer(2, GL_DOUBLE, 0, guarded_end(doubles, sizeof doubles));
    draw_three();
}

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1};

static void draw_color_types(void)
{
    static const GLbyte bytes[] = {127, 0, 0, 0, 127, 0, 0, 0, 127};
    static const GLushort shorts[] = {65535, 0, 0, 1, 0, 65535, 0, 1, 0, 0, 65535, 1};
    static const GLdouble doubles[] = {1, 0.5, 0, 0, 1, 0.5, 0.5, 0, 1};
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners));
    glEnableClientState(GL_COLOR_ARRAY);
    place(5);
    glColorPointer(3, GL_BYTE, 0, guarded_end(bytes, sizeof bytes));
    draw_three();
    place(6);
    glColorPointer(4, GL_UNSIGNED_SHORT, 0, guarded_end(shorts, sizeof shorts));
    draw_three();
    place(9);
    glColorPointer(3, GL_DOUBLE, 0, guarded_end(doubles, sizeof doubles));
    draw_three();
}

/* Colors from a buffer and vertices from memory, and vice versa. */
static void draw_mixed(void)
{
    static const GLfloat colors[] = {1, 0, 0, 0, 1, 0, 1, 1, 0};
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof colors, colors, GL_STATIC_DRAW);
    glColorPointer(3, GL_FLOAT, 0, NULL);
    place(10);
    draw_three();
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glColorPointer(3, GL_FLOAT, 0, guarded_end(colors, sizeof colors));
    place(11);
    draw_three();
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners));
    glDeleteBuffers(2, buffers);
}

/* The memory changes between compiling and drawing. The element outside sets the color. */
static void draw_in_list(void)
{
    static GLfloat colors[] = {1, 0, 1, 0, 1, 1, 1, 1, 0};
    GLuint list = glGenLists(1);
    glColorPointer(3, GL_FLOAT, 0, colors);
    glNewList(list, GL_COMPILE);
    draw_three();
    glEndList();
    colors[0] = 0;
    place(12);
    glCallList(list);
    glDeleteLists(list, 1);
    place(13);
    glDisableClientState(GL_VERTEX_ARRAY);
    glArrayElement(1);
    glDisableClientState(GL_COLOR_ARRAY);
    glEnableClientState(GL_VERTEX_ARRAY);
    glBegin(GL_TRIANGLE_STRIP); /* vertices of both kinds */
    glVertex2f(-1, -1);
    glArrayElement(1);
    glVertex2f(0, 1);
    glEnd();
}

static void point_at_everything(void)
{
    static const GLshort texels[] = {3, 4};
    static const GLfloat more[] = {1, 2, 3};
    static const GLbyte normal[] = {127, 0, -128};
    static const GLubyte three[] = {1, 2, 3, 7, 8};
    static const GLhalf halves[] = {0x3c00, 0xb800, 0x7bff};
    static const GLint ints[] = {-1, 70000};
    glTexCoordPointer(2, GL_SHORT, 0, texels);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glClientActiveTexture(GL_TEXTURE1);
    glTexCoordPointer(3, GL_FLOAT, 0, more);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glNormalPointer(GL_BYTE, 0, normal);
    glEnableClientState(GL_NORMAL_ARRAY);
    glVertexAttribPointer(3, 3, GL_UNSIGNED_BYTE, GL_TRUE, 0, three);
    glVertexAttribPointer(4, 3, GL_HALF_FLOAT, GL_FALSE, 0, halves);
    glVertexAttribIPointer(5, 2, GL_INT, 0, ints);
    glVertexAttribIPointer(6, 2, GL_UNSIGNED_BYTE, 0, three + 3);
    for (GLuint i = 3; i < 7; ++i)
        glEnableVertexAttribArray(i);
}

static void draw_everything(void)
{
    GLfloat texture[4];
    GLint unit;
    place(14);
    point_at_everything();
    glBegin(GL_POINTS);
    glArrayElement(0);
    glEnd();
    for (GLuint i = 3; i < 7; ++i)
        glDisableVertexAttribArray(i);
    glGetIntegerv(GL_CLIENT_ACTIVE_TEXTURE, &unit);
    glGetFloatv(GL_CURRENT_TEXTURE_COORDS, texture);
    printf("unit %x, coordinates %g %g\n", (unsigned)unit, (double)texture[0], (double)texture[1]);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    glClientActiveTexture(GL_TEXTURE0);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    glDisableClientState(GL_NORMAL_ARRAY);
    glDisableClientState(GL_VERTEX_ARRAY);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, SIDE, SIDE);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(1, 1, 1);
        draw_vertex_types();
        draw_color_types();
        draw_mixed();
        draw_in_list();
        draw_everything();
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
