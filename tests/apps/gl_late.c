/* SPDX-License-Identifier: MIT */
/* A process that is hard to follow makes one call, glClearStencil(77), without a context or a display:
 *
 * gl_late daemon MILLISECONDS: a grandchild in a session of its own, so much later; the status is 6 at once
 *
 * gl_late titled MILLISECONDS: likewise, after writing over the environment
 *
 * gl_late user UID: as another user
 *
 * gl_late many COUNT: in COUNT children, one after the other
 *
 * gl_late nested COUNT: in COUNT processes, each of which waits for the end of the next, its child */
#include <GL/gl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Does the same as setproctitle() of other systems. */
static void write_over_environment(void)
{
    for (char **e = environ; *e != NULL; ++e)
        memset(*e, '\0', strlen(*e));
    environ = NULL;
}

static int make_daemon(long milliseconds)
{
    const struct timespec nap = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    if (fork() != 0)
        return 6;
    setsid();
    if (fork() != 0)
        _exit(0);
    for (int fd = 0; fd < 1024; ++fd)
        close(fd);
    nanosleep(&nap, NULL);
    glClearStencil(77);
    return 0;
}

static int become_user(long user)
{
    if (setgid((gid_t)user) != 0 || setuid((uid_t)user) != 0) {
        perror("setuid");
        return 99;
    }
    glClearStencil(77);
    printf("user %d\n", (int)getuid());
    return 0;
}

static int make_many(long count)
{
    for (long i = 0; i < count; ++i) {
        int status;
        pid_t pid = fork();
        if (pid == 0) {
            glClearStencil(77);
            _exit(0);
        }
        if (waitpid(pid, &status, 0) != pid || status != 0)
            return 1;
    }
    printf("%ld children\n", count);
    return 0;
}

static int make_nested(long count)
{
    int status = 0;
    glClearStencil(77);
    pid_t pid = count > 1 ? fork() : 0;
    if (pid == 0 && count > 1)
        _exit(make_nested(count - 1));
    if (pid != 0 && (waitpid(pid, &status, 0) != pid || status != 0))
        return 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    long number = atol(argv[2]);
    if (strcmp(argv[1], "daemon") == 0)
        return make_daemon(number);
    if (strcmp(argv[1], "titled") == 0) {
        write_over_environment();
        return make_daemon(number);
    }
    if (strcmp(argv[1], "nested") == 0)
        return make_nested(number);
    if (strcmp(argv[1], "user") == 0)
        return become_user(number);
    return strcmp(argv[1], "many") == 0 ? make_many(number) : 2;
}
