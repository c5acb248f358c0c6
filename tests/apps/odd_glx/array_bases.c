/* SPDX-License-Identifier: MIT
 * Arrays whose pointers are below any readable memory, because only later elements are drawn; indices up to
 * the end of their memory; counts beyond it; ranges that the program gives incorrectly.
 *
 * count: 2 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(824\)\) // fake
 * count: 1 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 12, pointer = blob\(48020\)\) // fake
 * count: 1 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(80024\)\) // fake
 * count: 3 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(24\)\) // fake
 * count: 1 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(32\)\) // fake
 * lacks: Pointer\(.*pointer = 0x
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1};

static void draw_late_elements(void)
{
    static const GLushort late[] = {10000, 10001, 10002};
    static const GLfloat wide[] = {-1, 1, 0, 0, 0, 0, 1, 1, 0};
    const uint8_t *memory = guarded_start(corners, sizeof corners);
    glColor3f(1, 0, 0);
    glVertexPointer(2, GL_FLOAT, 0, memory - 800);
    glDrawArrays(GL_TRIANGLES, 100, 3);
    glColor3f(0, 1, 0);
    glVertexPointer(2, GL_FLOAT, 0, memory - 80000);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, guarded_end(late, sizeof late));
    glColor3f(0, 0, 1);
    memory = guarded_start(wide, sizeof wide);
    glVertexPointer(2, GL_FLOAT, 12, memory - 12 * 3999);
    glDrawArrays(GL_TRIANGLES, 3999, 3);
}

/* start and end are hints. end is too high here, which GL allows. */
static void draw_with_base(void)
{
    static const GLubyte few[] = {0, 1, 2};
    static const GLuint high[] = {1000, 1001, 1002};
    const uint8_t *memory = guarded_end(corners, sizeof corners);
    glColor3f(1, 1, 0);
    glVertexPointer(2, GL_FLOAT, 0, memory);
    glDrawRangeElements(GL_TRIANGLES, 0, 2, 3, GL_UNSIGNED_BYTE, guarded_end(few, sizeof few));
    glColor3f(0, 1, 1);
    glDrawElementsBaseVertex(GL_TRIANGLES, 3, GL_UNSIGNED_INT, guarded_end(high, sizeof high), -1000);
    glColor3f(1, 0, 1);
    memory = guarded_start(corners, sizeof corners);
    glVertexPointer(2, GL_FLOAT, 0, memory - 800);
    glDrawElementsBaseVertex(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, guarded_end(few, sizeof few), 100);
}

/* Locks more than is drawn, and more than exists. */
static void draw_locked(void)
{
    static const GLubyte few[] = {0, 1, 2};
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners));
    glLockArraysEXT(0, 1000);
    glColor3f(0.5f, 1, 0.5f);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, few);
    glUnlockArraysEXT();
    const GLfloat four[] = {-1, -1, 1, -1, 0, 1, 5, 5};
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(four, sizeof four));
    glLockArraysEXT(1, 3);
    glLockArraysEXT(0, 99); /* locked already */
    if (glGetError() != GL_INVALID_OPERATION)
        puts("locked twice");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUnlockArraysEXT();
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    glClear(GL_COLOR_BUFFER_BIT);
    app_glx_present(&app, "frame", 0);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    draw_late_elements();
    draw_with_base();
    draw_locked();
    app_glx_present(&app, "frame", 1);
    app_glx_close(&app);
    return 0;
}
