/* SPDX-License-Identifier: MIT
 * Formats strings in quotes, escaped in the formatter's style. Errors are noted in the formatter.
 */
#ifndef TRACE_CALL_TEXT_STRINGS_H
#define TRACE_CALL_TEXT_STRINGS_H

#include "trace/text/call_text_types.h"

/* count does not include the NUL after the last byte or character. */
void trace_call_text_put_string(struct trace_call_text *f, const char *string, size_t count);
void trace_call_text_put_wstring(struct trace_call_text *f, const uint32_t *string, size_t count);

#endif
