/* SPDX-License-Identifier: MIT
 * Snapshots: the picture in the framebuffer after a call, or before a swap.
 */
#ifndef RETRACE_SNAPSHOT_H
#define RETRACE_SNAPSHOT_H

#include "replayer.h"

/* Takes and writes a snapshot where the options ask for one. before: the call has not been made yet.
 * Snapshots of swaps and framebuffer binds are taken then, since these calls end what is drawn. Errors of
 * writing are fatal: TRACE_ERR_IO. */
int snapshot_at(struct replayer *r, const struct trace_call *call, bool before);

/* True when a snapshot is wanted for this call; cheap. */
bool snapshot_wanted(const struct replayer *r, const struct trace_call *call);

#endif
