/* SPDX-License-Identifier: MIT
 * Writes compressed files that contain an event stream.
 */
#ifndef TRACE_CONTAINER_H
#define TRACE_CONTAINER_H

#include "formats/apitrace/container/chunk_list.h"
#include "trace/container_kind.h"

#include <stddef.h>
#include <stdint.h>

struct trace_output;

/* Creates a compressed stream on file descriptor fd, which is borrowed and written from its current position.
 * level: a level that the container has, or TRACE_LEVEL_DEFAULT (container_kind.h). jobs: number of threads
 * that compress and write in the background, or 0 if the calling thread does. Brotli is a single stream, so
 * the calling thread always compresses it. Threads are started when a block is full. The caller owns *out. */
int trace_output_open_fd(struct trace_output **out, int fd, enum trace_container container, int level,
                         unsigned jobs);

/* Appends bytes of the event stream. Also returns errors that occurred in the threads since the last call.
 * The first error is permanent, and nothing more is written after it. Waits if the threads are more than a
 * few blocks behind. */
int trace_output_write(struct trace_output *o, const void *bytes, size_t count);

/* Does the same with the bytes of *bytes, and clears it; or it only takes those that fill a chunk, and leaves
 * the rest there. It may exchange the buffer's memory for other memory, so that nothing is copied. */
struct buf;
int trace_output_take(struct trace_output *o, struct buf *bytes);

/* Does the same with the bytes of a chunk from trace_input_next_chunk(), without copying them if possible.
 * Takes over a reference to the chunk, even if it fails. */
struct trace_chunk;
int trace_output_write_chunk(struct trace_output *o, struct trace_chunk *chunk);

/* Ends the current chunk and waits until everything written so far can be read back from the file. */
int trace_output_flush(struct trace_output *o);

/* Flushes the stream, completes the container and frees o, even if it fails. Does not close fd. */
int trace_output_close(struct trace_output *o);

/* Makes trace_output_close() call write, which appends what follows the stream and stores its size in bytes
 * in *size. chunks are all chunks of the file, which ends at `start`. If write fails, trace_output_close()
 * returns its error, but the trace is complete. */
struct trace_codec;
typedef int (*trace_output_index_writer)(void *context, const struct trace_codec *codec,
                                         const struct trace_chunk_list *chunks, int fd, uint64_t start,
                                         uint64_t *size);
void trace_output_set_index_writer(struct trace_output *o, trace_output_index_writer write, void *context);

/* Returns the chunks in the file; after a flush, these are all chunks. Lent until the next call on o. */
const struct trace_chunk_list *trace_output_chunks(const struct trace_output *o);

#endif
