/* SPDX-License-Identifier: MIT
 * An index for a trace that is there already: made by reading all of it, then appended to the file.
 */
#ifndef TRACE_INDEX_FILE_H
#define TRACE_INDEX_FILE_H

#include "trace/progress_callback.h"

#include <stdbool.h>
#include <stdint.h>

struct trace_index_file;

/* Reads the trace at path. *out is NULL if it has a sound index already, unless `again`; what only the old
 * one tells (times) is kept, if it can be read. w is told how far the file has been read. A trace that is cut
 * off or damaged is an error. The caller owns *out. */
int trace_index_file_read(struct trace_index_file **out, const char *path, bool again,
                          struct trace_progress_callback w);
void trace_index_file_free(struct trace_index_file *f); /* NULL is allowed */

/* What was wrong with the old index, which is replaced; NULL: nothing, or there was none. */
const char *trace_index_file_problem(const struct trace_index_file *f);

/* Where the file ended when it was read, and where the index is to begin: there, or before, in place of the
 * old one. */
uint64_t trace_index_file_size(const struct trace_index_file *f);
uint64_t trace_index_file_start(const struct trace_index_file *f);

/* Writes it to fd, whose offset has to be the start. */
int trace_index_file_write(struct trace_index_file *f, int fd);

#endif
