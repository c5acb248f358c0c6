/* SPDX-License-Identifier: MIT
 * Ctrl-C and the like end a replay as the end of the trace does: with a summary, and with whole files.
 */
#ifndef RETRACE_REPLAY_SIGNALS_H
#define RETRACE_REPLAY_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* The signal that has been caught, or 0. */
extern volatile sig_atomic_t replay_signal;

/* Catches the first SIGINT, SIGTERM or SIGHUP, unless it is ignored. A second one ends the process at once,
 * and so does the first if it is not noticed within so many seconds, because a call of the driver does not
 * return.
 */
void replay_signals_catch(unsigned seconds);

/* Ends that time. Returns true. */
bool replay_signals_notice(void);

static inline bool replay_is_interrupted(void)
{
    return replay_signal != 0 && replay_signals_notice();
}

/* Ends the process by the signal that was caught, so that a shell sees it. Returns if there was none. */
void replay_signals_end(void);

#endif
