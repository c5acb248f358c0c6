/* SPDX-License-Identifier: MIT */
#include "replay_signals.h"

#include <stddef.h>
#include <stdio.h>

volatile sig_atomic_t replay_signal;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT_COUNT = sizeof caught / sizeof *caught };

static void catch (int number)
{
    replay_signal = number;
}

void replay_signals_catch(void)
{
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
