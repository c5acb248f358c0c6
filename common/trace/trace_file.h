/* SPDX-License-Identifier: MIT
 * Reads a trace file by offset. From a pipe, offsets must be ascending. Regular files are read with pread(),
 * because a mapping would raise SIGBUS if another process truncated the file.
 */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include "base/buf.h"

#include <stdbool.h>

#define TRACE_FILE_HEAD 256 /* bytes at the start of the file that may be read again, even from a pipe */

struct trace_file {
    int fd;
    uint64_t size; /* bytes, at the time of opening; UINT64_MAX for a pipe */
    bool is_pipe;  /* the following members are only used for pipes */
    uint64_t position;
    size_t head_count;
    uint8_t head[TRACE_FILE_HEAD];
};

/* Opens path, or the standard input if it is "-". After an error there is nothing to close. Errors:
 * TRACE_ERR_IO. */
int trace_file_open(struct trace_file *f, const char *path);
void trace_file_close(struct trace_file *f);

/* Reads up to count bytes at offset. *got is less only at the end of the file. From a pipe, offset must be
 * inside the head, or not before the end of what was read last. */
int trace_file_read_at(struct trace_file *f, uint64_t offset, void *bytes, size_t count, size_t *got);

/* Does the same into a buffer, which is cleared first. The buffer grows with the bytes that are actually
 * read, so a false count does not allocate memory. */
int trace_file_read_all(struct trace_file *f, uint64_t offset, uint64_t count, struct buf *out);

#endif
