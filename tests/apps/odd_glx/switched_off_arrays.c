/* SPDX-License-Identifier: MIT
 * Arrays that are disabled or were moved to a buffer, in all the ways that GL has, after their memory was
 * unmapped. A draw must not read them.
 *
 * lacks: gl(Color|Normal|TexCoord|SecondaryColor|Index)Pointer\(.*blob
 * lacks: glVertexAttribPointer\(index = [1-9].*blob
 * lacks: Pointer\(.*pointer = 0x
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

static void point_nowhere(void)
{
    void *gone = guarded_gone();
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, gone);
    glEnableClientState(GL_COLOR_ARRAY);
    glNormalPointer(GL_FLOAT, 0, gone);
    glEnable(GL_NORMAL_ARRAY); /* another spelling */
    glSecondaryColorPointer(3, GL_FLOAT, 0, gone);
    glEnableClientState(GL_SECONDARY_COLOR_ARRAY);
    glIndexPointer(GL_FLOAT, 0, gone);
    glEnableClientState(GL_INDEX_ARRAY);
    glMultiTexCoordPointerEXT(GL_TEXTURE2, 2, GL_FLOAT, 0, gone);
    glEnableClientStateIndexedEXT(GL_TEXTURE_COORD_ARRAY, 2);
    glClientActiveTexture(GL_TEXTURE1);
    glTexCoordPointer(2, GL_FLOAT, 0, gone);
    glClientActiveTexture(GL_TEXTURE0);
    glEnableClientStateiEXT(GL_TEXTURE_COORD_ARRAY, 1);
    for (GLuint i = 1; i < 5; ++i) {
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, gone);
        glEnableVertexAttribArray(i);
    }
}

static void switch_off(GLuint buffer)
{
    GLint array;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
    glDisable(GL_COLOR_ARRAY);
    glDisableClientState(GL_NORMAL_ARRAY);
    glPushClientAttribDefaultEXT(GL_CLIENT_VERTEX_ARRAY_BIT); /* secondary colors and indices */
    glPopClientAttrib();
    glDisable(GL_SECONDARY_COLOR_ARRAY);
    glDisableClientState(GL_INDEX_ARRAY);
    glDisableClientStateIndexedEXT(GL_TEXTURE_COORD_ARRAY, 1);
    glDisableClientStateiEXT(GL_TEXTURE_COORD_ARRAY, 2);
    glDisableVertexAttribArray(1);
    glBindVertexBuffer(2, buffer, 0, 16);
    glDisableVertexArrayAttrib((GLuint)array, 3);
    glDisableVertexAttribArray(3); /* required by the default vertex array object */
    glDisableVertexAttribArrayARB(4);
    while (glGetError() != GL_NO_ERROR)
        ;
}

/* Rejected calls change nothing. */
static void call_wrongly(void)
{
    void *gone = guarded_gone();
    glVertexPointer(9, GL_FLOAT, 0, gone);
    glVertexPointer(2, GL_UNSIGNED_BYTE, 0, gone);
    glClientActiveTexture(GL_TEXTURE0 + 1000);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 3);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, -7);
    glBindBuffer(GL_TEXTURE_2D, 5);
    glBindVertexArray(999);
    glBegin(GL_TRIANGLES);
    glBindBuffer(GL_ARRAY_BUFFER, 77);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 77);
    glVertexPointer(4, GL_DOUBLE, 0, gone);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnd();
    while (glGetError() != GL_NO_ERROR)
        ;
}

int main(void)
{
    static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1}, zeros[12];
    static const GLubyte texels[4 * 2 * 3];
    struct app_glx app;
    GLuint buffer;
    app_glx_open(&app, 32, 32);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof zeros, zeros, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        point_nowhere();
        switch_off(buffer);
        glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners));
        glEnableClientState(GL_VERTEX_ARRAY);
        call_wrongly();
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 2, 3, 0, GL_RGB, GL_UNSIGNED_BYTE,
                     guarded_end(texels, 8 + 8 + 6));
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
