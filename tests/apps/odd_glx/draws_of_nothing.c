/* SPDX-License-Identifier: MIT
 * Draws that GL rejects, and draws of nothing. Their pointers may refer to unreadable memory.
 *
 * count: 3 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(24\)\) // fake
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1};

/* Rejected draws and empty draws read nothing. */
static void draw_nothing(void)
{
    const GLsizei counts[] = {0, 3, -1};
    const GLint firsts[] = {77777777, 0, -5};
    const void *indices[] = {guarded_gone(), guarded_gone(), NULL};
    const GLsizei none[] = {0, 0, 0};
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners));
    glDrawArrays(GL_TRIANGLES, 1 << 30, 0);
    glDrawArrays(GL_TRIANGLES, 0, -3);
    glDrawArrays(GL_TRIANGLES, -5, 3);
    glDrawArrays(0x77, 0, 3);
    glDrawElements(GL_TRIANGLES, 0, GL_UNSIGNED_INT, guarded_gone());
    glDrawElements(GL_TRIANGLES, 3, GL_FLOAT, guarded_gone());
    glDrawElements(0x77, 3, GL_UNSIGNED_INT, guarded_gone());
    glDrawRangeElements(GL_TRIANGLES, 9, 2, 3, GL_UNSIGNED_INT, guarded_gone());
    glMultiDrawElements(GL_TRIANGLES, none, GL_UNSIGNED_INT, indices, 3);
    glMultiDrawElements(GL_TRIANGLES, guarded_gone(), GL_UNSIGNED_INT, guarded_gone(), -1);
    glMultiDrawArrays(GL_TRIANGLES, firsts, counts, 3);
    while (glGetError() != GL_NO_ERROR)
        ;
    glColor3f(1, 1, 1);
    glMultiDrawArrays(GL_TRIANGLES, firsts, (const GLsizei[]){0, 3, 0}, 3);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    draw_nothing();
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
