/* SPDX-License-Identifier: MIT
 * Tests which of several configurations is the closest to what is wanted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "windows/buffer_distance.h"

static const struct buffer_config plain = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8};

static void test_the_same(void **state)
{
    struct buffer_config has = plain;
    (void)state;
    assert_int_equal(buffer_distance(&has, &plain), 0);
    has.deepest = true;
    assert_int_equal(buffer_distance(&has, &plain), 0);
}

/* Changes each number of bits. */
static void test_bits(void **state)
{
    struct buffer_config wanted = plain, has;
    int *bits[] = {&has.colour[0],       &has.colour[3],       &has.depth,   &has.stencil,
                   &has.accumulation[0], &has.accumulation[3], &has.samples, &has.auxiliary};
    (void)state;
    wanted.accumulation[0] = wanted.accumulation[3] = 16;
    wanted.samples = wanted.auxiliary = 2;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; ++i) {
        has = wanted;
        *bits[i] += 2;
        assert_int_equal(buffer_distance(&has, &wanted), 2);
        *bits[i] += 100;
        int more = buffer_distance(&has, &wanted);
        has = wanted;
        *bits[i] -= 1;
        assert_true(buffer_distance(&has, &wanted) > more);
    }
}

static void test_kinds(void **state)
{
    struct buffer_config has;
    bool *kinds[] = {&has.single_buffered, &has.stereo, &has.is_float};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        has = (struct buffer_config){.colour = {1}};
        int poor = buffer_distance(&has, &plain);
        has = plain;
        *kinds[i] = true;
        assert_true(buffer_distance(&has, &plain) > poor);
        assert_true(buffer_distance(&plain, &has) > poor);
    }
    has = plain;
    has.srgb = true;
    assert_true(buffer_distance(&has, &plain) > 0);
    assert_true(buffer_distance(&plain, &has) > buffer_distance(&has, &plain));
}

static void test_deepest(void **state)
{
    struct buffer_config wanted = plain, deep = plain, shallow = plain;
    (void)state;
    wanted.deepest = true;
    deep.depth = 32;
    shallow.depth = 16;
    assert_true(buffer_distance(&deep, &wanted) < buffer_distance(&plain, &wanted));
    assert_true(buffer_distance(&shallow, &wanted) > buffer_distance(&plain, &wanted));
}

/* A window can stand for another one only if no buffer is different. */
static void test_equal(void **state)
{
    struct buffer_config other = plain;
    int *bits[] = {&other.colour[0],       &other.colour[1],       &other.colour[2], &other.colour[3],
                   &other.accumulation[0], &other.accumulation[3], &other.depth,     &other.stencil,
                   &other.samples,         &other.auxiliary};
    bool *kinds[] = {&other.srgb, &other.is_float, &other.stereo, &other.single_buffered};
    (void)state;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; ++i) {
        *bits[i] += 1;
        assert_false(buffers_are_equal(&other, &plain));
        assert_false(buffers_are_equal(&plain, &other));
        other = plain;
        assert_true(buffers_are_equal(&other, &plain));
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        *kinds[i] = true;
        assert_false(buffers_are_equal(&other, &plain));
        assert_false(buffers_are_equal(&plain, &other));
        other = plain;
    }
    other.deepest = true;
    assert_true(buffers_are_equal(&other, &plain));
    assert_true(buffers_are_equal(&plain, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same), cmocka_unit_test(test_bits),  cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_deepest),  cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
