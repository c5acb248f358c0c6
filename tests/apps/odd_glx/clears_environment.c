/* SPDX-License-Identifier: MIT
 * Before its first call, the program clears its environment, overwrites it and its arguments in place, as
 * servers do to set their title, and changes its directory. It also forks such a child.
 *
 * arguments: clear
 * arguments: overwrite
 * count: 10 glColor4ub\(
 * lacks: glColor3f
 */
#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void overwrite(char **strings)
{
    for (; *strings != NULL; ++strings)
        memset(*strings, 'x', strlen(*strings));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    if (strcmp(argv[1], "clear") == 0) {
        clearenv();
    } else {
        overwrite(environ);
        overwrite(argv);
    }
    if (chdir("/usr/share") != 0)
        return 99;
    for (int i = 0; i < 10; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        glColor3f(1, 0, 0);
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf("done %d\n", status);
    return 0;
}
