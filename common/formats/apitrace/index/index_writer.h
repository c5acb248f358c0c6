/* SPDX-License-Identifier: MIT
 * Writes the index of a trace: sections, their directory, and a footer that ends it. What the container
 * puts before it is the codec's.
 */
#ifndef TRACE_INDEX_WRITER_H
#define TRACE_INDEX_WRITER_H

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/container/codec.h"

/* Writes the index of a stream of which b has been told all events (it is lent, and used up), to fd at file
 * offset `start`, where the stream ends; chunks are all of the file. *size: the bytes written, with what the
 * codec puts before the index. TRACE_ERR_FORMAT: events and chunks do not describe the same stream. */
int trace_index_write(struct trace_index_builder *b, const struct trace_codec *codec,
                      const struct trace_chunk_list *chunks, int fd, uint64_t start, uint64_t *size);

/* Has trace_output_close() write it (docs/trace-format.md). b is lent until then. What is wrong with b is an
 * error of trace_output_close(), but leaves a complete trace without index. */
void trace_output_attach_index(struct trace_output *o, struct trace_index_builder *b);

#endif
