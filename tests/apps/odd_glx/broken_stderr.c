/* SPDX-License-Identifier: MIT
 * Nobody reads the program's standard error any more when the recorder prints a message. The program must not
 * get a signal for that, neither then nor later.
 *
 * count: 20 glColor4ub\(
 */
#include <GL/gl.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

int main(void)
{
    int fds[2];
    sigset_t pending;
    if (pipe(fds) != 0 || dup2(fds[1], STDERR_FILENO) < 0)
        return 99;
    close(fds[0]);
    close(fds[1]);
    signal(SIGPIPE, count_signal);
    setenv("TRACE_CLI_API", "no such thing", 1); /* causes a message */
    errno = ESRCH;
    for (int i = 0; i < 20; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    printf("errno is %s\n", errno == ESRCH ? "kept" : "another");
    sigpending(&pending);
    printf("%d signals, %d pending\n", (int)signals, sigismember(&pending, SIGPIPE));
    if (write(STDERR_FILENO, "x", 1) < 0)
        printf("one's own: %d signals\n", (int)signals);
    return 0;
}
