/* SPDX-License-Identifier: MIT
 * The bytes of a trace file, read by offset; from a pipe they can only be asked for in rising order.
 * Regular files are read with pread(): unlike a mapping it cannot raise SIGBUS when somebody truncates them.
 */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include "base/buf.h"

#include <stdbool.h>

#define TRACE_FILE_HEAD 256 /* bytes at the start, which may be read again from a pipe too */

struct trace_file {
    int fd;
    uint64_t size; /* bytes, when it was opened; UINT64_MAX for a pipe */
    bool is_pipe;  /* any of what follows is used for pipes only */
    uint64_t position;
    size_t head_count;
    uint8_t head[TRACE_FILE_HEAD];
};

/* Opens path, or the standard input if it is "-". After an error there is nothing to close. */
int trace_file_open(struct trace_file *f, const char *path);
void trace_file_close(struct trace_file *f);

/* Reads up to count bytes at offset; *got is less at the end of the file only. From a pipe: behind all that
 * was read before, or inside the head. */
int trace_file_read_at(struct trace_file *f, uint64_t offset, void *bytes, size_t count, size_t *got);

/* The same into a cleared buffer that grows with what is really there, whatever count claims. */
int trace_file_read_all(struct trace_file *f, uint64_t offset, uint64_t count, struct buf *out);

#endif
