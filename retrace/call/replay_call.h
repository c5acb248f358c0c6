/* SPDX-License-Identifier: MIT
 * Replays a call: runs its handler, reports errors, and takes snapshots.
 */
#ifndef RETRACE_REPLAY_CALL_H
#define RETRACE_REPLAY_CALL_H

#include "call/ready_call.h"
#include "replayer.h"

/* Replays a call, or consecutive plain ones. A call that cannot be replayed is reported and counted. A
 * returned error ends the replay. */
int replay_ready_call(struct replayer *r, const struct ready_call *ready);

/* Does the same for a call whose function may not have been looked up. */
int replay_call(struct replayer *r, const struct trace_call *call);

#endif
