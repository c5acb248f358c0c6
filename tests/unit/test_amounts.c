/* SPDX-License-Identifier: MIT
 * Tests large numbers in few characters.
 */
#include "cmocka_all.h"
#include "shell/amounts.h"

static void expect_bytes(double bytes, const char *expected)
{
    char text[AMOUNT_SIZE];
    amount_of_bytes(text, sizeof text, bytes);
    assert_string_equal(text, expected);
}

static void expect_calls(double calls, const char *expected)
{
    char text[AMOUNT_SIZE];
    amount_of_calls(text, sizeof text, calls);
    assert_string_equal(text, expected);
}

static void test_bytes(void **state)
{
    (void)state;
    expect_bytes(0, "0.0 kB");
    expect_bytes(1249, "1.2 kB");
    expect_bytes(10000, "10 kB");
    expect_bytes(999499, "999 kB");
    expect_bytes(1000000, "1.0 MB");
    expect_bytes(123456789, "123 MB");
    expect_bytes(1e9, "1.0 GB");
    expect_bytes(5e14, "500000 GB");
}

static void test_calls(void **state)
{
    (void)state;
    expect_calls(0, "0 calls");
    expect_calls(7, "7 calls");
    expect_calls(999, "999 calls");
    expect_calls(1000, "1.0 k calls");
    expect_calls(45678, "46 k calls");
    expect_calls(1e6, "1.0 M calls");
    expect_calls(2.5e9, "2.5 G calls");
    expect_calls(5e15, "5000000 G calls");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
