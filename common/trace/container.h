/* SPDX-License-Identifier: MIT
 * The compressed files around an event stream: writing side.
 */
#ifndef TRACE_CONTAINER_H
#define TRACE_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

enum trace_container {
    TRACE_CONTAINER_SNAPPY,
    TRACE_CONTAINER_ZLIB,
    TRACE_CONTAINER_BROTLI,
    TRACE_CONTAINER_ZSTD, /* seekable; any reader of Zstandard streams takes it too */
};

/* A part of the file that can be decompressed by itself: a Snappy chunk, a Zstandard frame, a gzip member; or
 * the whole stream. */
struct trace_chunk_entry {
    uint64_t file_offset;   /* of the compressed bytes */
    uint64_t length;        /* of them */
    uint64_t stream_offset; /* of the decompressed bytes */
    uint64_t size;          /* of them */
    uint64_t checksum;      /* XXH64, seed 0, of the compressed bytes */
};

#define TRACE_LEVEL_DEFAULT (-1)

struct trace_output;

/* Opens a compressed stream on file descriptor fd (borrowed, written from its present offset). level: zlib
 * 1-9, brotli quality 0-11, zstd 1-22, or TRACE_LEVEL_DEFAULT (zlib 9, brotli 11, zstd 3). The caller owns
 * *out. */
int trace_output_open_fd(struct trace_output **out, int fd, enum trace_container container, int level);

/* Appends bytes of the event stream. */
int trace_output_write(struct trace_output *o, const void *bytes, size_t count);

/* Ends the current chunk, so that all written so far can be read back from the file. */
int trace_output_flush(struct trace_output *o);

/* Flushes, ends the container and frees o, also when it fails. Does not close fd. */
int trace_output_close(struct trace_output *o);

/* The reading side at byte level: the decompressed event stream of any container. */
struct trace_input;
/* path "-": the standard input. It may be a pipe, as may any file; then nothing is read twice. */
int trace_input_open(struct trace_input **out, const char *path);
/* Up to count bytes into bytes; *got 0 at the end. ERR_TRUNCATED or ERR_FORMAT after the last good byte. */
int trace_input_read(struct trace_input *in, void *bytes, size_t count, size_t *got);
void trace_input_close(struct trace_input *in);

#endif
