/* SPDX-License-Identifier: MIT
 * Going to another place of an event stream: by the index of the file, or back to the start. What a reader
 * knows of pending calls is the reader's.
 */
#ifndef TRACE_STREAM_SEEK_H
#define TRACE_STREAM_SEEK_H

#include "formats/apitrace/read/stream.h"

/* Is told of a signature that is defined in a part of the stream that is passed over. */
typedef int (*trace_passed_hook)(void *context, const struct trace_indexed_sig *sig);

/* Goes to the beginning of a segment of the file's index; signatures that are defined before are known then.
 * A hook (or NULL) is told of those that were not. If the chunk there is damaged, reading on meets that.
 * TRACE_ERR_DAMAGED: it is there, but a signature was in another damaged chunk and is lost. After any other
 * error, the stream is at no place and has to be rewound. */
int trace_stream_go(struct trace_stream *st, const struct trace_segment *segment, trace_passed_hook hook,
                    void *context);

/* After TRACE_ERR_DAMAGED: is there any among what is lost that was not told of before? */
bool trace_stream_has_lost_more(struct trace_stream *st);

/* The window is a chunk behind a damaged part: where it is in the stream, and what was defined before it, the
 * index tells, if there is one. */
void trace_stream_locate(struct trace_stream *st);

/* Goes to the first event. TRACE_ERR_UNSUPPORTED: it is a pipe; then the stream stays where it was. */
int trace_stream_rewind(struct trace_stream *st);

#endif
