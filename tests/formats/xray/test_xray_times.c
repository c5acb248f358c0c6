/* SPDX-License-Identifier: MIT
 * Times of a header's counter are what division with 128 bits gives, whatever the frequency.
 */
#include "cmocka_all.h"
#include "formats/xray/xray_header.h"
#include "next_random.h"

#define SECONDS_MAX (INT64_MAX / INT64_C(1000000000))

static struct xray_header header_of(uint64_t frequency)
{
    uint8_t bytes[XRAY_HEADER_SIZE] = {5, 0, 1, 0};
    struct xray_header h;
    for (int i = 0; i < 8; ++i)
        bytes[8 + i] = (uint8_t)(frequency >> 8 * i);
    assert_true(xray_header_parse(&h, bytes, sizeof bytes));
    assert_int_equal(h.frequency, frequency);
    return h;
}

static int64_t divided(uint64_t frequency, uint64_t ticks)
{
    uint64_t f = frequency != 0 ? frequency : 1000000000;
    if (f == 1000000000)
        return ticks <= INT64_MAX ? (int64_t)ticks : INT64_MAX;
    return ticks / f < SECONDS_MAX ? (int64_t)((unsigned __int128)ticks * 1000000000 / f) : INT64_MAX;
}

static void check(uint64_t frequency, uint64_t ticks)
{
    struct xray_header h = header_of(frequency);
    assert_int_equal(xray_header_time(&h, ticks), divided(frequency, ticks));
}

static void test_frequencies(void **state)
{
    static const uint64_t frequencies[] = {
        0,          1,          3,          25000000,   999999999,      1000000000, 1000000001,
        2596132000, 4000000000, UINT32_MAX, 5000000000, 10000000000000, INT64_MAX,  UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof frequencies / sizeof *frequencies; ++i) {
        uint64_t f = frequencies[i];
        for (uint64_t ticks = 0; ticks < 2000; ++ticks) {
            check(f, ticks);
            check(f, UINT64_MAX - ticks);
            check(f, f * ticks);
            check(f, f * ticks - 1);
            check(f, next_random());
        }
    }
}

static void test_random_frequencies(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; ++i) {
        uint64_t frequency = next_random();
        check(frequency >> i % 64, next_random() >> i / 64 % 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_random_frequencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
