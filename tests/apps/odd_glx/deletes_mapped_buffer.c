/* SPDX-License-Identifier: MIT
 * Deletes a persistently mapped buffer without unmapping it, which is valid, and continues to draw.
 *
 * expect: glDeleteBuffers\(
 * count: 3 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    GLuint buffer;
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, 8 << 20, NULL, flags);
    void *memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, 8 << 20, flags);
    if (memory == NULL)
        return APP_STATUS_NO_DISPLAY;
    memset(memory, 1, 64);
    glFinish();
    glDeleteBuffers(1, &buffer);
    for (int frame = 0; frame < 3; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        glRecti(-1, -1, 0, 0);
        glFinish();
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    puts("done");
    return 0;
}
