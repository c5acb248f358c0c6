/* SPDX-License-Identifier: MIT
 * Calls as text, byte for byte like `apitrace dump` (its rules: tests/data/all-types.dump.txt has an example
 * of each). Text is appended to a buffer that the caller writes out.
 */
#ifndef TRACE_CALL_TEXT_H
#define TRACE_CALL_TEXT_H

#include "trace/text/call_text_types.h"

/* A formatter is large: keep it off the stack. One from calloc() is zeroed; its pages are first touched where
 * they are used. */
void trace_call_text_init(struct trace_call_text *f, const struct trace_call_text_style *style);
void trace_call_text_init_zeroed(struct trace_call_text *f, const struct trace_call_text_style *style);
/* Many calls are to come: the pages are made ready at once. */
void trace_call_text_expect_many(struct trace_call_text *f);
void trace_call_text_fini(struct trace_call_text *f);

/* Signatures that the formatter has seen are about to be freed. */
void trace_call_text_forget_signatures(struct trace_call_text *f);

/* A line for a property of the trace. */
int trace_call_text_add_property(struct trace_call_text *f, const struct trace_property *property);

/* The call with its backtrace, and the blank line after a frame. TRACE_ERR_IO when a blob could not be
 * written. */
int trace_call_text_add(struct trace_call_text *f, const struct trace_call *call);

/* The frames of its backtrace alone, a line each. */
int trace_call_text_add_frames(struct trace_call_text *f, const struct trace_call *call);

#endif
