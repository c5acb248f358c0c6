/* SPDX-License-Identifier: MIT */
/* Tests the conversion of ticks to nanoseconds: it never goes back, and is close to the measurements,
 * whatever the ticks. */
#include "cmocka_all.h"
#include "collector/tick_clock.h"

#include <stdlib.h>
#include <time.h>

/* Returns the ticks of an imaginary machine at nanosecond n of CLOCK_MONOTONIC. The rate of its counter
 * varies by 20 millionths over hours. */
static uint64_t counter_at(int64_t n)
{
    double hours = (double)n / 3.6e12;
    return 1000000007u + (uint64_t)((double)n * 2.1) + (uint64_t)(hours * hours * 2.1 * 3.6e12 * 1e-6);
}

static struct tick_pair pair_at(int64_t n, int64_t error)
{
    return (struct tick_pair){counter_at(n), n + error};
}

/* Like tick_clock_init(), at nanosecond n. */
static struct tick_clock start_at(int64_t early, int64_t n, int64_t error)
{
    struct tick_pair first = pair_at(early, 0), now = pair_at(n, error);
    struct tick_clock c;
    tick_clock_init_at(&c, CAPTURE_CLOCK_COUNTER, &first, now);
    return c;
}

/* With errors of 50 ns in both directions and a baseline of 10 ms, the clock is off by microseconds at first,
 * and less and less later. */
static void test_drift(void **state)
{
    (void)state;
    const int64_t second = 1000000000, start = 5 * second;
    struct tick_clock c = start_at(start - 10000000, start, 50);
    int64_t last = INT64_MIN, next = start + c.interval, worst = 0;
    for (int64_t n = start; n < start + 3600 * second; n += 3333333) {
        int64_t t = tick_clock_convert(&c, counter_at(n));
        assert_true(t > last);
        last = t;
        int64_t error = llabs(t - (n - c.start));
        if (n - start > second && error > worst)
            worst = error;
        assert_in_range(error, 0, 10000);
        if (n >= next) {
            tick_clock_adjust(&c, pair_at(n, n % 100 - 50));
            next = n + c.interval;
        }
    }
    assert_in_range(worst, 0, 1000);
}

/* A counter that warms up: its rate grows by 30 millionths per minute. */
static uint64_t warming_counter_at(int64_t n)
{
    double minutes = (double)n / 6e10;
    return (uint64_t)((double)n * 2.1) + (uint64_t)(minutes * minutes * 2.1 * 6e10 * 15e-6);
}

/* Old measurements do not count: the rate is that of the last seconds. */
static void test_warming_up(void **state)
{
    (void)state;
    const int64_t second = 1000000000;
    const struct tick_pair first = {warming_counter_at(0), 0}, now = {warming_counter_at(second), second};
    struct tick_clock c;
    int64_t worst = 0;
    tick_clock_init_at(&c, CAPTURE_CLOCK_COUNTER, &first, now);
    for (int64_t n = 2 * second; n < 120 * second; n += second) {
        int64_t error = llabs(tick_clock_convert(&c, warming_counter_at(n)) - (n - c.start));
        worst = n > 60 * second && error > worst ? error : worst;
        tick_clock_adjust(&c, (struct tick_pair){warming_counter_at(n), n});
    }
    assert_in_range(worst, 0, 5000);
}

/* Where the slope changes, there is no jump, and earlier ticks are converted as before. */
static void test_bends(void **state)
{
    (void)state;
    struct tick_clock c = start_at(0, 1000000, 100);
    uint64_t old = counter_at(10000000), now = counter_at(11000000);
    int64_t old_time = tick_clock_convert(&c, old), now_time = tick_clock_convert(&c, now);
    tick_clock_adjust(&c, pair_at(11000000, -100));
    assert_int_equal(tick_clock_convert(&c, old), old_time);
    assert_int_equal(tick_clock_convert(&c, now), now_time);
    assert_true(tick_clock_convert(&c, now + 1000000) > now_time);
}

/* After the machine has slept, CLOCK_MONOTONIC continues where it was. The counter does not, or it starts at
 * 0. */
static void test_sleep(void **state)
{
    (void)state;
    for (unsigned reset = 0; reset < 2; ++reset) {
        struct tick_clock c = start_at(0, 20000000, 0);
        const int64_t n = 40000000;
        uint64_t woken = reset != 0 ? 1000 : counter_at(n) + (uint64_t)10000000000;
        tick_clock_adjust(&c, (struct tick_pair){woken, n});
        assert_int_equal(tick_clock_convert(&c, woken), n - c.start);
        assert_in_range(tick_clock_convert(&c, woken + 2100000), n - c.start + 999000, n - c.start + 1001000);
    }
}

static void test_any_ticks(void **state)
{
    (void)state;
    static const uint64_t ticks[] = {
        0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, 0x8000001000000000, 0xc000000000000000, UINT64_MAX};
    struct tick_clock c = start_at(0, 20000000, 0);
    for (unsigned i = 0; i < sizeof ticks / sizeof ticks[0]; ++i)
        assert_true(llabs(tick_clock_convert(&c, ticks[i])) <= 2000000000000000000);
}

static unsigned reading; /* of CLOCK_MONOTONIC */
static unsigned quick;   /* the only one that is not delayed; 0: all */
static uint64_t quick_answer;

/* Replaces that of capture_clock.c. A reading may take long, as if another process ran in between. */
uint64_t capture_clock_monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    reading++;
    if (reading == quick)
        quick_answer = now;
    else if (quick != 0)
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    return now;
}

/* Of several readings, the one counts that was not interrupted. */
static void test_best_try(void **state)
{
    (void)state;
    if (tick_clock_choose() != CAPTURE_CLOCK_COUNTER)
        skip();
    for (quick = 1; quick <= 5; ++quick) {
        reading = 0;
        struct tick_pair pair = tick_clock_measure(CAPTURE_CLOCK_COUNTER);
        assert_in_range(reading, 5, 100);
        assert_int_equal(pair.nanoseconds, quick_answer);
    }
    quick = 0;
}

/* The clock of this machine: a sleep lasts as long as by CLOCK_MONOTONIC. */
static void test_this_machine(void **state)
{
    (void)state;
    const struct timespec nap = {0, 5000000};
    static const enum capture_clock clocks[] = {CAPTURE_CLOCK_MONOTONIC, CAPTURE_CLOCK_COUNTER};
    for (unsigned i = 0; i < 1 + (tick_clock_choose() == CAPTURE_CLOCK_COUNTER); ++i) {
        struct tick_clock c;
        struct tick_pair early = tick_clock_measure(clocks[i]);
        nanosleep(&nap, NULL);
        tick_clock_init(&c, clocks[i], &early);
        for (unsigned k = 0; k < 6; ++k) {
            nanosleep(&nap, NULL);
            int64_t before = (int64_t)capture_clock_monotonic() - c.start;
            int64_t now = tick_clock_convert(&c, capture_clock_read(clocks[i]));
            int64_t after = (int64_t)capture_clock_monotonic() - c.start;
            assert_true(now >= before - 100000 && now <= after + 100000);
            tick_clock_refine(&c);
        }
        assert_in_range(c.wall_start / 1000000000, time(NULL) - 2, time(NULL) + 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drift),        cmocka_unit_test(test_warming_up),
        cmocka_unit_test(test_bends),        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_any_ticks),    cmocka_unit_test(test_best_try),
        cmocka_unit_test(test_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
