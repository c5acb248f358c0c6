/* SPDX-License-Identifier: MIT
 * What a container has to provide: one struct trace_codec each (codec_snappy.c, codec_zlib.c, …),
 * listed in container.c and input.c. Everything else about reading and writing is common to all
 * (container.c, input.c).
 */
#ifndef TRACE_CODEC_H
#define TRACE_CODEC_H

#include "trace/chunk.h"
#include "trace/trace_file.h"

#include <stdbool.h>
#include <sys/types.h>

/* One piece of the stream to decompress. */
struct trace_chunk_job {
    uint64_t number;      /* position in the stream, from 0 */
    uint64_t file_offset; /* of the compressed bytes */
    uint64_t length;      /* compressed bytes */
    uint64_t claimed;     /* compressed bytes that the file says there are: more than length when it is cut */
};

struct trace_codec {
    const char *name; /* as `info` prints it */
    bool independent; /* chunks may be decompressed in any order, by several threads */

    /* Does a file that starts with these bytes look like this container? */
    bool (*matches)(struct trace_file *f, const uint8_t *head, size_t count);

    /* Reading. claim() fixes the next job and is called under a lock, in order: 1 with a job, 0 at the end,
     * or an error. produce() fills the chunk, which may stay empty; with an error the bytes in the chunk are
     * still good, and the stream ends after them. */
    int (*reader_open)(void **state, struct trace_file *f); /* lent until reader_close() */
    int (*reader_claim)(void *state, struct trace_chunk_job *job);
    int (*reader_produce)(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                          struct trace_chunk *chunk);
    void (*reader_close)(void *state);

    /* Writing; NULL if it cannot be written. flush() makes all bytes so far readable from the file; close()
     * ends the stream and frees. */
    int (*writer_open)(void **state, int fd, int level);
    int (*writer_write)(void *state, const uint8_t *bytes, size_t count);
    int (*writer_flush)(void *state);
    int (*writer_close)(void *state);
};

extern const struct trace_codec trace_codec_snappy;
extern const struct trace_codec trace_codec_zlib;
extern const struct trace_codec trace_codec_zstd_seekable;
extern const struct trace_codec trace_codec_zstd;
extern const struct trace_codec trace_codec_brotli;

/* Writes all bytes to fd. */
int trace_codec_write_fd(int fd, const void *bytes, size_t count);

/* Bytes that a stream codec reads from the file at a time, and decompresses into one chunk. */
#define TRACE_CODEC_READ_SIZE  ((size_t)1 << 16)
#define TRACE_CODEC_CHUNK_SIZE ((size_t)1 << 20)

#endif
