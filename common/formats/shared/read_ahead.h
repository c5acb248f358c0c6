/* SPDX-License-Identifier: MIT
 * A thread that reads a file block by block, ahead of the one that uses the blocks. Copying from the kernel
 * takes a quarter of the time in which a log is read.
 */
#ifndef FORMATS_READ_AHEAD_H
#define FORMATS_READ_AHEAD_H

#include "trace/trace_file.h"

#define READ_AHEAD_BLOCK ((size_t)256 << 10) /* bytes; small enough to stay in the processor's cache */
#define READ_AHEAD_SPACE ((size_t)64 << 10)  /* writable bytes before each block */

struct read_ahead;

/* Starts to read at offset. The file is lent and must not be a pipe. Returns NULL if there is no memory or no
 * thread; the file can then be read without it. */
struct read_ahead *read_ahead_start(struct trace_file *file, uint64_t offset);

/* Waits for the next block. *bytes is lent until the next but one call. *got is less than READ_AHEAD_BLOCK
 * only at the end of the file. Errors: TRACE_ERR_IO; the next call returns it again. */
int read_ahead_next(struct read_ahead *a, uint8_t **bytes, size_t *got);

/* a may be NULL. */
void read_ahead_stop(struct read_ahead *a);

#endif
