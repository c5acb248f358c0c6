/* SPDX-License-Identifier: MIT
 * Passes invalid pointers while no context is current, when no call reads anything.
 *
 * expect: glLoadMatrixf\(m = \{\}\)
 * expect: glVertex3fv\(v = \{\}\)
 * expect: glDeleteBuffers\(n = 2147483647, buffers = \{\}\)
 * expect: glDeleteVertexArrays\(n = 5, arrays = \{\}\)
 * expect: glGetUniformLocation\(program = 1, name = ""\)
 * expect: glDrawElements\(mode = GL_TRIANGLES, count = 3000, type = GL_UNSIGNED_INT, indices = 0x
 * count: 2 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

static void call_all(void *nowhere)
{
    glLoadMatrixf(nowhere);
    glVertex3fv(nowhere);
    glColor4ubv(nowhere);
    glMaterialfv(GL_FRONT, GL_AMBIENT, nowhere);
    glDeleteBuffers(2147483647, nowhere);
    glDeleteVertexArrays(5, nowhere);
    glDeleteTextures(5, nowhere);
    glGenTextures(5, nowhere);
    glUniformMatrix4fv(0, 100, GL_FALSE, nowhere);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nowhere);
    glShaderSource(1, 10, nowhere, nowhere);
    glGetUniformLocation(1, nowhere);
    glBindAttribLocation(1, 0, nowhere);
    glVertexPointer(3, GL_FLOAT, 0, nowhere);
    glEnableClientState(GL_VERTEX_ARRAY);
    glDrawArrays(GL_TRIANGLES, 0, 3000);
    glDrawElements(GL_TRIANGLES, 3000, GL_UNSIGNED_INT, nowhere);
    glMultiDrawArrays(GL_TRIANGLES, nowhere, nowhere, 10);
    glMultiDrawElements(GL_TRIANGLES, nowhere, GL_UNSIGNED_INT, nowhere, 10);
    glCallLists(100, GL_UNSIGNED_INT, nowhere);
    glGetIntegerv(GL_VIEWPORT, nowhere);
    glReadPixels(0, 0, 10, 10, GL_RGBA, GL_FLOAT, nowhere);
    glFeedbackBuffer(1 << 20, GL_2D, nowhere);
    glSelectBuffer(1 << 20, nowhere);
    glInterleavedArrays(GL_V3F, 0, nowhere);
    glDebugMessageCallback(NULL, nowhere);
    glObjectLabel(GL_TEXTURE, 1, -1, nowhere);
}

int main(void)
{
    struct app_glx app;
    void *nowhere = guarded_behind();
    app_glx_open(&app, 32, 32);
    app_glx_present(&app, "frame", 0);
    glXMakeCurrent(app.display, None, NULL);
    call_all(nowhere);
    glXMakeCurrent(app.display, app.window, app.context);
    printf("0x%04x\n", glGetError());
    app_glx_present(&app, "frame", 1);
    app_glx_close(&app);
    return 0;
}
