/* SPDX-License-Identifier: MIT
 * A whole replay: all calls of a trace, and the last frame again as often as asked.
 */
#ifndef RETRACE_REPLAY_LOOP_H
#define RETRACE_REPLAY_LOOP_H

#include "replayer.h"

/* Replays the trace. Errors end the replay early; *truncated tells whether the trace ended inside an event,
 * which is no error: what is there was replayed, and the warning printed. */
int replay_trace(struct replayer *r, bool *truncated);

#endif
