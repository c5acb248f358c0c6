/* SPDX-License-Identifier: MIT
 * A window of a file that is held in memory and moves forward as the file is read. Moving backwards is
 * allowed.
 */
#ifndef FORMATS_FILE_WINDOW_H
#define FORMATS_FILE_WINDOW_H

#include "formats/shared/read_ahead.h"
#include "base/buf.h"
#include "trace/progress_callback.h"
#include "trace/trace_file.h"

struct file_window {
    struct trace_file *file; /* lent; must not be a pipe */
    uint64_t start;          /* file offset of the first byte in memory */
    const uint8_t *data;     /* the bytes in memory */
    size_t len;
    struct buf memory;        /* contains them unless they were read ahead */
    struct read_ahead *ahead; /* NULL: nothing is read ahead */
    bool is_in_block;         /* data is in one of its blocks, otherwise in memory */
    unsigned steps;           /* number of consecutive steps that were not read ahead */
    struct trace_progress_callback progress;
    uint64_t reported; /* file offset up to which progress was reported */
};

void file_window_init(struct file_window *w, struct trace_file *file);
void file_window_fini(struct file_window *w);

/* The slow path of file_window_get(). */
int file_window_load(struct file_window *w, uint64_t offset, size_t count, const uint8_t **out, size_t *got);

/* Gets the bytes from offset on, lent until the next call. *got is at least count, unless the file ends
 * before. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
static inline int file_window_get(struct file_window *w, uint64_t offset, size_t count, const uint8_t **out,
                                  size_t *got)
{
    uint64_t at = offset - w->start; /* wraps to a huge number if offset is before the window */
    if (at > w->len || w->len - at < count)
        return file_window_load(w, offset, count, out, got);
    *out = w->data + at;
    *got = w->len - (size_t)at;
    return 0;
}

/* Replaces a pipe by a temporary file that contains everything read from the pipe. Other files are left as
 * they are. */
int file_window_make_seekable(struct trace_file *file);

#endif
