/* SPDX-License-Identifier: MIT
 * Parses values (docs/trace-format.md, "Values").
 */
#ifndef TRACE_PARSER_VALUES_H
#define TRACE_PARSER_VALUES_H

#include "formats/apitrace/parse/parser_bytes.h"

/* Parses a value. Its memory is allocated in s->record. */
int trace_parse_value(struct trace_parser *s, struct trace_value *out);

#endif
