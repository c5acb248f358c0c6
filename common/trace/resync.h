/* SPDX-License-Identifier: MIT
 * Finds the next event behind a damaged part of the stream. Nothing marks events: what is looked for is a
 * place from which on many of them follow each other, and agree about the numbers of their calls.
 */
#ifndef TRACE_RESYNC_H
#define TRACE_RESYNC_H

#include "trace/parser.h"

/* Looks at the window from `from` on. next_number: the first number that no call has yet. True: *event is the
 * place, *number the number of the next call to begin there. */
bool trace_resync_find(struct trace_parser *s, const uint8_t *from, uint64_t next_number,
                       const uint8_t **event, uint64_t *number);

#endif
