/* SPDX-License-Identifier: MIT */
/* Starts and stops its own recording: of five frames, each with its own clear colour, the second and the
 * fourth are between a start and a stop. */
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glx.h>
#include <stdio.h>

typedef void (*string_marker)(GLsizei length, const void *string);

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    string_marker mark = (string_marker)glXGetProcAddress((const GLubyte *)"glStringMarkerGREMEDY");
    for (int frame = 1; frame <= 5; ++frame) {
        if (frame % 2 == 0 && mark != NULL)
            mark(0, "here it is: trace-cli:start");
        glClearColor((float)frame, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        app_glx_present(&app, "gl_markers", frame);
        if (frame % 2 == 0 && mark != NULL)
            mark(0, "trace-cli:stop");
    }
    app_glx_close(&app);
    printf("%s\n", mark != NULL ? "marked" : "no marker");
    return 0;
}
