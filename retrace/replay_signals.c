/* SPDX-License-Identifier: MIT */
#include "replay_signals.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

volatile sig_atomic_t replay_signal;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT_COUNT = sizeof caught / sizeof *caught };

static unsigned seconds_to_notice;

static void catch (int number)
{
    replay_signal = number;
    alarm(seconds_to_notice);
}

/* SIGALRM: a call of the driver does not return. */
static void give_up(int number)
{
    static const char message[] = "error: interrupted, but the current call does not return\n";
    (void)number;
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
        alarm(0); /* there is nothing to be done about it */
    signal(replay_signal, SIG_DFL);
    raise(replay_signal);
}

bool replay_signals_notice(void)
{
    alarm(0);
    return true;
}

void replay_signals_catch(unsigned seconds)
{
    seconds_to_notice = seconds;
    signal(SIGALRM, give_up);
    struct sigaction action = {.sa_handler = catch, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CAUGHT_COUNT; ++i)
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(caught[i], &action, NULL);
}

void replay_signals_end(void)
{
    if (!replay_is_interrupted())
        return;
    fflush(NULL);
    signal(replay_signal, SIG_DFL);
    raise(replay_signal);
}
