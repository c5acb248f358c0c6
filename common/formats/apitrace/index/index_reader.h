/* SPDX-License-Identifier: MIT
 * Reads the index of a trace file. Each part is only read when it is needed. The functions return
 * TRACE_ERR_FORMAT if the index is damaged or does not match the trace.
 */
#ifndef TRACE_INDEX_READER_H
#define TRACE_INDEX_READER_H

#include "formats/apitrace/container/chunk_list.h"
#include "formats/apitrace/container/index_bytes.h"
#include "formats/apitrace/index/index_format.h"

struct trace_index;

/* Opens the index that ends at file offset `end` of f, including what the container wraps around it. f is
 * lent until trace_index_close(). *out is NULL if there is no index. The caller owns *out. Errors:
 * TRACE_ERR_FORMAT (the index cannot be used), TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int trace_index_open(struct trace_index **out, struct trace_file *f, const struct trace_index_wrap *wrap,
                     uint64_t end);
void trace_index_close(struct trace_index *t); /* t may be NULL */

/* Returns the file offset where the index begins; without the index, the file would end there. */
uint64_t trace_index_start(const struct trace_index *t);

/* Returns true if the index contains times. */
bool trace_index_has_times(const struct trace_index *t);

/* Reads the whole index. Errors: TRACE_ERR_FORMAT if a part of it is damaged. */
int trace_index_check(struct trace_index *t);

int trace_index_summary(struct trace_index *t, struct trace_summary *out);

/* Returns the nanoseconds from 1970-01-01 UTC to time 0 of the trace's clock, or TRACE_NO_TIME if they are
 * not known. t may be NULL. */
int64_t trace_index_wall_clock(struct trace_index *t);

/* Chunks are in stream order. If several threads read them, the caller must hold a lock. */
uint64_t trace_index_chunk_count(const struct trace_index *t);
int trace_index_chunk(struct trace_index *t, uint64_t index, struct trace_chunk_entry *out);

/* Finds the chunk that contains this byte of the stream. */
int trace_index_find_chunk(struct trace_index *t, uint64_t stream_offset, uint64_t *index,
                           struct trace_chunk_entry *out);

uint64_t trace_index_segment_count(const struct trace_index *t);
int trace_index_segment(struct trace_index *t, uint64_t index, struct trace_segment *out);

/* Finds the last segment that begins before every call with this number or a higher one. */
int trace_index_find_segment(struct trace_index *t, uint64_t call, uint64_t *index,
                             struct trace_segment *out);

/* Frames, and an additional last entry for the calls after the last frame. */
uint64_t trace_index_frame_count(const struct trace_index *t); /* including the additional entry */
int trace_index_frame(struct trace_index *t, uint64_t index, struct trace_frame_entry *out);

/* Finds the number of frames that end at or before this byte of the stream. */
int trace_index_find_frame(struct trace_index *t, uint64_t stream_offset, uint64_t *frame);

/* The sections of signatures and times, as bytes. */
uint64_t trace_index_section_size(const struct trace_index *t, enum trace_section_kind kind);
uint64_t trace_index_section_stored_size(const struct trace_index *t, enum trace_section_kind kind);
int trace_index_read_section(struct trace_index *t, enum trace_section_kind kind, uint64_t at, void *bytes,
                             size_t count);

#endif
