/* SPDX-License-Identifier: MIT
 * What the parser says of an event that the scan does not accept: it is the one that decides, and it knows
 * more to tell.
 * Private to raw_events.c and reparse_event.c.
 */
#ifndef TRACE_REPARSE_EVENT_H
#define TRACE_REPARSE_EVENT_H

#include "formats/apitrace/parse/parser_bytes.h"

/* Parses the event as the reader does, of which the window may have a part. number: of the call, if it is
 * entered. sig: of the call that is left, or NULL. What was defined since the last commit is forgotten first.
 * Returns what the parser does; s->p is where it stopped. */
int trace_reparse_event(struct trace_parser *s, const uint8_t *event, uint64_t number,
                        const struct trace_function_sig *sig);

#endif
