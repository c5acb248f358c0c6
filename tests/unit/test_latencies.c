/* SPDX-License-Identifier: MIT
 * Durations by their place in ascending order are those of a sorted array.
 */
#include "cmocka_all.h"
#include "profile/latencies.h"

#include <stdlib.h>

#define MOST 300000

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

/* Durations are below `range`, apart from some very long ones. */
static void check(size_t count, uint64_t range)
{
    struct latencies l = {0};
    uint64_t *values = calloc(count, sizeof *values), state = count + range;
    double sum = 0;
    assert_non_null(values);
    for (size_t i = 0; i < count; ++i) {
        values[i] = i % 1000 == 999 ? UINT64_MAX - i : next_random(&state) % range;
        sum += (double)values[i];
        assert_int_equal(latencies_add(&l, values[i]), 0);
    }
    qsort(values, count, sizeof *values, compare);
    assert_int_equal(l.count, count);
    assert_int_equal(l.min, values[0]);
    assert_int_equal(l.max, values[count - 1]);
    assert_true(l.sum == sum);
    for (size_t i = 0; i < count; i += 1 + count / 50)
        assert_int_equal(latencies_at(&l, i), values[i]);
    assert_int_equal(latencies_at(&l, count - 1), values[count - 1]);
    latencies_fini(&l);
    free(values);
}

static void test_places(void **state)
{
    (void)state;
    check(1, 10);
    check(5, 3);
    check(1500, 5);
    check(5000, 70000);
    check(20000, 100000000);
    check(MOST, 200000);
    check(MOST, 3); /* more of each than its counter counts */
}

/* Places can be asked for between durations, and all durations are joined, the latest included. */
static void test_joined(void **state)
{
    struct latencies l = {0}, joined = {0};
    (void)state;
    for (uint64_t i = 0; i < 5000; ++i) {
        assert_int_equal(latencies_add(&l, i), 0);
        assert_int_equal(latencies_at(&l, i), i);
        assert_int_equal(latencies_at(&l, i / 2), i / 2);
    }
    assert_int_equal(latencies_add(&joined, 4999), 0);
    assert_int_equal(latencies_join(&joined, &l), 0);
    assert_int_equal(joined.count, 5001);
    assert_int_equal(latencies_at(&joined, 4998), 4998);
    assert_int_equal(latencies_at(&joined, 4999), 4999);
    assert_int_equal(latencies_at(&joined, 5000), 4999);
    latencies_fini(&l);
    latencies_fini(&joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
