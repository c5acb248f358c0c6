/* SPDX-License-Identifier: MIT
 * How a container holds the bytes of an index: as they are, or in pieces that other readers of the container
 * pass over.
 */
#ifndef TRACE_INDEX_BYTES_H
#define TRACE_INDEX_BYTES_H

#include "trace/trace_file.h"

/* Pieces of so many bytes, the last one shorter (but not than a footer), each between bytes of the container.
 */
struct trace_index_wrap {
    size_t piece;
    size_t before;
    size_t after;
    void (*put_before)(uint8_t *out, size_t piece);
    void (*put_after)(uint8_t *out, size_t piece);
};

/* Bytes in the file that an index of so many bytes takes. wrap may be NULL, here and below: it is in one. */
uint64_t trace_index_wrapped_size(const struct trace_index_wrap *wrap, uint64_t size);

/* An index in a file. */
struct trace_index_bytes {
    struct trace_file *file;
    const struct trace_index_wrap *wrap;
    uint64_t start; /* in the file, of what it takes there */
    uint64_t size;
};

/* Reads bytes of the index; TRACE_ERR_FORMAT if there are not so many. */
int trace_index_bytes_read(const struct trace_index_bytes *t, uint64_t at, void *bytes, size_t count);

/* Where the bytes of an index are written. */
struct trace_index_sink {
    int fd;
    const struct trace_index_wrap *wrap;
    uint64_t left;     /* of the index */
    size_t piece_left; /* of a piece that was begun */
    size_t piece;      /* its size */
};

int trace_index_sink_write(struct trace_index_sink *s, const void *bytes, size_t count);

#endif
