/* SPDX-License-Identifier: MIT
 * Copies an event stream byte for byte and indexes it at the same time.
 */
#ifndef TRACE_STREAM_COPY_H
#define TRACE_STREAM_COPY_H

#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/input.h"

/* Passes the entire stream to sink in chunks, from its first byte, and adds its events to b, with their times
 * if the source has an index with times. e must have been opened just before. If the stream contains
 * something that is not an event, it is still copied to its end, but *indexed is false, b must not be used,
 * and the error message says what is wrong. */
int trace_stream_copy(struct trace_raw_events *e, trace_input_tee sink, void *context,
                      struct trace_index_builder *b, bool *indexed);

#endif
