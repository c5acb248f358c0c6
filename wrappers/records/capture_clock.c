/* SPDX-License-Identifier: MIT */
#include "records/capture_clock.h"

#include <time.h>

uint64_t capture_clock_monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
