/* SPDX-License-Identifier: MIT
 * A whole replay: all calls of a trace, and the last frame again as often as asked.
 */
#ifndef RETRACE_REPLAY_LOOP_H
#define RETRACE_REPLAY_LOOP_H

#include "replayer.h"

/* Replays the trace. Errors end the replay early. That a trace is cut off is none: what is there is replayed,
 * and a warning printed. */
int replay_trace(struct replayer *r);

#endif
