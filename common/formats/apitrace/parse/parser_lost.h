/* SPDX-License-Identifier: MIT
 * Handles signatures whose definitions were lost to damage.
 */
#ifndef TRACE_PARSER_LOST_H
#define TRACE_PARSER_LOST_H

#include "formats/apitrace/parse/parser_bytes.h"

/* Decides in a damaged stream whether the definition of the unknown id before s->p follows (0 and *yes) or
 * was lost. If it was lost, a placeholder without a name is defined. Calls of functions whose name was lost
 * have the name "?". */
int trace_parse_is_defined(struct trace_parser *s, enum trace_sig_kind kind, bool *yes);
int trace_parse_lost_function(struct trace_parser *s, uint32_t id, const struct trace_function_sig **out);
int trace_parse_lost_enum(struct trace_parser *s, uint32_t id, const struct trace_enum_sig **out);
int trace_parse_lost_bitmask(struct trace_parser *s, uint32_t id, const struct trace_bitmask_sig **out);
int trace_parse_lost_frame(struct trace_parser *s, uint32_t id, struct trace_frame *out);

/* Only valid for a damaged stream; in others "?" is an ordinary name. */
static inline bool trace_function_is_lost(const struct trace_function_sig *sig)
{
    return sig->name[0] == '?' && sig->name[1] == '\0';
}

#endif
