/* SPDX-License-Identifier: MIT
 * Tries to execute programs that do not exist, with each function, and continues to draw; its children
 * execute one that exists.
 *
 * count: 3 glXSwapBuffers\(
 * count: 11 glClear\(
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void report(const char *how, int rc)
{
    printf("%s: %d %s\n", how, rc, strerror(errno));
    glClear(GL_COLOR_BUFFER_BIT);
}

static int run_child(int number)
{
    int status = -1;
    pid_t child = number == 0 ? vfork() : fork();
    if (child == 0) {
        if (number == 0)
            execl("/bin/true", "true", (char *)NULL);
        else
            execlp("sh", "sh", "-c", "exit $0", "3", (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

int main(void)
{
    char name[] = "/nowhere/at/all", *arguments[] = {name, NULL};
    struct app_glx app;
    app_glx_open(&app, 16, 16);
    report("execl", execl(name, name, "1", "2", (char *)NULL));
    report("execlp", execlp(name, name, (char *)NULL));
    report("execle", execle(name, name, "1", (char *)NULL, environ));
    report("execv", execv(name, arguments));
    report("execvp", execvp(name, arguments));
    report("execve", execve(name, arguments, environ));
    report("execvpe", execvpe(name, arguments, environ));
    report("fexecve", fexecve(-1, arguments, environ));
    for (int frame = 0; frame < 3; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        app_glx_present(&app, "frame", frame);
        fflush(stdout);
        printf("child %d: %d\n", frame, run_child(frame));
    }
    app_glx_close(&app);
    return 0;
}
