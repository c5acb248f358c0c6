/* SPDX-License-Identifier: MIT
 * Parses signatures: an id, followed at its first occurrence by the body that defines it.
 */
#ifndef TRACE_PARSER_SIGNATURES_H
#define TRACE_PARSER_SIGNATURES_H

#include "formats/apitrace/parse/parser_bytes.h"

int trace_parse_function_sig(struct trace_parser *s, const struct trace_function_sig **out);
int trace_parse_enum_sig(struct trace_parser *s, const struct trace_enum_sig **out);
int trace_parse_bitmask_sig(struct trace_parser *s, const struct trace_bitmask_sig **out);
int trace_parse_struct_sig(struct trace_parser *s, const struct trace_struct_sig **out);
int trace_parse_frame(struct trace_parser *s, struct trace_frame *out);
/* A signature that is only needed in the table. */
int trace_parse_sig(struct trace_parser *s, enum trace_sig_kind kind);

#endif
