/* SPDX-License-Identifier: MIT
 * Copies of calls that outlive what a reader lends.
 */
#ifndef TRACE_CALL_COPY_H
#define TRACE_CALL_COPY_H

#include "base/arena.h"
#include "trace/model.h"

/* Copies a call with its values, blobs and strings into the arena. Signatures, and the texts of frames, are
 * still those of the reader. Copies that are made one after the other are next to each other in memory.
 * Returns NULL, with the message set, if there is no memory. */
struct trace_call *trace_call_copy(struct arena *arena, const struct trace_call *call);

#endif
