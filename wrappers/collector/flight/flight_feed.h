/* SPDX-License-Identifier: MIT
 * Gives the contents of a flight recorder to a reader of traces, through a pipe.
 */
#ifndef COLLECTOR_FLIGHT_FEED_H
#define COLLECTOR_FLIGHT_FEED_H

#include "collector/flight/flight_snapshot.h"
#include "formats/apitrace/read/raw_events.h"

#include <pthread.h>

struct flight_feed {
    const struct flight_snapshot *snapshot; /* lent */
    struct buf start;                       /* the header of the stream, and the calls of the state */
    int fd;                                 /* the end of the pipe that is written to */
    bool has_thread;
    pthread_t thread;
};

/* Opens the events of the state and of the chunks, with the numbers that they have: the calls of the state
 * get the numbers before those of the chunks. The signatures are known, as if they had been defined before.
 * Call flight_feed_fini() after closing *out, even after an error. */
int flight_feed_open(struct flight_feed *f, const struct flight_snapshot *snapshot,
                     struct trace_raw_events **out);
void flight_feed_fini(struct flight_feed *f);

#endif
