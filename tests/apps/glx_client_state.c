/* SPDX-License-Identifier: MIT */
/* Client state that is saved, restored, reset, and asked about: vertex arrays in memory and in buffers, and
 * the texture unit. After each case the pixels are read. usage: glx_client_state */
#define GL_GLEXT_PROTOTYPES 1
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

enum { WIDTH = 64, HEIGHT = 64 };

static const GLfloat corners[] = {-1, -1, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1};
static const GLfloat coordinates[] = {0, 0, 0, 0, 1, 1, 1, 1, 0.5f, 0.5f, 0.5f, 0.5f};
static GLuint buffer;

static GLint ask(GLenum pname)
{
    GLint value[4] = {0};
    glGetIntegerv(pname, value);
    return value[0];
}

static void finish_case(const char *name)
{
    printf("%s: %016llx, error %#x, unit %#x\n", name, (unsigned long long)app_hash_pixels(WIDTH, HEIGHT),
           glGetError(), (unsigned)ask(GL_CLIENT_ACTIVE_TEXTURE));
    glPopClientAttrib();
    glClear(GL_COLOR_BUFFER_BIT);
}

static void begin_case(void)
{
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexPointer(4, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
}

static void draw(void)
{
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* An array in memory takes the place of one in a buffer, until the state is restored. */
static void restore_buffer(int reset)
{
    begin_case();
    if (reset)
        glPushClientAttribDefaultEXT(GL_CLIENT_VERTEX_ARRAY_BIT);
    else
        glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexPointer(2, GL_FLOAT, 8, corners);
    printf("size %d\n", ask(GL_VERTEX_ARRAY_SIZE));
    glPopClientAttrib();
    draw();
    finish_case(reset ? "restored after a reset" : "restored");
}

static void restore_vertex_array(void)
{
    GLuint array;
    glGenVertexArrays(1, &array);
    begin_case();
    glBindVertexArray(array);
    glVertexPointer(4, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexPointer(2, GL_FLOAT, 8, corners);
    printf("size %d\n", ask(GL_VERTEX_ARRAY_SIZE));
    glPopClientAttrib();
    draw();
    finish_case("vertex array object restored");
    glDeleteVertexArrays(1, &array);
}

/* Other functions than those that the program has asked about set the arrays. */
static void set_by_others(void)
{
    begin_case();
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexPointer(3, GL_FLOAT, 16, corners);
    glColorPointer(3, GL_FLOAT, 16, corners);
    glNormalPointer(GL_FLOAT, 16, corners);
    glTexCoordPointer(2, GL_FLOAT, 16, corners);
    printf("%d %d %d %d\n", ask(GL_VERTEX_ARRAY_SIZE), ask(GL_COLOR_ARRAY_SIZE), ask(GL_NORMAL_ARRAY_STRIDE),
           ask(GL_TEXTURE_COORD_ARRAY_SIZE));
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glInterleavedArrays(GL_V3F, 16, NULL);
    draw();
    glColorPointerEXT(3, GL_FLOAT, 16, 3, NULL);
    glEnableClientState(GL_COLOR_ARRAY);
    glNormalPointerEXT(GL_FLOAT, 16, 3, NULL);
    glEnableClientState(GL_NORMAL_ARRAY);
    glMultiTexCoordPointerEXT(GL_TEXTURE0, 2, GL_FLOAT, 16, NULL);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    draw();
    finish_case("set by others");
}

/* Restoring and resetting concern the texture unit, too. An error between glBegin() and glEnd() does not. */
static void restore_unit(int way)
{
    begin_case();
    glClientActiveTexture(GL_TEXTURE3);
    if (way == 0) {
        glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
        glClientActiveTexture(GL_TEXTURE1);
        glPopClientAttrib();
    } else if (way == 1) {
        glClientAttribDefaultEXT(GL_CLIENT_VERTEX_ARRAY_BIT);
    } else {
        glBegin(GL_POINTS);
        glClientActiveTexture(GL_TEXTURE2);
        glEnd();
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexPointer(4, GL_FLOAT, 0, corners);
    glEnableClientState(GL_VERTEX_ARRAY);
    glTexCoordPointer(4, GL_FLOAT, 0, coordinates);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    printf("size %d\n", ask(GL_TEXTURE_COORD_ARRAY_SIZE));
    draw();
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 3; ++i)
        glArrayElement(i);
    glEnd();
    finish_case("unit");
}

/* The offset of an attribute in memory is its address, which differs from run to run. */
static void ask_address(void)
{
    GLint64 address[4] = {0};
    begin_case();
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, corners);
    glGetVertexArrayIndexed64iv(0, 3, GL_VERTEX_BINDING_OFFSET, address);
    printf("the address is %s\n", address[0] == (GLint64)(size_t)corners ? "right" : "wrong");
    finish_case("address");
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, WIDTH, HEIGHT);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    restore_buffer(0);
    restore_buffer(1);
    restore_vertex_array();
    set_by_others();
    for (int way = 0; way < 3; ++way)
        restore_unit(way);
    ask_address();
    app_glx_close(&app);
    return 0;
}
