/* SPDX-License-Identifier: MIT
 * Formats calls as text, byte for byte like `apitrace dump`; tests/data/all-types.dump.txt shows an example
 * of each rule. The text is appended to a buffer that the caller writes out.
 */
#ifndef TRACE_CALL_TEXT_H
#define TRACE_CALL_TEXT_H

#include "trace/text/call_text_types.h"

/* Initialises a formatter. A formatter is large, so allocate it with calloc(), not on the stack: its memory
 * pages are then first touched when they are used. */
void trace_call_text_init(struct trace_call_text *f, const struct trace_call_text_style *style);
void trace_call_text_init_zeroed(struct trace_call_text *f, const struct trace_call_text_style *style);
/* Touches the formatter's memory pages at once. Call it if many calls will follow. */
void trace_call_text_expect_many(struct trace_call_text *f);
void trace_call_text_fini(struct trace_call_text *f);

/* Call this before signatures are freed that the formatter has been used with. */
void trace_call_text_forget_signatures(struct trace_call_text *f);

/* Appends a line for a property of the trace. Errors: TRACE_ERR_MEMORY. */
int trace_call_text_add_property(struct trace_call_text *f, const struct trace_property *property);

/* Appends the call with its backtrace, and a blank line after the end of a frame. Errors: TRACE_ERR_MEMORY,
 * TRACE_ERR_IO (a blob cannot be written). */
int trace_call_text_add(struct trace_call_text *f, const struct trace_call *call);

/* Appends only the columns with the time of entry and the duration, whatever the style says. */
void trace_call_text_add_times(struct trace_call_text *f, const struct trace_call *call);

/* Appends only the frames of the call's backtrace, one on each line. Errors: TRACE_ERR_MEMORY. */
int trace_call_text_add_frames(struct trace_call_text *f, const struct trace_call *call);

#endif
