/* SPDX-License-Identifier: MIT
 * Reads the times of events from the index of a trace. There is one time for each event, in stream order.
 */
#ifndef TRACE_EVENT_TIMES_H
#define TRACE_EVENT_TIMES_H

#include "trace/model.h"
#include "formats/apitrace/index/index_reader.h"

/* Zero is a valid state, in which no times are known. */
struct trace_event_times {
    bool wanted;
    bool known;           /* from the current event on */
    uint64_t at;          /* offset in the section of times of the byte after those in `bytes` */
    uint64_t segment;     /* index of the next segment */
    uint64_t next_offset; /* stream offset of the next segment */
    int64_t last;         /* last time in this segment, in units */
    uint64_t unit;        /* of times, in nanoseconds */
    size_t used;
    size_t count;
    uint8_t bytes[256];
};

/* Makes the first event of segment `index` the next one. t may be NULL: no times are known. */
void trace_event_times_go(struct trace_event_times *times, struct trace_index *t, uint64_t index);

/* Returns the time of the next event, or TRACE_NO_TIME if it is unknown. offset: where the event begins in
 * the stream. */
int64_t trace_event_times_next(struct trace_event_times *times, struct trace_index *t,
                               uint64_t stream_offset);

#endif
