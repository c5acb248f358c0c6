/* SPDX-License-Identifier: MIT
 * A program that executes itself in a child with only the environment variables that it knows, including
 * LD_PRELOAD.
 *
 * count: 1 glClear\(
 * count: 1 glXSwapBuffers\(
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int is_known(const char *variable)
{
    static const char *const known[] = {
        "DISPLAY=", "XAUTHORITY=", "PATH=", "LIBGL_ALWAYS_SOFTWARE=", "LD_PRELOAD="};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strncmp(variable, known[i], strlen(known[i])) == 0)
            return 1;
    return 0;
}

static int start_again(char *program)
{
    char *variables[8], again[] = "again", *arguments[] = {program, again, NULL};
    size_t n = 0;
    int status = 0;
    for (char **e = environ; *e != NULL && n < 7; ++e)
        if (is_known(*e))
            variables[n++] = *e;
    variables[n] = NULL;
    pid_t child = fork();
    if (child == 0) {
        execve(program, arguments, variables);
        _exit(98);
    }
    waitpid(child, &status, 0);
    printf("status %d\n", WEXITSTATUS(status));
    return 0;
}

int main(int argc, char **argv)
{
    struct app_glx app;
    if (argc < 2)
        return start_again(argv[0]);
    app_glx_open(&app, 16, 16);
    glClear(GL_COLOR_BUFFER_BIT);
    glXSwapBuffers(app.display, app.window);
    app_glx_close(&app);
    return 0;
}
