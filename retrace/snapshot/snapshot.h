/* SPDX-License-Identifier: MIT
 * Snapshots: pictures of the framebuffer after a call, or before a swap.
 */
#ifndef RETRACE_SNAPSHOT_H
#define RETRACE_SNAPSHOT_H

#include "replayer.h"

/* Takes and writes a snapshot if the options request one for this call. before: the call has not been made
 * yet. Snapshots of swaps and framebuffer binds are taken then, since these calls end what is drawn. Errors:
 * TRACE_ERR_IO if it, or an earlier one, cannot be written; this ends the replay. */
int snapshot_at(struct replayer *r, const struct trace_call *call, bool before);

/* Waits until all snapshots are written. Errors: TRACE_ERR_IO. */
int snapshot_finish(struct replayer *r);

/* Returns true after the call with the highest number of those that are requested. */
bool snapshot_is_complete(const struct replayer *r);

/* Returns true if a snapshot is requested for this call. Fast. */
bool snapshot_wanted(const struct replayer *r, const struct trace_call *call);

/* Fails if files with the prefix cannot be created, because there is no such directory, or it cannot be
 * written. Errors: TRACE_ERR_IO. */
int snapshot_check_prefix(const struct replay_options *options);

#endif
