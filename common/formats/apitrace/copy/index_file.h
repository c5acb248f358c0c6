/* SPDX-License-Identifier: MIT
 * Creates an index for an existing trace by reading it completely, and appends the index to the file.
 */
#ifndef TRACE_INDEX_FILE_H
#define TRACE_INDEX_FILE_H

#include "formats/apitrace/copy/copied_times.h"
#include "trace/progress_callback.h"

#include <stdbool.h>
#include <stdint.h>

struct trace_index_file;

/* Reads the trace at path. If it has a valid index, *out is NULL, unless `again` is set. The times of an old
 * index are kept if they can be read, since the trace does not contain them. w is told how far the file has
 * been read. The caller owns *out. Errors: TRACE_ERR_TRUNCATED, TRACE_ERR_FORMAT (the trace is damaged),
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int trace_index_file_read(struct trace_index_file **out, const char *path, bool again,
                          struct trace_progress_callback w);
void trace_index_file_free(struct trace_index_file *f); /* f may be NULL */

struct trace_index;

/* The same for a copy of another trace: takes over what only the other's index knows, as trace_index_keep()
 * does, and the times of the events that were copied, or NULL. */
int trace_index_file_read_copy(struct trace_index_file **out, const char *path, struct trace_index *of_other,
                               struct trace_copied_times *times);

/* Returns what is wrong with the old index, which will be replaced, or NULL if it is valid or does not exist.
 */
const char *trace_index_file_problem(const struct trace_index_file *f);

/* The first function returns the size in bytes that the file had when it was read. The second returns the
 * file offset where the index is to be written: the end of the file, or the start of the old index. */
uint64_t trace_index_file_size(const struct trace_index_file *f);
uint64_t trace_index_file_start(const struct trace_index_file *f);

/* Writes the index to fd, whose file position must be the start. */
int trace_index_file_write(struct trace_index_file *f, int fd);

#endif
