/* SPDX-License-Identifier: MIT
 * Signatures whose definition was in a damaged part of the stream.
 */
#ifndef TRACE_PARSER_LOST_H
#define TRACE_PARSER_LOST_H

#include "formats/apitrace/parse/parser_bytes.h"

/* In a damaged stream: is the unknown id before s->p followed by its definition (0 and *yes), or was that
 * lost? Then something stands in for it, under no name. Calls of functions whose name is lost have the name
 * "?". */
int trace_parse_is_defined(struct trace_parser *s, enum trace_sig_kind kind, bool *yes);
int trace_parse_lost_function(struct trace_parser *s, uint32_t id, const struct trace_function_sig **out);
int trace_parse_lost_enum(struct trace_parser *s, uint32_t id, const struct trace_enum_sig **out);
int trace_parse_lost_bitmask(struct trace_parser *s, uint32_t id, const struct trace_bitmask_sig **out);
int trace_parse_lost_frame(struct trace_parser *s, uint32_t id, struct trace_frame *out);

/* Of a damaged stream; in others it is a name like any other. */
static inline bool trace_function_is_lost(const struct trace_function_sig *sig)
{
    return sig->name[0] == '?' && sig->name[1] == '\0';
}

#endif
