/* SPDX-License-Identifier: MIT
 * How a container holds the bytes of a trailer: as they are, or in pieces that other readers of the container
 * pass over.
 */
#ifndef TRACE_TRAILER_BYTES_H
#define TRACE_TRAILER_BYTES_H

#include "trace/trace_file.h"

/* Pieces of so many bytes, the last one shorter (but not than a footer), each between bytes of the container.
 */
struct trace_trailer_wrap {
    size_t piece;
    size_t before;
    size_t after;
    void (*put_before)(uint8_t *out, size_t piece);
    void (*put_after)(uint8_t *out, size_t piece);
};

/* Bytes in the file that a trailer of so many bytes takes. wrap may be NULL, here and below: it is in one. */
uint64_t trace_trailer_wrapped_size(const struct trace_trailer_wrap *wrap, uint64_t size);

/* A trailer in a file. */
struct trace_trailer_bytes {
    struct trace_file *file;
    const struct trace_trailer_wrap *wrap;
    uint64_t start; /* in the file, of what it takes there */
    uint64_t size;
};

/* Reads bytes of the trailer; TRACE_ERR_FORMAT if there are not so many. */
int trace_trailer_bytes_read(const struct trace_trailer_bytes *t, uint64_t at, void *bytes, size_t count);

/* Where the bytes of a trailer are written. */
struct trace_trailer_sink {
    int fd;
    const struct trace_trailer_wrap *wrap;
    uint64_t left;     /* of the trailer */
    size_t piece_left; /* of a piece that was begun */
    size_t piece;      /* its size */
};

int trace_trailer_sink_write(struct trace_trailer_sink *s, const void *bytes, size_t count);

#endif
