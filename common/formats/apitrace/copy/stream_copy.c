/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/copy/stream_copy.h"

#include "formats/apitrace/copy/index_events.h"
#include "formats/apitrace/read/raw_events_state.h"

#include <stdio.h>
#include <string.h>

/* Copies what was read to get the header, usually a chunk; the window still begins with it. */
static int copy_window(struct trace_stream *st, trace_input_tee sink, void *context)
{
    size_t size = (size_t)(st->parser.end - st->window);
    struct trace_chunk *chunk = st->parser.chunk;
    if (chunk != NULL && st->window == chunk->data && size == chunk->len && size > 0)
        return sink(context, chunk);
    struct trace_chunk *copy = trace_chunk_new(trace_input_pool(st->in), size);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    memcpy(copy->data, st->window, size);
    copy->len = size;
    int rc = size > 0 ? sink(context, copy) : 0;
    trace_chunk_unref(copy);
    return rc;
}

/* Reads the bytes that are not events, chunk by chunk. If the events ended by an error of the input, that
 * error is returned again. */
static int read_rest(struct trace_input *in)
{
    struct trace_chunk *chunk;
    int rc;
    while ((rc = trace_input_next_chunk(in, &chunk)) == 0 && chunk != NULL)
        trace_chunk_unref(chunk);
    return rc;
}

int trace_stream_copy(struct trace_raw_events *e, trace_input_tee sink, void *context,
                      struct trace_index_builder *b, bool *indexed)
{
    struct trace_kept_error why;
    bool times;
    *indexed = false;
    int rc = trace_raw_events_want_times(e, &times);
    if (rc == 0)
        rc = trace_index_keep(b, trace_raw_events_index(e));
    if (rc == 0)
        rc = copy_window(&e->cursor.stream, sink, context);
    if (rc != 0)
        return rc;
    trace_input_set_tee(e->cursor.stream.in, sink, context);
    rc = trace_index_events(e, b, NULL);
    *indexed = rc == 0;
    if (rc != TRACE_ERR_FORMAT && rc != TRACE_ERR_TRUNCATED)
        return rc;
    trace_error_keep(&why, 0);
    rc = read_rest(e->cursor.stream.in);
    return rc != 0 ? rc : trace_error_restore(&why);
}
