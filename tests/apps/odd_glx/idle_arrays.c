/* SPDX-License-Identifier: MIT
 * Arrays in a buffer, and a disabled client-side array: nothing needs to be recorded before a draw, and no
 * buffer is unbound and bound again without need. After the array is enabled, it is recorded.
 *
 * count: 1 glBindBuffer\(target = GL_ARRAY_BUFFER, buffer = 0\) // fake
 * count: 1 glBindBuffer\(target = GL_ARRAY_BUFFER, buffer = 1\) // fake
 * count: 1 glColorPointer\(size = 3, type = GL_FLOAT, stride = 0, pointer = blob\(36\)\) // fake
 * count: 0 gl(VertexAttrib|TexCoord)Pointer\(.*fake
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>

int main(void)
{
    static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1}, colors[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    GLuint buffer;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    glColorPointer(3, GL_FLOAT, 0, colors);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    for (int frame = 0; frame < 3; ++frame) {
        if (frame == 2)
            glEnableClientState(GL_COLOR_ARRAY);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        app_glx_present(&app, "idle", frame);
    }
    app_glx_close(&app);
    return 0;
}
