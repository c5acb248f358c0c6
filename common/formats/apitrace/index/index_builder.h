/* SPDX-License-Identifier: MIT
 * Collects what the index of a trace says while its events go by, in bounded memory.
 */
#ifndef TRACE_INDEX_BUILDER_H
#define TRACE_INDEX_BUILDER_H

#include "formats/apitrace/raw_event.h"

struct trace_index_builder;

/* The caller owns *out. */
int trace_index_builder_new(struct trace_index_builder **out);
void trace_index_builder_free(struct trace_index_builder *b); /* NULL is allowed */

/* The next event of the stream; all of them, in order. Uses tag, call, offset, size, skipped, sig (its flags;
 * of a leave, NULL means that it belongs to no call), time, bytes and definitions. An event that is_part adds
 * its definitions only; the complete one must follow, with the others. */
int trace_index_builder_add(struct trace_index_builder *b, const struct trace_raw_event *event);

/* An event that defines nothing and ends no frame. */
struct trace_plain_event {
    uint64_t call; /* its number */
    int64_t time;  /* nanoseconds, or TRACE_NO_TIME */
    bool is_leave;
};

/* The next count events of the stream; the last one ends at `end` in it. All of them begin before
 * trace_index_builder_segment_end(). */
int trace_index_builder_add_plain(struct trace_index_builder *b, const struct trace_plain_event *events,
                                  size_t count, uint64_t end);

/* The next calls of the stream, at least one, numbered from first on: each is left right after it was
 * entered, defines nothing, ends no frame and has no known times; the last one ends at `end` in the stream.
 * All their events begin before trace_index_builder_segment_end(). */
int trace_index_builder_add_calls(struct trace_index_builder *b, uint64_t first, uint64_t count,
                                  uint64_t end);

/* An event that begins there in the stream, or behind it, begins a segment of the index. */
uint64_t trace_index_builder_segment_end(const struct trace_index_builder *b);

/* What the wall clock showed, in nanoseconds since 1970-01-01 UTC, when the clock of the events' times was 0.
 */
void trace_index_builder_set_wall_clock(struct trace_index_builder *b, int64_t nanoseconds);

struct trace_module;

/* Adds a module of the backtraces. */
int trace_index_builder_add_module(struct trace_index_builder *b, const struct trace_module *m);

struct trace_section_writer;

/* Completes the sections (but for the one of chunks, which is empty) of a stream of so many bytes, and lends
 * them: an array indexed by enum trace_section_kind. To be called once. */
int trace_index_builder_finish(struct trace_index_builder *b, uint64_t stream_bytes,
                               struct trace_section_writer **sections);

/* Segments of at least so many bytes of the stream, for tests: small traces have several then. */
void trace_index_builder_set_segment_bytes(struct trace_index_builder *b, uint64_t bytes);

#endif
