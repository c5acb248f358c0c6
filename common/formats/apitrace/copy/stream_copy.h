/* SPDX-License-Identifier: MIT
 * Copies an event stream, byte for byte, and has it indexed on the way.
 */
#ifndef TRACE_STREAM_COPY_H
#define TRACE_STREAM_COPY_H

#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/input.h"

/* Gives all of the stream, from its first byte, to sink, in chunks, and its events (with their times, if the
 * source has an index that tells them) to b. e has just been opened. *indexed is false if the stream is not
 * one of events to its end; it is copied all the same, b is of no use, and the message tells what is wrong.
 */
int trace_stream_copy(struct trace_raw_events *e, trace_input_tee sink, void *context,
                      struct trace_index_builder *b, bool *indexed);

#endif
