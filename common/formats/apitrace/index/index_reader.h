/* SPDX-License-Identifier: MIT
 * The index of a trace file: reading side. Nothing of it is read before it is asked for.
 * Its functions return TRACE_ERR_FORMAT when the index is damaged, or does not fit what it describes.
 */
#ifndef TRACE_INDEX_READER_H
#define TRACE_INDEX_READER_H

#include "formats/apitrace/container/chunk_list.h"
#include "formats/apitrace/container/index_bytes.h"
#include "formats/apitrace/index/index_format.h"

struct trace_index;

/* Opens the index that ends, with what a container wraps it in, at file offset `end` of f, which is lent
 * until trace_index_close(). *out is NULL when there is none; TRACE_ERR_FORMAT when there is one that
 * cannot be used. The caller owns *out. */
int trace_index_open(struct trace_index **out, struct trace_file *f, const struct trace_index_wrap *wrap,
                     uint64_t end);
void trace_index_close(struct trace_index *t); /* NULL is allowed */

/* Where the file would end without the index. */
uint64_t trace_index_start(const struct trace_index *t);

/* Does it tell of times at all? */
bool trace_index_has_times(const struct trace_index *t);

/* Reads all of it. TRACE_ERR_FORMAT: a part of it is damaged. */
int trace_index_check(struct trace_index *t);

int trace_index_summary(struct trace_index *t, struct trace_summary *out);

/* Chunks in the order of the stream. They are read under a lock of the caller's, if by several threads. */
uint64_t trace_index_chunk_count(const struct trace_index *t);
int trace_index_chunk(struct trace_index *t, uint64_t index, struct trace_chunk_entry *out);

/* The chunk that holds this byte of the stream. */
int trace_index_find_chunk(struct trace_index *t, uint64_t stream_offset, uint64_t *index,
                           struct trace_chunk_entry *out);

uint64_t trace_index_segment_count(const struct trace_index *t);
int trace_index_segment(struct trace_index *t, uint64_t index, struct trace_segment *out);

/* The last segment before which no call of this number or a higher one is entered. */
int trace_index_find_segment(struct trace_index *t, uint64_t call, uint64_t *index,
                             struct trace_segment *out);

/* Frames, and behind them an entry for the calls after the last one. */
uint64_t trace_index_frame_count(const struct trace_index *t); /* that entry included */
int trace_index_frame(struct trace_index *t, uint64_t index, struct trace_frame_entry *out);

/* The number of frames that end before this byte of the stream, or at it. */
int trace_index_find_frame(struct trace_index *t, uint64_t stream_offset, uint64_t *frame);

/* The sections of signatures and times, as bytes. */
uint64_t trace_index_section_size(const struct trace_index *t, enum trace_section_kind kind);
uint64_t trace_index_section_stored_size(const struct trace_index *t, enum trace_section_kind kind);
int trace_index_read_section(struct trace_index *t, enum trace_section_kind kind, uint64_t at, void *bytes,
                             size_t count);

#endif
