/* SPDX-License-Identifier: MIT
 * The value of --time=BEGIN,END: a part of a trace. Each end is missing, or one of
 *   1.5  20ms  3us  7ns    time since the first call; seconds without a unit
 *   @1049.5                the same on the trace's own clock, as "dump --timestamps" shows it
 *   [2026-11-23T]14:05:09.25[Z]  the time of day, if the trace tells it; local, or UTC with Z
 */
#ifndef CLI_TIME_RANGE_H
#define CLI_TIME_RANGE_H

#include "trace/event.h"

enum time_kind {
    TIME_OPEN,     /* there is no such end */
    TIME_RELATIVE, /* nanoseconds since the first call */
    TIME_CLOCK,    /* nanoseconds on the trace's clock */
    TIME_WALL,     /* nanoseconds since 1970-01-01 UTC */
    TIME_OF_DAY,   /* nanoseconds since midnight of the first call's day */
};

struct time_point {
    enum time_kind kind;
    bool is_utc; /* of TIME_OF_DAY */
    int64_t value;
};

struct time_range {
    struct time_point begin, end;
    bool is_resolved;
    int64_t from; /* on the trace's clock, once it is resolved */
    int64_t to;   /* the first nanosecond after it */
};

#define TIME_RANGE_HELP                                                                                      \
    "only calls that began in this time: seconds since the first\n"                                          \
    "call (or 20ms, 3us, 7ns), @SECONDS of the trace's clock, or a\n"                                        \
    "time of day, 14:05:09.25; either may be missing"

/* Errors: TRACE_ERR_USAGE. */
int time_range_parse(struct time_range *r, const char *text);

/* Returns whether the range refers to the time of the trace's first call. */
bool time_range_needs_first(const struct time_range *r);

/* Returns 0 if the clock, which may be NULL, tells what the range refers to, or TRACE_ERR_USAGE. */
int time_range_check(const struct time_range *r, const struct trace_clock *clock);

/* Relates the range, which was checked, to the trace's clock, given the time of its first call. */
void time_range_resolve(struct time_range *r, const struct trace_clock *clock, int64_t first);

#endif
