/* SPDX-License-Identifier: MIT */
#include "shell/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* For the signal handlers. */
static pid_t running;
static int status_when_left;

static void wait_for(pid_t pager)
{
    while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* The user has left the pager. */
static void leave(int signal_number)
{
    (void)signal_number;
    wait_for(running);
    _exit(status_when_left);
}

/* Ctrl-C reaches both programs. The pager continues, and must keep the terminal until the user leaves it. */
static void end_after_pager(int signal_number)
{
    close(STDOUT_FILENO);
    wait_for(running);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void watch(pid_t pager, int status)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = leave};
    running = pager;
    status_when_left = status;
    sigfillset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
    action.sa_handler = end_after_pager;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; ++i)
        sigaction(ending[i], &action, NULL);
}

pid_t pager_start(int status)
{
    char shell[] = "sh", option[] = "-c", less[] = "less";
    char *program = getenv("PAGER");
    char *argv[] = {shell, option, program, NULL};
    char *default_argv[] = {less, NULL};
    int ends[2];
    pid_t pager = 0;
    posix_spawn_file_actions_t actions;
    if (program != NULL && (program[0] == '\0' || strcmp(program, "cat") == 0))
        return 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    setenv("LESS", "FRXn", 0); /* the default, which the user may override: quit if the text fits on the
                                  screen, keep colours, do not clear the screen, no line numbers */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (posix_spawnp(&pager, program != NULL ? shell : less, &actions, NULL,
                     program != NULL ? argv : default_argv, environ) == 0) {
        dup2(ends[1], STDOUT_FILENO);
        watch(pager, status);
    } else {
        pager = 0;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    close(ends[1]);
    return pager;
}

void pager_finish(pid_t pager)
{
    fflush(stdout);
    close(STDOUT_FILENO);
    wait_for(pager);
    open("/dev/null", O_WRONLY); /* occupies descriptor 1, so that nothing else gets it */
}
