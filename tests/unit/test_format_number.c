/* SPDX-License-Identifier: MIT
 * Number formatting against printf().
 */
#include "base/format_number.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t next_random(void)
{
    static uint64_t s = UINT64_C(88172645463325252);
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return s;
}

static void check_real(double value, unsigned digits)
{
    char found[FORMAT_REAL_BYTES + 1];
    char expected[64];
    found[format_real(found, value, digits)] = '\0';
    snprintf(expected, sizeof expected, "%.*g", (int)digits, value);
    if (strcmp(found, expected) != 0)
        fail_msg("%a with %u digits: %s, not %s", value, digits, found, expected);
}

static void check_integer(uint64_t value)
{
    char found[FORMAT_INT_BYTES + 1];
    char expected[32];
    found[format_uint(found, value)] = '\0';
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)value);
    assert_string_equal(found, expected);
    found[format_sint(found, (int64_t)value)] = '\0';
    snprintf(expected, sizeof expected, "%lld", (long long)value);
    assert_string_equal(found, expected);
    found[format_hex(found, value)] = '\0';
    snprintf(expected, sizeof expected, "%llx", (unsigned long long)value);
    assert_string_equal(found, expected);
}

static void test_integers(void **state)
{
    (void)state;
    uint64_t power = 1;
    for (unsigned i = 0; i < 64; ++i)
        for (uint64_t delta = 0; delta < 3; ++delta)
            check_integer((UINT64_C(1) << i) + delta - 1);
    for (unsigned i = 0; i < 20; ++i, power *= 10)
        for (uint64_t delta = 0; delta < 3; ++delta)
            check_integer(power + delta - 1);
    for (unsigned i = 0; i < 10000; ++i)
        check_integer(next_random() >> (i % 64));
}

static void test_chosen_reals(void **state)
{
    (void)state;
    static const double values[] = {
        0.0,
        1.0,
        0.1,
        0.5,
        2.5,
        1e15,
        1e16,
        1e22,
        1e-5,
        0.0001,
        0.000099999999,
        123456.5,
        1234567.5,
        1234568.5,
        9999999.5,
        9999999.4,
        99999995.0,
        9.9999995,
        0.00099999995,
        16777217.0,
        9999999999999999.0,
        5e-324,
        1.7976931348623157e308,
        INFINITY,
        NAN,
        3.4028234663852886e38,
        1.1754943508222875e-38,
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
        for (unsigned digits = 1; digits <= 17; ++digits) {
            check_real(values[i], digits);
            check_real(-values[i], digits);
        }
}

static void test_random_reals(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200000; ++i) {
        uint64_t bits = next_random();
        uint32_t half = (uint32_t)next_random();
        float f;
        double d;
        memcpy(&f, &half, sizeof f);
        memcpy(&d, &bits, sizeof d);
        check_real((double)f, 7);
        check_real(d, 16);
        check_real((double)(float)((int)(bits % 2000001) - 1000000) / (double)(1 << (half % 20)), 7);
        check_real((double)(int64_t)bits / pow(10, half % 30), 16);
        check_real((double)(bits % 20000000) + 0.5, 7); /* ties */
        check_real((double)(float)((double)(bits % 1000) / 1000.0), 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_chosen_reals),
        cmocka_unit_test(test_random_reals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
