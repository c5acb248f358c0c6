/* SPDX-License-Identifier: MIT */
#include "frame_pace.h"

#include <time.h>

#include "base/clock.h"
#include "replay_signals.h"

/* A signal may arrive in another thread, or just before the sleep, so the sleep is not long. */
static void sleep_until(int64_t time)
{
    const int64_t longest = 100000000;
    for (int64_t t = clock_nanoseconds(); t < time && !replay_is_interrupted(); t = clock_nanoseconds()) {
        int64_t end = time - t > longest ? t + longest : time;
        const struct timespec at = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
}

void frame_pace_end(struct frame_pace *p, int64_t min_duration, int64_t delay)
{
    int64_t end = clock_nanoseconds();
    if (p->began != 0 && end < p->began + min_duration * 1000)
        end = p->began + min_duration * 1000;
    end += delay * 1000;
    sleep_until(end);
    p->began = end;
}
