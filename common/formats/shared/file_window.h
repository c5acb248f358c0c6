/* SPDX-License-Identifier: MIT
 * A part of a file in memory, which moves on as the file is read. Going back is allowed.
 */
#ifndef FORMATS_FILE_WINDOW_H
#define FORMATS_FILE_WINDOW_H

#include "base/buf.h"
#include "trace/progress_callback.h"
#include "trace/trace_file.h"

struct file_window {
    struct trace_file *file; /* lent; no pipe */
    uint64_t start;          /* offset of what is in memory: */
    struct buf bytes;
    struct trace_progress_callback progress;
    uint64_t reported; /* up to where progress was told */
};

void file_window_init(struct file_window *w, struct trace_file *file);
void file_window_fini(struct file_window *w);

/* The slow half of file_window_get(). */
int file_window_load(struct file_window *w, uint64_t offset, size_t count, const uint8_t **out, size_t *got);

/* The bytes from offset on, lent until the next call; *got is at least count, or all up to the end. */
static inline int file_window_get(struct file_window *w, uint64_t offset, size_t count, const uint8_t **out,
                                  size_t *got)
{
    uint64_t at = offset - w->start; /* huge before the window */
    if (at > w->bytes.len || w->bytes.len - at < count)
        return file_window_load(w, offset, count, out, got);
    *out = w->bytes.data + at;
    *got = w->bytes.len - (size_t)at;
    return 0;
}

/* Puts a temporary file in the place of a pipe, with all that comes out of it. */
int file_window_make_seekable(struct trace_file *file);

#endif
