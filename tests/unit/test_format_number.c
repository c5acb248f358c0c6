/* SPDX-License-Identifier: MIT
 * Compares the formatting of numbers with printf().
 */
#include "base/format_number.h"

#include "cmocka_all.h"
#include "next_random.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_real(double value, unsigned digits)
{
    char found[FORMAT_REAL_BYTES + 1];
    char expected[64];
    found[format_real(found, value, digits)] = '\0';
    snprintf(expected, sizeof expected, "%.*g", (int)digits, value);
    if (strcmp(found, expected) != 0)
        fail_msg("%a with %u digits: %s, not %s", value, digits, found, expected);
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check_float7(uint32_t bits)
{
    char found[FORMAT_REAL_BYTES + 1];
    char expected[64];
    float value = float_of(bits);
    found[format_float7(found, value)] = '\0';
    snprintf(expected, sizeof expected, "%.7g", (double)value);
    if (strcmp(found, expected) != 0)
        fail_msg("%a: %s, not %s", (double)value, found, expected);
}

static void check_digits(uint64_t value)
{
    static const unsigned counts[] = {1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 20};
    uint64_t limit = 1;
    unsigned digits = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        char found[24] = "", expected[32];
        for (; digits < counts[i] && digits < 20; ++digits)
            limit = digits < 19 ? limit * 10 : 0;
        uint64_t part = limit != 0 ? value % limit : value;
        format_digits(found, part, counts[i]);
        snprintf(expected, sizeof expected, "%0*llu", (int)counts[i], (unsigned long long)part);
        assert_string_equal(found, expected); /* and nothing behind it was written */
    }
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
    found[format_upper_hex(found, value)] = '\0';
    snprintf(expected, sizeof expected, "%llX", (unsigned long long)value);
    assert_string_equal(found, expected);
    check_digits(value);
}

static void test_integers(void **state)
{
    (void)state;
    uint64_t power = 1;
    for (unsigned i = 0; i < 64; ++i)
        for (uint64_t delta = 0; delta < 3; ++delta)
            check_integer((UINT64_C(1) << i) + delta - 1);
    for (uint64_t value = 0; value < 20000; ++value)
        check_integer(value);
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
        check_real((double)(bits % 20000000) + 0.5, 7); /* halfway cases */
        check_real((double)(float)((double)(bits % 1000) / 1000.0), 7);
    }
}

/* Floats of all kinds, and many near powers of ten, where the exponent changes or rounding carries. */
static void test_float7(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 16411)
        check_float7((uint32_t)bits);
    for (int e = -45; e <= 38; ++e) {
        float power = (float)pow(10, e);
        uint32_t bits;
        memcpy(&bits, &power, sizeof bits);
        for (uint32_t i = 0; i < 64; ++i) {
            check_float7(bits + i);
            check_float7((bits - i) | UINT32_C(1) << 31);
        }
    }
    for (unsigned i = 0; i < 100000; ++i) {
        float halves = (float)(next_random() % 20000000) / 2; /* halfway cases from 10^6 on */
        uint32_t bits;
        memcpy(&bits, &halves, sizeof bits);
        check_float7(bits);
    }
}

static size_t shortest_by_printf(char *out, double value, unsigned digits, bool is_a_float)
{
    for (;; ++digits) {
        int n = snprintf(out, 64, "%.*e", (int)digits - 1, value);
        double found = strtod(out, NULL);
        if (is_a_float ? (float)found == (float)value && strtof(out, NULL) == (float)value : found == value)
            return (size_t)n;
    }
}

/* Keeps the digits only: no sign, point or exponent, and no leading or trailing zeros. */
static void strip(char *digits, const char *text)
{
    size_t n = 0;
    for (; *text != '\0' && *text != 'e'; ++text)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0'))
            digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        --n;
    digits[n] = '\0';
}

static void check_shortest(double value, bool is_a_float)
{
    char found[FORMAT_REAL_BYTES + 1], expected[64], found_digits[64], expected_digits[64];
    found[is_a_float ? format_float(found, (float)value) : format_double(found, value)] = '\0';
    shortest_by_printf(expected, value, 1, is_a_float);
    strip(found_digits, found);
    strip(expected_digits, expected);
    if (strcmp(found_digits, expected_digits) != 0 || strtod(found, NULL) != strtod(expected, NULL))
        fail_msg("%a: %s, not %s", value, found, expected);
}

static void test_shortest_layout(void **state)
{
    static const struct {
        float value;
        const char *text;
    } floats[] = {{0.0f, "0"},
                  {-0.0f, "-0"},
                  {0.1f, "0.1"},
                  {1e6f, "1000000"},
                  {1e7f, "1e+07"},
                  {-1.5e-5f, "-1.5e-05"},
                  {16777216.0f, "16777216"},
                  {1e30f, "1e+30"},
                  {INFINITY, "inf"},
                  {-INFINITY, "-inf"},
                  {FLT_MAX, "3.4028235e+38"},
                  {1e-45f, "1e-45"},
                  {0.333333343f, "0.33333334"}};
    char text[FORMAT_REAL_BYTES + 1];
    (void)state;
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; ++i) {
        text[format_float(text, floats[i].value)] = '\0';
        assert_string_equal(text, floats[i].text);
    }
    text[format_double(text, 0.1)] = '\0';
    assert_string_equal(text, "0.1");
    text[format_double(text, 1e15)] = '\0';
    assert_string_equal(text, "1000000000000000");
    text[format_double(text, 1.0 / 3)] = '\0';
    assert_string_equal(text, "0.3333333333333333");
    text[format_double(text, 0.1 + 0.2)] = '\0';
    assert_string_equal(text, "0.30000000000000004");
}

static void test_shortest(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        uint64_t bits = next_random();
        uint32_t half = (uint32_t)bits;
        double d;
        float f;
        memcpy(&d, &bits, sizeof d);
        memcpy(&f, &half, sizeof f);
        if (isfinite(d))
            check_shortest(d, false);
        if (isfinite(f))
            check_shortest((double)f, true);
        check_shortest((double)(int64_t)bits / 1000.0, false);
        check_shortest((double)((float)(bits % 100000) / 1000.0f), true);
        check_shortest((double)((float)(bits % 20000) / 10000.0f - 1.0f), true);
        check_shortest((double)((float)half), true);
        check_shortest((double)(bits % 4000000) / 10000.0, false);
        check_shortest((double)(bits % 4096) / 16.0, true);
        check_real((double)(bits % 4096) / 32.0, 6 + bits % 12);
    }
    for (int e = -149; e < 127; ++e)
        check_shortest((double)(float)ldexp(1.0 + (e & 1) * 0.5, e), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),        cmocka_unit_test(test_chosen_reals),
        cmocka_unit_test(test_random_reals),    cmocka_unit_test(test_float7),
        cmocka_unit_test(test_shortest_layout), cmocka_unit_test(test_shortest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
