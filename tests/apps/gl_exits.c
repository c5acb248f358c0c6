/* SPDX-License-Identifier: MIT */
/* Draws a frame, makes one last recognisable call, and ends in a chosen way.
 * usage: gl_exits return|exit|_exit|_Exit|quick_exit|abort|segv|term|kill|exec… [STATUS] */
#include "app_glx.h"

#include <GL/gl.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* Calls the function of that name to execute a shell that exits with the status. */
static void execute(const char *how, int status)
{
    char text[16], name[] = "sh", option[] = "-c", command[] = "exit $0";
    char *arguments[] = {name, option, command, text, NULL};
    static const char shell[] = "/bin/sh";
    snprintf(text, sizeof text, "%d", status);
    if (strcmp(how, "execl") == 0)
        execl(shell, "sh", "-c", "exit $0", text, (char *)NULL);
    if (strcmp(how, "execlp") == 0)
        execlp("sh", "sh", "-c", "exit $0", text, (char *)NULL);
    if (strcmp(how, "execle") == 0)
        execle(shell, "sh", "-c", "exit $0", text, (char *)NULL, environ);
    if (strcmp(how, "execv") == 0)
        execv(shell, arguments);
    if (strcmp(how, "execvp") == 0)
        execvp("sh", arguments);
    if (strcmp(how, "execve") == 0)
        execve(shell, arguments, environ);
    if (strcmp(how, "execvpe") == 0)
        execvpe("sh", arguments, environ);
    if (strcmp(how, "fexecve") == 0)
        fexecve(open(shell, O_RDONLY), arguments, environ);
    if (strstr(how, "exec") != NULL)
        exit(99); /* the function has returned */
}

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
    if (strcmp(how, "_Exit") == 0)
        _Exit(status);
    execute(how, status);
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
        fprintf(stderr,
                "usage: gl_exits return|exit|_exit|_Exit|quick_exit|abort|segv|term|kill|exec… [STATUS]\n");
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
