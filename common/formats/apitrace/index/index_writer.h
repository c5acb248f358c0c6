/* SPDX-License-Identifier: MIT
 * Writes the index of a trace: its sections, their directory, and the footer at the end. The codec writes
 * what precedes an index in the container.
 */
#ifndef TRACE_INDEX_WRITER_H
#define TRACE_INDEX_WRITER_H

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/container/codec.h"

/* Writes an index to fd at file offset `start`, where the stream ends. All events of the stream must have
 * been added to b, which is lent and cannot be used afterwards. chunks are all chunks of the file. *size
 * receives the number of bytes written, including what the codec writes before the index. Errors:
 * TRACE_ERR_FORMAT (events and chunks do not describe the same stream), TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int trace_index_write(struct trace_index_builder *b, const struct trace_codec *codec,
                      const struct trace_chunk_list *chunks, int fd, uint64_t start, uint64_t *size);

/* Makes trace_output_close() write the index (docs/trace-format.md). b is lent until then. If the index
 * cannot be written, trace_output_close() returns the error, but the trace is complete without it. */
void trace_output_attach_index(struct trace_output *o, struct trace_index_builder *b);

#endif
