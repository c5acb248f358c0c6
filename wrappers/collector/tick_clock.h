/* SPDX-License-Identifier: MIT
 * Converts ticks of a capture clock to nanoseconds since the start of a session. The exact rate of a
 * processor's counter is unknown. It is measured against CLOCK_MONOTONIC: first before the program starts,
 * and then repeatedly while it runs. The conversion is a piecewise linear function that changes its slope
 * slightly at each measurement, so that time neither jumps nor goes backwards.
 */
#ifndef COLLECTOR_TICK_CLOCK_H
#define COLLECTOR_TICK_CLOCK_H

#include "records/capture_clock.h"

#include <stdbool.h>

/* The same point in time on two clocks. */
struct tick_pair {
    uint64_t ticks;
    int64_t nanoseconds; /* CLOCK_MONOTONIC */
};

/* nanoseconds(t) = nanoseconds + (t - ticks) * slope */
struct tick_line {
    uint64_t ticks;
    int64_t nanoseconds; /* since the start of the session */
    double slope;        /* nanoseconds per tick, > 0 */
};

struct tick_clock {
    enum capture_clock clock;
    struct tick_pair origin; /* the rate is measured from here */
    struct tick_pair latest; /* the latest measurement */
    int64_t start;           /* CLOCK_MONOTONIC at time zero */
    int64_t wall_start;      /* CLOCK_REALTIME at time zero: nanoseconds since the epoch */
    int64_t interval;        /* nanoseconds between measurements; grows with the distance from origin */
    struct tick_line before; /* for ticks before line.ticks */
    struct tick_line line;
};

/* Returns the cheapest clock that has the same value in this process and in the processes that it traces. */
enum capture_clock tick_clock_choose(void);

/* Measures `clock` and CLOCK_MONOTONIC now, with an accuracy of some tens of nanoseconds. */
struct tick_pair tick_clock_measure(enum capture_clock clock);

/* Sets time zero to now. early is an earlier measurement. The older it is, the more accurate is the first
 * rate: an error of 50 ns in 10 ms is 5 millionths. */
void tick_clock_init(struct tick_clock *c, enum capture_clock clock, const struct tick_pair *early);

/* Does the same with a given measurement of now. */
void tick_clock_init_at(struct tick_clock *c, enum capture_clock clock, const struct tick_pair *early,
                        struct tick_pair now);

#define TICK_CLOCK_LIMIT 1e18 /* nanoseconds: 31 years */

/* Converts ticks to nanoseconds since the start. Accepts any number of ticks, since a damaged ring may
 * contain any. Inline, because there are two for each call. */
static inline int64_t tick_clock_convert(const struct tick_clock *c, uint64_t ticks)
{
    const struct tick_line *l = (int64_t)(ticks - c->line.ticks) >= 0 ? &c->line : &c->before;
    double passed = (double)(int64_t)(ticks - l->ticks) * l->slope;
    if (passed > TICK_CLOCK_LIMIT)
        passed = TICK_CLOCK_LIMIT;
    if (passed < -TICK_CLOCK_LIMIT)
        passed = -TICK_CLOCK_LIMIT;
    return l->nanoseconds + (int64_t)passed;
}

/* Measures again when it is time to. */
void tick_clock_refine(struct tick_clock *c);

/* Does the same with a given measurement. Bends the line so that it meets CLOCK_MONOTONIC at the next one. */
void tick_clock_adjust(struct tick_clock *c, struct tick_pair now);

#endif
