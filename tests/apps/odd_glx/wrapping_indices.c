/* SPDX-License-Identifier: MIT
 * The sum of index and base needs more than 32 bits. The vertex is given by the lower 32 bits.
 *
 * count: 3 glVertexPointer\(size = 2, type = GL_SHORT, stride = 0, pointer = blob\(24\)\) // fake
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

int main(void)
{
    static const GLshort corners[] = {9, 9, 9, 9, 9, 9, -1, -1, 1, -1, 0, 1};
    static const GLuint wrapping[] = {0xfffffff0, 0xfffffff1, 0xfffffff2}, plain[] = {5, 4, 3};
    static const GLsizei counts[] = {3, 3};
    static const GLint bases[] = {0, 19};
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    glVertexPointer(2, GL_SHORT, 0, guarded_end(corners, sizeof corners));
    glEnableClientState(GL_VERTEX_ARRAY);
    glColor3f(1, 0, 0);
    glDrawElementsBaseVertex(GL_TRIANGLES, 3, GL_UNSIGNED_INT, wrapping, 19);
    app_glx_present(&app, "all", 0);
    glColor3f(0, 1, 0);
    glDrawElementsInstancedBaseVertex(GL_LINE_LOOP, 3, GL_UNSIGNED_INT, wrapping, 2, 19);
    app_glx_present(&app, "instances", 1);
    glColor3f(0, 0, 1);
    const void *const indices[] = {plain, wrapping};
    glMultiDrawElementsBaseVertex(GL_LINE_LOOP, counts, GL_UNSIGNED_INT, indices, 2, bases);
    app_glx_present(&app, "some", 2);
    app_glx_close(&app);
    return 0;
}
