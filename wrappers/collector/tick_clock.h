/* SPDX-License-Identifier: MIT
 * From ticks of a capture clock to nanoseconds since a session's start.
 * The exact rate of a processor's counter is not known. It is measured against CLOCK_MONOTONIC: first before
 * the program starts, then again and again while it runs. The conversion is a line that bends a little at
 * each measurement, so that time neither jumps nor goes back.
 */
#ifndef COLLECTOR_TICK_CLOCK_H
#define COLLECTOR_TICK_CLOCK_H

#include "records/capture_clock.h"

#include <stdbool.h>

/* One moment on two clocks. */
struct tick_pair {
    uint64_t ticks;
    int64_t nanoseconds; /* CLOCK_MONOTONIC */
};

/* nanoseconds(t) = nanoseconds + (t - ticks) * slope */
struct tick_line {
    uint64_t ticks;
    int64_t nanoseconds; /* since the session's start */
    double slope;        /* nanoseconds a tick, > 0 */
};

struct tick_clock {
    enum capture_clock clock;
    struct tick_pair origin; /* the rate is measured from here on */
    struct tick_pair latest; /* measured last */
    int64_t start;           /* CLOCK_MONOTONIC of time zero */
    int64_t wall_start;      /* CLOCK_REALTIME of time zero: nanoseconds since the epoch */
    int64_t interval;        /* nanoseconds between measurements: grows with the distance to origin */
    struct tick_line before; /* for ticks before line.ticks */
    struct tick_line line;
};

/* The cheapest clock that has the same value in this process and in those that it traces. */
enum capture_clock tick_clock_choose(void);

/* Now, on clock and on CLOCK_MONOTONIC, to within some tens of nanoseconds. */
struct tick_pair tick_clock_measure(enum capture_clock clock);

/* Time zero is now. early is an earlier measurement: the older it is, the better is the first rate (50 ns of
 * 10 ms are 5 millionths). */
void tick_clock_init(struct tick_clock *c, enum capture_clock clock, const struct tick_pair *early);

/* The same with a given measurement of now. */
void tick_clock_init_at(struct tick_clock *c, enum capture_clock clock, const struct tick_pair *early,
                        struct tick_pair now);

/* Nanoseconds since the start. Any number of ticks is allowed: a damaged ring may hold any. */
int64_t tick_clock_convert(const struct tick_clock *c, uint64_t ticks);

/* Measures anew when it is time to. */
void tick_clock_refine(struct tick_clock *c);

/* The same with a given measurement: bends the line so that it meets CLOCK_MONOTONIC at the next one. */
void tick_clock_adjust(struct tick_clock *c, struct tick_pair now);

#endif
