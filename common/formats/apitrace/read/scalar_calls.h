/* SPDX-License-Identifier: MIT
 * Writes the text of calls straight from their bytes. Most calls are entered and left at once and have only
 * scalars as arguments, and for those a struct trace_call costs more than the text.
 */
#ifndef TRACE_SCALAR_CALLS_H
#define TRACE_SCALAR_CALLS_H

#include "formats/apitrace/read/reader.h"
#include "trace/text/call_text.h"

/* Appends the text of consecutive calls of a batch (reader_batches.h), as trace_call_text_add() would for the
 * calls that trace_reader_next_call() returns. Stops at a call that needs those functions: one with other
 * values, a backtrace or new signatures, one that overlaps with others, one of a function whose calls may be
 * verbose unless verbose is set, and the last one of the batch. Appends nothing if the style has colours or
 * times. Returns the number of calls. */
uint64_t trace_reader_put_scalar_calls(struct trace_reader *clone, struct trace_call_text *f, bool verbose);

#endif
