/* SPDX-License-Identifier: MIT
 * Times as babeltrace2 prints them before an event.
 */
#ifndef BABELTRACE_TIME_H
#define BABELTRACE_TIME_H

#include "formats/ctf/babeltrace/babeltrace.h"

#define BABELTRACE_TIME_BYTES 256

/* Zero-initialise it, then set the first two. */
struct babeltrace_time {
    const struct babeltrace_style *style;
    int64_t wall_offset; /* nanoseconds from 1970 to time 0 */
    bool has_last;       /* an event was printed before */
    int64_t last_time;
    uint64_t last_ticks;
    int64_t second; /* whose text is kept */
    char text[64];  /* up to the point before the nanoseconds */
    size_t length;  /* 0: none is kept */
};

/* Writes the time and the time since the last event to out. Returns the end. */
char *babeltrace_time_put(struct babeltrace_time *t, const struct trace_event *event, char *out);

#endif
