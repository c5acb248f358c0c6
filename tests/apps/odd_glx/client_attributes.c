/* SPDX-License-Identifier: MIT
 * glPushClientAttrib() and similar functions restore buffer bindings, arrays and pixel store state. A tracer
 * with outdated state would read offsets as addresses, or leave out memory.
 *
 * expect: glTexSubImage2D\(.*pixels = 0x100\)
 * expect: glDrawPixels\(width = 3, height = 5, .*pixels = blob\(180\)\)
 * expect: glDrawPixels\(width = 7, height = 1, .*pixels = blob\(84\)\)
 * expect: glDrawPixels\(width = 9, height = 2, .*pixels = blob\(216\)\)
 * expect: glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = 0x10\)$
 * count: 2 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(24\)\) // fake
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

static const GLfloat corners[] = {9, 9, 9, 9, -1, -1, 1, -1, 0, 1};

static GLuint make_buffer(GLenum target, const void *data, GLsizeiptr size)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, size, data, GL_STATIC_DRAW);
    return buffer;
}

/* The array buffer is bound again: what looks like an address is an offset. */
static void draw_from_buffer(void)
{
    GLuint buffer = make_buffer(GL_ARRAY_BUFFER, corners, sizeof corners);
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glPopClientAttrib();
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, (const void *)16);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
}

/* The array buffer is unbound: what looks like an offset is an address. Then all arrays are restored. */
static void draw_from_memory(void)
{
    const GLfloat *memory = guarded_end(corners + 4, 24);
    GLuint buffer = make_buffer(GL_ARRAY_BUFFER, corners, sizeof corners);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glPopClientAttrib();
    glColor3f(1, 0, 0);
    glVertexPointer(2, GL_FLOAT, 0, memory);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glVertexPointer(4, GL_DOUBLE, 0, guarded_gone());
    glPopClientAttrib();
    glColor3f(0, 1, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glPopClientAttrib(); /* one too many */
    if (glGetError() != GL_STACK_UNDERFLOW)
        puts("no underflow");
    glDeleteBuffers(1, &buffer);
    glDisableClientState(GL_VERTEX_ARRAY);
}

static void upload_from_buffer(void)
{
    static uint8_t texels[1024];
    GLuint buffer = make_buffer(GL_PIXEL_UNPACK_BUFFER, texels, sizeof texels);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 100);
    glPopClientAttrib();
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, (const void *)0x100);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
}

static void draw_pixels(GLsizei width, GLsizei height, size_t size)
{
    void *pixels = calloc(1, size);
    void *memory = guarded_end(pixels, size);
    glDrawPixels(width, height, GL_RGB, GL_FLOAT, memory);
    free(pixels);
}

/* The initial state is used, whatever was set. */
static void upload_by_default(void)
{
    GLuint buffer = make_buffer(GL_PIXEL_UNPACK_BUFFER, corners, sizeof corners);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 1000);
    glPushClientAttribDefaultEXT(GL_CLIENT_ALL_ATTRIB_BITS);
    draw_pixels(3, 5, 180);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 1001);
    glClientAttribDefaultEXT(GL_CLIENT_PIXEL_STORE_BIT);
    draw_pixels(7, 1, 84);
    glPopClientAttrib();
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glDeleteBuffers(1, &buffer);
}

/* Too deep: what was not pushed is not restored. */
static void push_too_often(void)
{
    GLint depth;
    glGetIntegerv(GL_MAX_CLIENT_ATTRIB_STACK_DEPTH, &depth);
    for (GLint i = 0; i < depth; ++i)
        glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 50);
    glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
    if (glGetError() != GL_STACK_OVERFLOW)
        puts("no overflow");
    for (GLint i = 0; i < depth; ++i)
        glPopClientAttrib();
    draw_pixels(9, 2, 216);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        if (frame == 0) {
            upload_from_buffer();
            upload_by_default();
            push_too_often();
        } else {
            draw_from_buffer();
            draw_from_memory();
        }
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
