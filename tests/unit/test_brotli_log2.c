/* SPDX-License-Identifier: MIT
 * Compares the logarithm that Brotli's encoder is given with that of the C library.
 */
#include "cmocka_all.h"

#include <math.h>

double brotli_log2(double x);
#define log2 brotli_log2
#include "brotli_log2.c"
#undef log2

static void test_log2(void **state)
{
    (void)state;
    assert_true(brotli_log2(1) == 0);
    assert_true(brotli_log2(4096) == 12);
    for (uint64_t n = 1; n < UINT64_C(1) << 40; n += 1 + n / 1000) {
        double expected = log2((double)n);
        assert_true(fabs(brotli_log2((double)n) - expected) <= 1e-15 * (1 + expected));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
