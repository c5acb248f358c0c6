/* SPDX-License-Identifier: MIT */
#include "frame_pace.h"

#include <errno.h>
#include <time.h>

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_until(int64_t time)
{
    const struct timespec t = {.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        continue;
}

void frame_pace_end(struct frame_pace *p, int64_t min_duration, int64_t delay)
{
    int64_t end = now();
    if (p->began != 0 && end < p->began + min_duration * 1000)
        end = p->began + min_duration * 1000;
    end += delay * 1000;
    sleep_until(end);
    p->began = end;
}
