/* SPDX-License-Identifier: MIT
 * The files of many streams, of which only some are open at a time: a process may not have more than a number
 * of files open, and a trace may have more streams.
 */
#ifndef CTF_FILES_H
#define CTF_FILES_H

#include "trace/trace_file.h"

struct ctf_file {
    struct ctf_files *pool;
    char *path;             /* owned */
    uint64_t size;          /* bytes, at the first opening */
    struct trace_file file; /* open if it is in the list; private, like the next */
    struct ctf_file *newer;
    struct ctf_file *older;
};

/* Zero-initialise it. It owns nothing: close the files. */
struct ctf_files {
    struct ctf_file *newest; /* of those that are open, by the last read */
    struct ctf_file *oldest;
    size_t count;
    size_t most; /* 0: by the limit of the process */
};

/* Opens a regular file. The pool must live as long. After an error there is nothing to close. Errors:
 * TRACE_ERR_IO, TRACE_ERR_MEMORY; with the path. */
int ctf_file_open(struct ctf_file *f, struct ctf_files *pool, const char *path);
void ctf_file_close(struct ctf_file *f); /* also one that was never opened, but zero-initialised */

/* As trace_file_read_at() and trace_file_read_all(). Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY; with the path.
 */
int ctf_file_read_at(struct ctf_file *f, uint64_t offset, void *bytes, size_t count, size_t *got);
int ctf_file_read_all(struct ctf_file *f, uint64_t offset, uint64_t count, struct buf *out);

#endif
