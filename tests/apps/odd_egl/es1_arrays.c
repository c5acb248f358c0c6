/* SPDX-License-Identifier: MIT
 * OpenGL ES 1: client-side arrays, including point sizes, and indices in a buffer, which is hard to read
 * back.
 *
 * expect: glPointSizePointerOES\(type = GL_FLOAT, stride = 0, pointer = blob\(12\)\) // fake
 * expect: glColorPointer\(size = 4, type = GL_UNSIGNED_BYTE, stride = 0, pointer = blob\(12\)\) // fake
 * expect: glVertexPointer\(size = 2, type = GL_FIXED, stride = 0, pointer = blob\(24\)\) // fake
 * lacks: Pointer.*\(.*pointer = 0x
 * pictures: 32 32
 * apitrace: no (its replayer has no arrays of point sizes)
 */
#include "app_egl.h"
#include "guarded.h"

enum {
    VERTEX_ARRAY = 0x8074,
    COLOR_ARRAY = 0x8076,
    POINT_SIZE_ARRAY = 0x8B9C,
};

static struct {
    void (*enable)(GLenum);
    void (*vertex)(GLint, GLenum, GLsizei, const void *);
    void (*color)(GLint, GLenum, GLsizei, const void *);
    void (*point_size)(GLenum, GLsizei, const void *);
} gl;

static void find_functions(void)
{
    *(void **)&gl.enable = app_egl_function("glEnableClientState");
    *(void **)&gl.vertex = app_egl_function("glVertexPointer");
    *(void **)&gl.color = app_egl_function("glColorPointer");
    *(void **)&gl.point_size = app_egl_function("glPointSizePointerOES");
}

static void draw(GLuint buffer)
{
    static const GLint corners[] = {-60000, -60000, 60000, -60000, 0, 60000};
    static const GLubyte colors[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255};
    static const GLfloat sizes[] = {3, 5, 7};
    static const GLubyte indices[] = {2, 1, 0};
    gl.vertex(2, GL_FIXED, 0, guarded_end(corners, sizeof corners));
    gl.color(4, GL_UNSIGNED_BYTE, 0, guarded_end(colors, sizeof colors));
    gl.point_size(GL_FLOAT, 0, guarded_end(sizes, sizeof sizes));
    gl.enable(VERTEX_ARRAY);
    gl.enable(COLOR_ARRAY);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl.enable(POINT_SIZE_ARRAY);
    glDrawElements(GL_POINTS, 3, GL_UNSIGNED_BYTE, indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glDrawElements(GL_LINES, 2, GL_UNSIGNED_BYTE, (const void *)1);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

int main(void)
{
    struct app_egl app;
    GLuint buffer;
    app_egl_open(&app, 1, 32, 32);
    find_functions();
    glGenBuffers(1, &buffer);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        draw(buffer);
        app_egl_present(&app, "frame", frame);
    }
    return 0;
}
