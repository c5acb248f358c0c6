/* SPDX-License-Identifier: MIT
 * Collects what the trailer of a trace says while its events go by, in bounded memory.
 */
#ifndef TRACE_INDEX_BUILDER_H
#define TRACE_INDEX_BUILDER_H

#include "formats/apitrace/read/raw_events.h"

struct trace_index_builder;

/* The caller owns *out. */
int trace_index_builder_new(struct trace_index_builder **out);
void trace_index_builder_free(struct trace_index_builder *b); /* NULL is allowed */

/* The next event of the stream; all of them, in order. Uses tag, call, offset, size, sig (its flags; of a
 * leave, NULL means that it belongs to no call), time, bytes and definitions. */
int trace_index_builder_add(struct trace_index_builder *b, const struct trace_raw_event *event);

/* What the wall clock showed, in nanoseconds since 1970-01-01 UTC, when the clock of the events' times was 0.
 */
void trace_index_builder_set_wall_clock(struct trace_index_builder *b, int64_t nanoseconds);

#endif
