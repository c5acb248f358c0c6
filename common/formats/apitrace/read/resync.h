/* SPDX-License-Identifier: MIT
 * Finds the next event behind a damaged part of the stream. Nothing marks events: what is looked for is a
 * place from which on many of them follow each other, and agree about the numbers of their calls.
 */
#ifndef TRACE_RESYNC_H
#define TRACE_RESYNC_H

#include "formats/apitrace/read/stream.h"

/* Moves on to the next event that can be made out behind the damage which the present message tells of: after
 * `from` in the window, or, if that is the window's end, in the chunk behind it. *next_number is the first
 * number that no call has yet; it becomes that of the next call to begin. *found is false at the stream's
 * end, and where chunks depend on those before. Returns TRACE_ERR_DAMAGED, whose message tells of what is
 * lost, or another error. */
int trace_resync(struct trace_stream *st, const uint8_t *from, uint64_t *next_number, bool *found);

#endif
