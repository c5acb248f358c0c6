/* SPDX-License-Identifier: MIT */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

pid_t pager_start(void)
{
    char name[] = "less";
    char *argv[] = {name, NULL};
    int ends[2];
    pid_t pager = 0;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    setenv("LESS", "FRXn", 1); /* quit if it fits, keep colours, leave the screen alone, no line numbers */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (posix_spawnp(&pager, name, &actions, NULL, argv, environ) == 0)
        dup2(ends[1], STDOUT_FILENO);
    else
        pager = 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    close(ends[1]);
    return pager;
}

void pager_finish(pid_t pager)
{
    int status;
    fflush(stdout);
    close(STDOUT_FILENO);
    while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
        ;
    open("/dev/null", O_WRONLY); /* takes descriptor 1: nothing else may get it */
}
