/* SPDX-License-Identifier: MIT
 * A display that is closed while a buffer of it is persistently mapped and written, twice over, without its
 * context being destroyed. The mapping's memory may be gone then. The next display's draws are its own
 * context's, and show what it writes. (The context is released first: Mesa presents through a closed display
 * otherwise.)
 *
 * count: 3 glXSwapBuffers\(
 * count: 3 glMapBufferRange\(
 * each display's triangle, and what was written beside it when the last draw was
 * expect: memcpy\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 8 << 20, SIDE = 32 };

static char *map_buffer(void)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, SIZE, NULL, flags);
    char *memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, SIZE, flags);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    return memory;
}

static char *draw(struct app_glx *app, int frame)
{
    const GLfloat corner = 0.25F * (GLfloat)(frame + 1);
    const GLfloat corners[] = {-1, -1, corner, -1, -1, corner};
    app_glx_open(app, SIDE, SIDE);
    char *memory = map_buffer();
    if (memory == NULL)
        return NULL;
    memcpy(memory, corners, sizeof corners);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    app_glx_present(app, "display", frame);
    memset(memory + SIZE / 2, frame + 1, SIZE / 4);
    return memory;
}

int main(void)
{
    struct app_glx app;
    for (int i = 0; i < 3; ++i) {
        if (draw(&app, i) == NULL)
            return APP_STATUS_NO_DISPLAY;
        if (i == 2)
            break;
        glXMakeCurrent(app.display, None, NULL);
        XCloseDisplay(app.display);
    }
    app_glx_close(&app);
    printf("done\n");
    return 0;
}
