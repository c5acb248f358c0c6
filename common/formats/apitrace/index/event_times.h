/* SPDX-License-Identifier: MIT
 * The times of events, as the index of a trace tells them: one an event, in the order of the stream.
 */
#ifndef TRACE_EVENT_TIMES_H
#define TRACE_EVENT_TIMES_H

#include "trace/model.h"
#include "formats/apitrace/index/index_reader.h"

/* Zero is a valid state, in which no time is known. */
struct trace_event_times {
    bool wanted;
    bool known;           /* from here on */
    uint64_t at;          /* in the section of times, of the byte behind those in bytes */
    uint64_t segment;     /* index of the next one */
    uint64_t next_offset; /* where it begins in the stream */
    int64_t last;         /* time in this segment, in units */
    uint64_t unit;        /* nanoseconds */
    size_t used;
    size_t count;
    uint8_t bytes[256];
};

/* The next event is the first of segment `index`. t may be NULL: then no time is known. */
void trace_event_times_go(struct trace_event_times *times, struct trace_index *t, uint64_t index);

/* The time of the next event, which begins at that place of the stream; TRACE_NO_TIME if it is not known. */
int64_t trace_event_times_next(struct trace_event_times *times, struct trace_index *t,
                               uint64_t stream_offset);

#endif
