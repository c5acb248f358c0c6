/* SPDX-License-Identifier: MIT
 * Makes calls that need a context before there is one and after it was released. The trace must be
 * replayable.
 *
 * expect: glShaderSource\(shader = 3, count = 1, string = &"//", length = NULL\)
 * expect: glCallLists\(n = 2, type = GL_INT, lists = blob\(8\)\)
 * count: 1 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

static void call_without_context(void)
{
    static const char *const sources[] = {"//"};
    static const GLint lists[] = {1, 2};
    GLfloat results[4];
    GLuint name = 7;
    glShaderSource(3, 1, sources, NULL);
    glCallLists(2, GL_INT, lists);
    glObjectLabel(GL_BUFFER, 1, -1, "label");
    glClientWaitSync(NULL, 0, 0);
    glFeedbackBuffer(4, GL_2D, results);
    glVertexPointer(2, GL_FLOAT, 0, results);
    glInterleavedArrays(GL_V2F, 0, results);
    glDrawArrays(GL_POINTS, 0, 2);
    glDrawElements(GL_POINTS, 2, GL_UNSIGNED_INT, lists);
    glBufferData(GL_ARRAY_BUFFER, sizeof lists, lists, GL_STATIC_DRAW);
    glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glGenTextures(1, &name);
    glDeleteTextures(1, &name);
    glUniform4fv(0, 1, results);
    glNewList(1, GL_COMPILE);
    glEndList();
    glBegin(GL_POINTS);
    glArrayElement(1);
    glEnd();
    glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
    glPopClientAttrib();
    printf("texture %u, error 0x%x\n", name, glGetError());
}

int main(void)
{
    struct app_glx app;
    call_without_context();
    app_glx_open(&app, 32, 32);
    glClearColor(0, 0.5, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    call_without_context();
    return 0;
}
