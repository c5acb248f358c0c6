/* SPDX-License-Identifier: MIT
 * The compressed files around an event stream: writing side.
 */
#ifndef TRACE_CONTAINER_H
#define TRACE_CONTAINER_H

#include "formats/apitrace/container/chunk_list.h"
#include "trace/container_kind.h"

#include <stddef.h>
#include <stdint.h>

struct trace_output;

/* Opens a compressed stream on file descriptor fd (borrowed, written from its present offset). level: zlib
 or TRACE_LEVEL_DEFAULT (container_kind.h). jobs: how many
 * threads compress and write behind the caller; with 0 it is the caller itself. Brotli, one stream, is
 * always compressed by the caller. Threads start when there is a whole block for them. The caller owns
 * *out. */
int trace_output_open_fd(struct trace_output **out, int fd, enum trace_container container, int level,
                         unsigned jobs);

/* Appends bytes of the event stream. Returns also what went wrong since the last call in the threads; what
 * was first stays, and nothing more is written. Waits while the threads are behind by more than a few
 * blocks. */
int trace_output_write(struct trace_output *o, const void *bytes, size_t count);

/* The same with the bytes of a chunk of trace_input_next_chunk(), which are not copied if that can be helped.
 * Takes over a reference, also when it fails. */
struct trace_chunk;
int trace_output_write_chunk(struct trace_output *o, struct trace_chunk *chunk);

/* Ends the current chunk and waits: all written so far can be read back from the file. */
int trace_output_flush(struct trace_output *o);

/* Flushes, ends the container and frees o, also when it fails. Does not close fd. */
int trace_output_close(struct trace_output *o);

/* Has trace_output_close() call write, to append what follows the stream: its length in bytes into *size.
 * chunks are all that are in the file, which ends at `start`. An error of write's is one of
 * trace_output_close(), but leaves a complete trace. */
struct trace_codec;
typedef int (*trace_output_index_writer)(void *context, const struct trace_codec *codec,
                                         const struct trace_chunk_list *chunks, int fd, uint64_t start,
                                         uint64_t *size);
void trace_output_set_index_writer(struct trace_output *o, trace_output_index_writer write, void *context);

/* The chunks that are in the file by now: all after a flush. Lent until the next call with o. */
const struct trace_chunk_list *trace_output_chunks(const struct trace_output *o);

#endif
