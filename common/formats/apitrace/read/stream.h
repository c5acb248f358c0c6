/* SPDX-License-Identifier: MIT
 * The event stream of a trace file: its header, and a window of its bytes that moves from event to event.
 * Below the readers of calls (reader.c) and of raw events (raw_events.c).
 */
#ifndef TRACE_STREAM_H
#define TRACE_STREAM_H

#include "formats/apitrace/index/indexed_sigs.h"
#include "formats/apitrace/read/input.h"
#include "formats/apitrace/parse/parser_bytes.h"

struct trace_stream {
    struct trace_input *in;
    bool is_clone;              /* the window is all there is; in is another's, for its name only */
    struct trace_parser parser; /* has the window's present position and end */
    const uint8_t *window;
    uint64_t window_offset; /* of the window's first byte in the stream */
    unsigned version;
    unsigned semantic_version;
    struct arena arena;    /* properties, header */
    const uint8_t *header; /* as it is in the stream */
    size_t header_size;
    struct trace_property *properties;
    size_t property_count;

    struct trace_sig_place loaded; /* signatures of the index before this were made use of */
    uint64_t lost_until; /* the index refers to some before this place of the stream that cannot be read; */
    uint64_t told_until; /* the same when that was last told */
};

/* Takes over the probed file and reads the header: the next byte is the first event's. After an error too,
 * trace_stream_close() has to follow. */
int trace_stream_open(struct trace_stream *st, struct trace_probe *probe);

/* A stream of the same trace without its own file: its windows are set. */
void trace_stream_clone(struct trace_stream *st, const struct trace_stream *of);

void trace_stream_close(struct trace_stream *st);

/* Extends the window, which is to begin with the event at `event`. *more is false at the stream's end. */
int trace_stream_refill(struct trace_stream *st, const uint8_t *event, size_t need, bool *more);

/* Replaces the window by the next chunk; *more is false at the stream's end. */
int trace_stream_skip(struct trace_stream *st, bool *more);

/* Makes chunk the window. window_offset: of its first byte in the stream. */
void trace_stream_set_window(struct trace_stream *st, struct trace_chunk *chunk, uint64_t window_offset);

/* Of the next unread byte. */
static inline uint64_t trace_stream_offset(const struct trace_stream *st)
{
    return st->window_offset + (uint64_t)(st->parser.p - st->window);
}

/* Puts the place of the next unread byte before the present message. */
int trace_stream_prefix_place(struct trace_stream *st, int rc);

#endif
