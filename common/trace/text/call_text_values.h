/* SPDX-License-Identifier: MIT
 * Formats values of all types.
 */
#ifndef TRACE_CALL_TEXT_VALUES_H
#define TRACE_CALL_TEXT_VALUES_H

#include "trace/text/call_text_types.h"

/* Errors are noted in the formatter. */
void trace_call_text_put_value(struct trace_call_text *f, const struct trace_value *v);

#endif
