/* SPDX-License-Identifier: MIT
 * What a flight recorder holds at a moment, to be written by another thread.
 */
#ifndef COLLECTOR_FLIGHT_SNAPSHOT_H
#define COLLECTOR_FLIGHT_SNAPSHOT_H

#include "collector/flight/flight_store.h"
#include "trace/model.h"

struct flight_snapshot {
    struct flight_chunk **chunks; /* oldest first; owned */
    size_t chunk_count;
    struct buf signatures; /* of what has left: struct flight_definition, one after the other */
    struct buf state;      /* struct flight_call, one after the other, in the order of their numbers */
    uint64_t state_calls;  /* number of calls in `state` */
    uint64_t first_call;   /* of the chunks */
    uint64_t *left_out;    /* numbers of calls that are not to be written, in ascending order; owned */
    size_t left_out_count;
    int64_t wall_clock; /* at time 0: nanoseconds since 1970-01-01 UTC */
    bool has_times;
    enum trace_container container;
    int level;
    struct trace_property *properties; /* of the header; lent */
    size_t property_count;
};

void flight_snapshot_fini(struct flight_snapshot *s);

#endif
