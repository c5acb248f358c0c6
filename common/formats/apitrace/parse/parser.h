/* SPDX-License-Identifier: MIT
 * Parses events into call records. TRACE_PARSE_MORE: the window ends inside the event.
 */
#ifndef TRACE_PARSER_H
#define TRACE_PARSER_H

#include "formats/apitrace/parse/call_record.h"
#include "formats/apitrace/parse/parser_bytes.h"

/* After the event's tag: all of an enter event, into an empty record. */
int trace_parse_enter(struct trace_parser *s, struct trace_call_record *record);

/* After the number of a leave event: its details, into the record of the enter. */
int trace_parse_leave(struct trace_parser *s, struct trace_call_record *record);

#endif
