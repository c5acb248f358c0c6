/* SPDX-License-Identifier: MIT */
/* Draws a frame, makes one last recognisable call, and ends in a chosen way.
 * usage: gl_exits return|exit|_exit|quick_exit|abort|segv|term|kill [STATUS] */
#include "app_glx.h"

#include <GL/gl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end(const char *how, int status)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"segv", SIGSEGV}, {"term", SIGTERM}, {"kill", SIGKILL}};
    if (strcmp(how, "exit") == 0)
        exit(status);
    if (strcmp(how, "_exit") == 0)
        _exit(status);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(status);
    if (strcmp(how, "abort") == 0)
        abort();
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (strcmp(how, signals[i].name) == 0)
            raise(signals[i].number);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: gl_exits return|exit|_exit|quick_exit|abort|segv|term|kill [STATUS]\n");
        return 2;
    }
    int status = argc > 2 ? atoi(argv[2]) : 0;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    glClear(GL_COLOR_BUFFER_BIT);
    app_glx_present(&app, "gl_exits", 0);
    fflush(stdout);
    glClearStencil(123);
    end(argv[1], status);
    return status;
}
