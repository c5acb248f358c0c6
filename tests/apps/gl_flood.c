/* SPDX-License-Identifier: MIT */
/* Makes calls as fast as it can: glClearStencil(1) to glClearStencil(COUNT). Creates the file STARTED, if one
 * is named, when it has made the first of them. usage: gl_flood COUNT [STATUS [STARTED]] */
#include "app_glx.h"

#include <GL/gl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    long count = atol(argv[1]);
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    for (long i = 1; i <= count; ++i) {
        glClearStencil((GLint)i);
        if (i == 1 && argc > 3)
            close(open(argv[3], O_WRONLY | O_CREAT, 0666));
    }
    app_glx_close(&app);
    printf("made %ld calls\n", count);
    return argc > 2 ? atoi(argv[2]) : 0;
}
