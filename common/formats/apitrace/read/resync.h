/* SPDX-License-Identifier: MIT
 * Finds the next event after a damaged part of the stream. Events have no sync marker, so the search looks
 * for a position from which many events follow each other with consistent call numbers.
 */
#ifndef TRACE_RESYNC_H
#define TRACE_RESYNC_H

#include "formats/apitrace/read/stream.h"

/* Moves to the next event that can be recognised after damage, which the current error message describes. The
 * search starts after `from` in the window, or in the next chunk if `from` is the end of the window.
 * *next_number is the lowest number that no call has yet; it is updated to that of the next call to be
 * entered. *found is false at the end of the stream, and if chunks are not independent. Returns
 * TRACE_ERR_DAMAGED with a message that says what is lost, or another error. */
int trace_resync(struct trace_stream *st, const uint8_t *from, uint64_t *next_number, bool *found);

#endif
