/* SPDX-License-Identifier: MIT
 * The event stream of a trace file: its header, and a window of bytes that moves from event to event. The
 * readers of calls (reader.c) and of raw events (raw_events.c) are built on it.
 */
#ifndef TRACE_STREAM_H
#define TRACE_STREAM_H

#include "formats/apitrace/index/indexed_sigs.h"
#include "formats/apitrace/read/input.h"
#include "formats/apitrace/parse/parser_bytes.h"

struct trace_stream {
    struct trace_input *in;
    bool is_clone; /* the stream only has windows that are set; `in` belongs to another stream and is used for
                      its name */
    struct trace_parser parser; /* contains the current position and the end of the window */
    const uint8_t *window;
    uint64_t window_offset; /* stream offset of the first byte of the window */
    unsigned version;
    unsigned semantic_version;
    struct arena arena;    /* memory of properties and header */
    const uint8_t *header; /* its bytes in the stream */
    size_t header_size;
    struct trace_property *properties;
    size_t property_count;

    struct trace_sig_place loaded; /* signatures of the index before this position have been loaded */
    uint64_t lost_until; /* the index refers to signatures before this stream offset that cannot be read */
    uint64_t told_until; /* the value of lost_until when it was last reported */
};

/* Takes over the probed file and reads the header. The next byte is that of the first event. Call
 * trace_stream_close() even after an error. */
int trace_stream_open(struct trace_stream *st, struct trace_probe *probe);

/* Creates a stream of the same trace without a file. Its windows are set by trace_stream_set_window(). */
void trace_stream_clone(struct trace_stream *st, const struct trace_stream *of);

void trace_stream_close(struct trace_stream *st);

/* Extends the window and makes it begin with the event at `event`. *more is false at the end of the stream.
 */
int trace_stream_refill(struct trace_stream *st, const uint8_t *event, size_t need, bool *more);

/* Replaces the window by the next chunk. *more is false at the end of the stream. */
int trace_stream_skip(struct trace_stream *st, bool *more);

/* Makes chunk the window. window_offset: stream offset of its first byte. */
void trace_stream_set_window(struct trace_stream *st, struct trace_chunk *chunk, uint64_t window_offset);

/* Returns the stream offset of the next unread byte. */
static inline uint64_t trace_stream_offset(const struct trace_stream *st)
{
    return st->window_offset + (uint64_t)(st->parser.p - st->window);
}

/* Prefixes the current error message with the position of the next unread byte. Returns rc. */
int trace_stream_prefix_place(struct trace_stream *st, int rc);

#endif
