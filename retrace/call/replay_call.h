/* SPDX-License-Identifier: MIT
 * Replays a call: finds its function and handler, runs it, reports errors, and takes snapshots.
 */
#ifndef RETRACE_REPLAY_CALL_H
#define RETRACE_REPLAY_CALL_H

#include "replayer.h"

/* Replays a call. A call that cannot be replayed is reported and counted. A returned error ends the replay.
 */
int replay_call(struct replayer *r, const struct trace_call *call);

#endif
