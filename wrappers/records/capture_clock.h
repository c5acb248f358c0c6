/* SPDX-License-Identifier: MIT
 * The clock that stamps records. It has to be cheap, since the traced program reads it twice a call.
 * The collector picks one that both processes see (collector/tick_clock.h) and tells the program through the
 * segment; it also turns ticks into nanoseconds.
 */
#ifndef RECORDS_CAPTURE_CLOCK_H
#define RECORDS_CAPTURE_CLOCK_H

#include <stdint.h>

enum capture_clock {
    CAPTURE_CLOCK_NONE,      /* records have no time */
    CAPTURE_CLOCK_COUNTER,   /* the processor's counter: ticks of an unknown but constant length */
    CAPTURE_CLOCK_MONOTONIC, /* CLOCK_MONOTONIC: a tick is a nanosecond */
};

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t capture_clock_monotonic(void);

/* Not serialising: instructions around it may overlap with the reading, by a few nanoseconds. */
static inline uint64_t capture_clock_counter(void)
{
#if defined __x86_64__ || defined __i386__
    return __builtin_ia32_rdtsc();
#elif defined __aarch64__
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0; /* never picked */
#endif
}

/* As capture_clock_read(), but calls no function. Not for CAPTURE_CLOCK_MONOTONIC. */
static inline uint64_t capture_clock_read_inline(enum capture_clock clock)
{
    return __builtin_expect(clock == CAPTURE_CLOCK_COUNTER, 1) ? capture_clock_counter() : 0;
}

/* Ticks of the clock; 0 without one. */
static inline uint64_t capture_clock_read(enum capture_clock clock)
{
    if (__builtin_expect(clock == CAPTURE_CLOCK_MONOTONIC, 0))
        return capture_clock_monotonic();
    return capture_clock_read_inline(clock);
}

#endif
