/* SPDX-License-Identifier: MIT
 * A whole replay: all calls of a trace, then the last frame as many more times as the options request.
 */
#ifndef RETRACE_REPLAY_LOOP_H
#define RETRACE_REPLAY_LOOP_H

#include "replayer.h"

/* Replays the trace. Errors end the replay. A trace that is cut off is not an error: its calls are replayed,
 * and a warning is printed. */
int replay_trace(struct replayer *r);

#endif
