/* SPDX-License-Identifier: MIT
 * Moves to another position of an event stream, using the index of the file, or back to the start. Readers
 * must handle their pending calls themselves.
 */
#ifndef TRACE_STREAM_SEEK_H
#define TRACE_STREAM_SEEK_H

#include "formats/apitrace/read/stream.h"

/* Called for each signature that is defined in a skipped part of the stream. */
typedef int (*trace_passed_hook)(void *context, const struct trace_indexed_sig *sig);

/* Moves to the beginning of a segment of the file's index, with all signatures known that are defined before
 * it. The hook, which may be NULL, is called for those that were not known yet. If the chunk there is
 * damaged, the next read finds that out. Errors: TRACE_ERR_DAMAGED: the stream has moved, but a signature was
 * lost in another damaged chunk. After any other error, the position is undefined and the stream must be
 * rewound. */
int trace_stream_go(struct trace_stream *st, const struct trace_segment *segment, trace_passed_hook hook,
                    void *context);

/* Defines a signature that the stream does not define before its first use. bytes: its id and body. Errors:
 * TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int trace_stream_define(struct trace_stream *st, enum trace_sig_kind kind, const uint8_t *bytes, size_t size);

/* After TRACE_ERR_DAMAGED: returns true if something was lost that was not reported before. */
bool trace_stream_has_lost_more(struct trace_stream *st);

/* Determines the position of the window, a chunk after a damaged part, and the signatures that were defined
 * before it. Only works if there is an index. */
void trace_stream_locate(struct trace_stream *st);

/* Moves to the first event. Errors: TRACE_ERR_UNSUPPORTED for a pipe; the position does not change. */
int trace_stream_rewind(struct trace_stream *st);

#endif
