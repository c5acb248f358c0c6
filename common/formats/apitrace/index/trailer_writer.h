/* SPDX-License-Identifier: MIT
 * Writes the trailer of a trace: sections, their directory, and a footer that ends it. What the container
 * puts before it is the caller's.
 */
#ifndef TRACE_TRAILER_WRITER_H
#define TRACE_TRAILER_WRITER_H

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/index/trailer_bytes.h"

struct trace_trailer_writer;

/* From all events of the stream (b is lent, and used up) and all chunks of the file, for a container that
 * wraps it like that. TRACE_ERR_FORMAT: they do not describe the same stream. The caller owns *out. */
int trace_trailer_writer_new(struct trace_trailer_writer **out, struct trace_index_builder *b,
                             const struct trace_chunk_list *chunks, const struct trace_trailer_wrap *wrap);
void trace_trailer_writer_free(struct trace_trailer_writer *w); /* NULL is allowed */

/* Bytes that trace_trailer_writer_write() will write. */
uint64_t trace_trailer_writer_size(const struct trace_trailer_writer *w);

/* Writes to fd. start: the file offset of the first byte that a file without the trailer would not have, that
 * is of what the container puts before the trailer. */
int trace_trailer_writer_write(struct trace_trailer_writer *w, int fd, uint64_t start);

#endif
