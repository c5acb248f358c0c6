/* SPDX-License-Identifier: MIT
 * Reads and writes the bytes of an index in a container: as they are, or wrapped in pieces that other readers
 * of the container skip.
 */
#ifndef TRACE_INDEX_BYTES_H
#define TRACE_INDEX_BYTES_H

#include "trace/trace_file.h"

/* The index is cut into pieces of piece_size bytes. Only the last one is shorter, but not shorter than a
 * footer. Each piece is enclosed in bytes of the container. */
struct trace_index_wrap {
    size_t piece;
    size_t before;
    size_t after;
    void (*put_before)(uint8_t *out, size_t piece);
    void (*put_after)(uint8_t *out, size_t piece);
};

/* Returns the number of bytes that an index of `size` bytes takes in the file. Here and below, wrap may be
 * NULL: the index is not wrapped. */
uint64_t trace_index_wrapped_size(const struct trace_index_wrap *wrap, uint64_t size);

/* The location of an index in a file. */
struct trace_index_bytes {
    struct trace_file *file;
    const struct trace_index_wrap *wrap;
    uint64_t start; /* file offset, including what wraps the index */
    uint64_t size;
};

/* Reads bytes of the index. Errors: TRACE_ERR_FORMAT if it does not have so many, TRACE_ERR_IO. */
int trace_index_bytes_read(const struct trace_index_bytes *t, uint64_t at, void *bytes, size_t count);

/* Writes the bytes of an index. */
struct trace_index_sink {
    int fd;
    const struct trace_index_wrap *wrap;
    uint64_t left;     /* bytes of the index that have not been written yet */
    size_t piece_left; /* bytes that are missing in the current piece */
    size_t piece;      /* size of the current piece */
};

int trace_index_sink_write(struct trace_index_sink *s, const void *bytes, size_t count);

#endif
