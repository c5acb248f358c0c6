/* SPDX-License-Identifier: MIT */
#include "collector/tick_clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

#define TRIES            5
#define FIRST_INTERVAL   10000000    /* 10 ms */
#define LONGEST_INTERVAL 1000000000  /* 1 s */
#define LONGEST_BASELINE 10000000000 /* 10 s, since rates drift with the temperature */

/* A correction changes the slope by at most this part of it. */
#define MAX_BEND 0.05

/* If the rates of two measurements differ by more than this, the reason is not drift: the machine was
 * suspended, and with it one of the clocks. */
#define MAX_DRIFT 0.01

#if defined __x86_64__ || defined __i386__
/* Returns true if the counter has a constant rate and is synchronised. By the processor's CPUID (Intel SDM
 * volume 3, "Invariant TSC"), its rate does not depend on frequency and sleep states. By the kernel, which
 * measures this before it uses the counter as a clock, it is the same on all processors. */
static bool counter_is_good(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || (d & (1u << 8)) == 0)
        return false;
    char source[32] = "";
    FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (f == NULL)
        return false;
    bool good = fgets(source, sizeof source, f) != NULL && strcmp(source, "tsc\n") == 0;
    fclose(f);
    return good;
}
#elif defined __aarch64__
static bool counter_is_good(void)
{
    return true; /* by the architecture, the generic timer is the same on all processors */
}
#else
static bool counter_is_good(void)
{
    return false;
}
#endif

enum capture_clock tick_clock_choose(void)
{
    return counter_is_good() ? CAPTURE_CLOCK_COUNTER : CAPTURE_CLOCK_MONOTONIC;
}

struct tick_pair tick_clock_measure(enum capture_clock clock)
{
    if (clock != CAPTURE_CLOCK_COUNTER) {
        uint64_t now = capture_clock_monotonic();
        return (struct tick_pair){now, (int64_t)now};
    }
    struct tick_pair best = {0, 0};
    uint64_t shortest = UINT64_MAX;
    for (unsigned i = 0; i < TRIES; ++i) {
        uint64_t first = capture_clock_counter();
        int64_t now = (int64_t)capture_clock_monotonic();
        uint64_t span = capture_clock_counter() - first;
        if (span < shortest) {
            shortest = span;
            best = (struct tick_pair){first + span / 2, now};
        }
    }
    return best;
}

static int64_t wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns nanoseconds per tick between two measurements, or fallback if it cannot be determined. */
static double rate(const struct tick_pair *from, const struct tick_pair *to, double fallback)
{
    double ticks = (double)(int64_t)(to->ticks - from->ticks);
    double nanoseconds = (double)(to->nanoseconds - from->nanoseconds);
    return ticks > 0 && nanoseconds > 0 ? nanoseconds / ticks : fallback;
}

void tick_clock_init(struct tick_clock *c, enum capture_clock clock, const struct tick_pair *early)
{
    tick_clock_init_at(c, clock, early, tick_clock_measure(clock));
}

void tick_clock_init_at(struct tick_clock *c, enum capture_clock clock, const struct tick_pair *early,
                        struct tick_pair now)
{
    *c = (struct tick_clock){.clock = clock,
                             .origin = *early,
                             .latest = now,
                             .start = now.nanoseconds,
                             .wall_start = wall_clock(),
                             .interval = FIRST_INTERVAL};
    c->line = (struct tick_line){now.ticks, 0, rate(early, &now, 1.0)};
    c->before = c->line;
}

/* One of the clocks has stopped or jumped: the line continues at the current CLOCK_MONOTONIC. */
static void start_anew(struct tick_clock *c, struct tick_pair now)
{
    c->origin = now;
    c->before = c->line;
    c->line.ticks = now.ticks;
    c->line.nanoseconds = now.nanoseconds - c->start;
    c->interval = FIRST_INTERVAL;
}

void tick_clock_adjust(struct tick_clock *c, struct tick_pair now)
{
    double recent = rate(&c->latest, &now, 0);
    double slope = rate(&c->origin, &now, c->line.slope);
    if (now.nanoseconds - c->origin.nanoseconds > LONGEST_BASELINE)
        c->origin = c->latest;
    c->latest = now;
    if (recent < slope * (1 - MAX_DRIFT) || recent > slope * (1 + MAX_DRIFT)) {
        start_anew(c, now);
        return;
    }
    if (c->interval < LONGEST_INTERVAL)
        c->interval *= 2;
    int64_t reached = tick_clock_convert(c, now.ticks);
    double bend = (double)(now.nanoseconds - c->start - reached) / (double)c->interval;
    if (bend > MAX_BEND)
        bend = MAX_BEND;
    if (bend < -MAX_BEND)
        bend = -MAX_BEND;
    c->before = c->line;
    c->line = (struct tick_line){now.ticks, reached, slope * (1 + bend)};
}

void tick_clock_refine(struct tick_clock *c)
{
    if (c->clock != CAPTURE_CLOCK_COUNTER)
        return;
    double passed = (double)(int64_t)(capture_clock_counter() - c->latest.ticks) * c->line.slope;
    if (passed < 0 || passed >= (double)c->interval)
        tick_clock_adjust(c, tick_clock_measure(c->clock));
}
