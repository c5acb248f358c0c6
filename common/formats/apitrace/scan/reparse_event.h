/* SPDX-License-Identifier: MIT
 * Parses an event that the scan rejects with the parser, which decides whether it is valid and has a better
 * error message. Private to raw_events.c and reparse_event.c.
 */
#ifndef TRACE_REPARSE_EVENT_H
#define TRACE_REPARSE_EVENT_H

#include "formats/apitrace/parse/parser_bytes.h"

/* Parses the event as the reader does. The window may only contain a part of it. number: number of the call,
 * for an enter event. sig: signature of the call that returns, or NULL. First discards definitions since the
 * last commit. Returns the parser's result; s->p is where it stopped. */
int trace_reparse_event(struct trace_parser *s, const uint8_t *event, uint64_t number,
                        const struct trace_function_sig *sig);

#endif
