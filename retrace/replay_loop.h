/* SPDX-License-Identifier: MIT
 * A whole replay: all calls of a trace, with the frames that are replayed again.
 */
#ifndef RETRACE_REPLAY_LOOP_H
#define RETRACE_REPLAY_LOOP_H

#include "replayer.h"

/* Replays the trace, by one thread for each traced thread, or by this one alone. Errors end the replay; so do
 * signals (replay_signals.h), and the user who closes a window. A trace that is cut off is not an error: its
 * calls are replayed, and a warning is printed. */
int replay_trace(struct replayer *r);

#endif
