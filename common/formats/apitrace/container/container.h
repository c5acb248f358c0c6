/* SPDX-License-Identifier: MIT
 * The compressed files around an event stream: writing side.
 */
#ifndef TRACE_CONTAINER_H
#define TRACE_CONTAINER_H

#include "trace/container_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More threads than that are not started for one file. */
#define TRACE_OUTPUT_MAX_JOBS 64

/* What can be decompressed alone: a Snappy chunk (without its length field), a gzip member, a Zstandard
 * frame, or a whole Brotli stream. */
struct trace_chunk_entry {
    uint64_t file_offset; /* of the compressed bytes */
    uint64_t length;      /* compressed bytes */
    uint64_t stream_offset;
    uint64_t size;             /* bytes of the event stream */
    uint64_t checksum;         /* XXH64 of the compressed bytes, with seed 0 */
    uint32_t content_checksum; /* Zstandard only, else 0: low 32 bits of the bytes' XXH64 with seed 0 */
};

struct trace_chunk_list {
    struct trace_chunk_entry *entries;
    size_t count;
    size_t room;
};

int trace_chunk_list_add(struct trace_chunk_list *list, const struct trace_chunk_entry *entry);

struct trace_output;

/* Opens a compressed stream on file descriptor fd (borrowed, written from its present offset). level: zlib
 * 1-9, brotli quality 0-11, zstd 1-22, or TRACE_LEVEL_DEFAULT (zlib 9, brotli 11, zstd 3). jobs: how many
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

/* Has trace_output_close() write the trailer, an index of the trace (docs/trace-format.md), from b, which has
 * been told of every event by then, and from the chunks. b is lent until then. What is wrong with b is an
 * error of trace_output_close(), but leaves a complete trace without trailer. */
struct trace_index_builder;
void trace_output_attach_index(struct trace_output *o, struct trace_index_builder *b);

/* The chunks that are in the file by now: all after a flush. Lent until the next call with o. */
const struct trace_chunk_list *trace_output_chunks(const struct trace_output *o);

/* The reading side at byte level: the decompressed event stream of any container. */
struct trace_input;
/* path "-": the standard input. It may be a pipe, as may any file; then nothing is read twice. */
int trace_input_open(struct trace_input **out, const char *path);
/* Up to count bytes into bytes; *got 0 at the end. TRACE_ERR_TRUNCATED or TRACE_ERR_FORMAT after the last
 * good byte. */
int trace_input_read(struct trace_input *in, void *bytes, size_t count, size_t *got);
/* The same of a file that was probed, which is taken over if that succeeds. */
struct trace_probe;
int trace_input_open_probed(struct trace_input **out, struct trace_probe *probe);
/* Can the probed file be a container? by_mark: it begins with the mark of one; else it is at most Brotli,
 * which has none. */
bool trace_input_accepts(const struct trace_probe *probe, bool *by_mark);
void trace_input_close(struct trace_input *in);

#endif
