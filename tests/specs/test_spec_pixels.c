/* SPDX-License-Identifier: MIT */
#include "runtime/length.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum {
    UNSIGNED_BYTE = 0x1401,
    SHORT_5_6_5 = 0x8363,
    HALF_FLOAT = 0x140b,
    FLOAT = 0x1406,
    FLOAT_32_UNSIGNED_INT_24_8_REV = 0x8dad,
    BITMAP = 0x1a00,
    COLOR_INDEX = 0x1900,
    DEPTH_COMPONENT = 0x1902,
    RGB = 0x1907,
    RGBA = 0x1908,
    RG = 0x8227,
    RGBA_INTEGER = 0x8d99,
    DEPTH_STENCIL = 0x84f9,
    UNSIGNED_INT_24_8 = 0x84fa,
};

static const struct spec_pixel_store standard = {.alignment = 4};

static int64_t size_2d(uint32_t format, uint32_t type, int width, int height)
{
    return spec_image_size(format, type, width, height, 1, &standard);
}

static void test_formats_and_types(void **unused)
{
    (void)unused;
    assert_int_equal(size_2d(RGBA, UNSIGNED_BYTE, 5, 3), 60);
    assert_int_equal(size_2d(RGBA, FLOAT, 2, 2), 64);
    assert_int_equal(size_2d(RG, HALF_FLOAT, 3, 2), 24);
    assert_int_equal(size_2d(RGBA_INTEGER, UNSIGNED_BYTE, 4, 4), 64);
    assert_int_equal(size_2d(DEPTH_COMPONENT, FLOAT, 3, 3), 36);
    assert_int_equal(size_2d(RGB, SHORT_5_6_5, 2, 2), 8);
    assert_int_equal(size_2d(DEPTH_STENCIL, UNSIGNED_INT_24_8, 2, 2), 16);
    assert_int_equal(size_2d(DEPTH_STENCIL, FLOAT_32_UNSIGNED_INT_24_8_REV, 2, 2), 32);
}

static void test_rows_are_padded_but_the_last(void **unused)
{
    (void)unused;
    assert_int_equal(size_2d(RGB, UNSIGNED_BYTE, 3, 2), 12 + 9);
    assert_int_equal(size_2d(RGB, UNSIGNED_BYTE, 3, 1), 9);
    struct spec_pixel_store tight = {.alignment = 1};
    assert_int_equal(spec_image_size(RGB, UNSIGNED_BYTE, 3, 2, 1, &tight), 18);
    struct spec_pixel_store wide = {.alignment = 8};
    assert_int_equal(spec_image_size(RGB, UNSIGNED_BYTE, 3, 2, 1, &wide), 16 + 9);
}

static void test_bitmaps_are_bits(void **unused)
{
    (void)unused;
    struct spec_pixel_store tight = {.alignment = 1};
    assert_int_equal(spec_image_size(COLOR_INDEX, BITMAP, 8, 13, 1, &tight), 13);
    assert_int_equal(spec_image_size(COLOR_INDEX, BITMAP, 9, 2, 1, &tight), 4);
    assert_int_equal(size_2d(COLOR_INDEX, BITMAP, 32, 32), 128);
    struct spec_pixel_store skip = {.alignment = 1, .skip_pixels = 7, .row_length = 16};
    assert_int_equal(spec_image_size(COLOR_INDEX, BITMAP, 1, 1, 1, &skip), 1);
    assert_int_equal(spec_image_size(COLOR_INDEX, BITMAP, 2, 1, 1, &skip), 2);
}

static void test_pixel_store(void **unused)
{
    (void)unused;
    struct spec_pixel_store store = {.alignment = 4, .row_length = 10, .skip_rows = 2, .skip_pixels = 3};
    /* two rows skipped, one whole row, then 3 skipped pixels and the last row's 4 */
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 4, 2, 1, &store), 3 * 40 + 7 * 4);
    struct spec_pixel_store volume = {.alignment = 4, .image_height = 8, .skip_images = 1};
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 4, 2, 2, &volume), 2 * 8 * 16 + 16 + 16);
    /* skip_images counts even for a single image */
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 4, 2, 1, &volume), 8 * 16 + 16 + 16);
}

static void test_empty_and_wrong(void **unused)
{
    (void)unused;
    assert_int_equal(size_2d(RGBA, UNSIGNED_BYTE, 0, 4), 0);
    assert_int_equal(size_2d(RGBA, UNSIGNED_BYTE, 4, -4), 0);
    assert_int_equal(size_2d(0x1234, UNSIGNED_BYTE, 4, 4), 0);
    assert_int_equal(size_2d(RGBA, 0x1234, 4, 4), 0);
    assert_int_equal(spec_image_size(RGBA, FLOAT, INT64_MAX / 4, 4, 1, &standard), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(spec_image_size(RGBA, FLOAT, INT32_MAX, INT32_MAX, INT32_MAX, &standard),
                     SPEC_LENGTH_UNKNOWN);
    struct spec_pixel_store negative = {.alignment = 4, .skip_rows = -100};
    assert_int_equal(spec_image_size(RGBA, FLOAT, 4, 4, 1, &negative), SPEC_LENGTH_UNKNOWN);
}

static void test_pixel_sizes(void **unused)
{
    (void)unused;
    assert_int_equal(spec_pixel_size(RGBA, FLOAT), 16);
    assert_int_equal(spec_pixel_size(RGB, SHORT_5_6_5), 2);
    assert_int_equal(spec_pixel_size(RGBA, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats_and_types), cmocka_unit_test(test_rows_are_padded_but_the_last),
        cmocka_unit_test(test_bitmaps_are_bits),  cmocka_unit_test(test_pixel_store),
        cmocka_unit_test(test_empty_and_wrong),   cmocka_unit_test(test_pixel_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
