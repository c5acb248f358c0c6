/* SPDX-License-Identifier: MIT
 * Parses events into call records. All functions may return TRACE_PARSE_MORE: the window ends inside the
 * event.
 */
#ifndef TRACE_PARSER_H
#define TRACE_PARSER_H

#include "formats/apitrace/parse/call_record.h"
#include "formats/apitrace/parse/parser_bytes.h"

/* Parses an enter event after its tag, into an empty record. */
int trace_parse_enter(struct trace_parser *s, struct trace_call_record *record);

/* Parses the details of a leave event after its call number, into the record of the enter event. */
int trace_parse_leave(struct trace_parser *s, struct trace_call_record *record);

#endif
