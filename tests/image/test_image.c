/* SPDX-License-Identifier: MIT
 * Tests pictures: round trips through PNG and PNM, the digest, comparison, and input that is not a picture.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "image/image.h"

static void fill(struct image *im, uint32_t width, uint32_t height, uint32_t channels)
{
    assert_int_equal(image_init(im, width, height, channels), 0);
    for (size_t i = 0; i < image_size(im); ++i)
        im->pixels[i] = (uint8_t)(i * 7 + i / 256);
}

static void assert_same(const struct image *a, const struct image *b)
{
    struct image_difference difference;
    assert_int_equal(image_compare(&difference, a, b), 0);
    assert_int_equal(difference.max, 0);
    assert_int_equal(difference.pixels, 0);
}

static void test_png_round_trip(void **state)
{
    (void)state;
    for (uint32_t channels = 1; channels <= 4; ++channels) {
        struct image im, back;
        fill(&im, 61, 17, channels);
        FILE *file = tmpfile();
        assert_int_equal(image_write_png(&im, file), 0);
        rewind(file);
        assert_int_equal(image_read_png(&back, file), 0);
        assert_same(&im, &back);
        fclose(file);
        image_fini(&im);
        image_fini(&back);
    }
}

static void test_pnm_round_trip(void **state)
{
    (void)state;
    for (uint32_t channels = 1; channels <= 4; ++channels) {
        struct image im, back;
        fill(&im, 13, 29, channels);
        FILE *file = tmpfile();
        assert_int_equal(image_write_pnm(&im, "1370", file), 0);
        rewind(file);
        assert_int_equal(image_read_pnm(&back, file), 0);
        image_drop_alpha(&im);
        assert_same(&im, &back);
        fclose(file);
        image_fini(&im);
        image_fini(&back);
    }
}

static void test_pnm_header(void **state)
{
    (void)state;
    struct image im;
    fill(&im, 1, 1, 3);
    char text[64] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_int_equal(image_write_pnm(&im, "12", file), 0);
    fclose(file);
    assert_memory_equal(text, "P6\n#12\n1 1\n255\n\0\7\16", 18);
    image_fini(&im);
}

static void test_flip(void **state)
{
    (void)state;
    struct image im, flipped;
    fill(&im, 2001, 3, 3); /* rows longer than the copying block */
    fill(&flipped, 2001, 3, 3);
    image_flip(&flipped);
    for (uint32_t y = 0; y < 3; ++y)
        assert_memory_equal(image_pixel(&im, 0, y), image_pixel(&flipped, 0, 2 - y), 2001 * 3);
    image_fini(&im);
    image_fini(&flipped);
}

static void test_md5(void **state)
{
    (void)state;
    struct image im;
    assert_int_equal(image_init(&im, 1, 1, 3), 0);
    memcpy(im.pixels, "abc", 3);
    char digest[IMAGE_MD5_SIZE];
    image_md5(&im, digest);
    assert_string_equal(digest, "900150983CD24FB0D6963F7D28E17F72"); /* RFC 1321, A.5 */
    image_fini(&im);
}

static void test_compare(void **state)
{
    (void)state;
    struct image a, b, c;
    fill(&a, 10, 10, 3);
    fill(&b, 10, 10, 3);
    fill(&c, 10, 9, 3);
    b.pixels[30] = (uint8_t)(a.pixels[30] ^ 0x80);
    struct image_difference difference;
    assert_int_equal(image_compare(&difference, &a, &b), 0);
    assert_int_equal(difference.max, 128);
    assert_int_equal(difference.pixels, 1);
    assert_true(difference.mean > 0.42 && difference.mean < 0.43);
    assert_int_equal(image_compare(&difference, &a, &c), TRACE_ERR_USAGE);
    image_fini(&a);
    image_fini(&b);
    image_fini(&c);
}

static void test_bad_input(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
    } inputs[] = {
        {"", 0},
        {"P6\n", 3},
        {"P4\n1 1\n255\n   ", 14},
        {"Q6\n1 1\n255\n   ", 14},
        {"Q5\n1 1\n255\n   ", 14},
        {"5P\n1 1\n255\n   ", 14},
        {"P6\n0 1\n255\n", 11},
        {"P6\n1 1\n65535\n      ", 19},
        {"P6\n99999999999999999999 1\n255\n", 30},
        {"P6\n2 2\n255\nshort", 16},
        {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16},
        {"text", 4},
    };
    char path[] = "/tmp/test_image_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; ++i) {
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, inputs[i].bytes, inputs[i].count, 0), inputs[i].count);
        struct image im;
        assert_int_not_equal(image_read_file(&im, path), 0);
        assert_null(im.pixels);
        assert_memory_equal(trace_error_message(), path, strlen(path));
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        memset(&im, 0xff, sizeof im);
        assert_int_not_equal(image_read_pnm(&im, file), 0);
        assert_null(im.pixels);
        rewind(file);
        memset(&im, 0xff, sizeof im);
        assert_int_not_equal(image_read_png(&im, file), 0);
        assert_null(im.pixels);
        fclose(file);
    }
    close(fd);
    unlink(path);
    struct image im;
    assert_int_equal(image_init(&im, 0, 1, 3), TRACE_ERR_USAGE);
    assert_int_equal(image_init(&im, 1u << 31, 1u << 31, 4), TRACE_ERR_USAGE);
}

static void test_unwritable(void **state)
{
    (void)state;
    struct image im;
    fill(&im, 3, 3, 3);
    assert_int_equal(image_write_png_file(&im, "/nonexistent/x.png"), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "/nonexistent/x.png: No such file or directory");
    assert_int_equal(image_write_png_file(&im, "/dev/full"), TRACE_ERR_IO);
    image_fini(&im);
}

static void test_conversion_to_four_channels(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {10, 20, 30, 40, 50, 60};
    static const uint8_t expected[4][8] = {{0},
                                           {10, 10, 10, 255, 20, 20, 20, 255},
                                           {10, 10, 10, 20, 30, 30, 30, 40},
                                           {10, 20, 30, 255, 40, 50, 60, 255}};
    for (uint32_t channels = 1; channels <= 3; ++channels) {
        struct image im;
        assert_int_equal(image_init(&im, 2, 1, channels), 0);
        memcpy(im.pixels, pixels, 2 * channels);
        assert_int_equal(image_to_rgba(&im), 0);
        assert_int_equal(im.channels, 4);
        assert_memory_equal(im.pixels, expected[channels], 8);
        assert_int_equal(image_to_rgba(&im), 0); /* again: nothing happens */
        assert_memory_equal(im.pixels, expected[channels], 8);
        image_fini(&im);
    }
}

static void test_shrinking(void **state)
{
    (void)state;
    struct image im, small;
    assert_int_equal(image_init(&im, 5, 2, 1), 0);
    memcpy(im.pixels, (uint8_t[]){0, 10, 20, 30, 40, 50, 60, 70, 80, 91}, 10);
    assert_int_equal(image_shrink(&small, &im, 2), 0);
    assert_int_equal(small.width, 2);
    assert_int_equal(small.height, 1);
    assert_int_equal(small.pixels[0], 30); /* of 2 x 2 pixels */
    assert_int_equal(small.pixels[1], 55); /* of 3 x 2 pixels: 55.17 */
    image_fini(&small);
    assert_int_equal(image_shrink(&small, &im, 5), 0); /* no larger than it is */
    assert_int_equal(small.width, 5);
    assert_memory_equal(small.pixels, im.pixels, 10);
    image_fini(&small);
    assert_int_equal(image_shrink(&small, &im, 1), 0); /* no side is 0 */
    assert_int_equal(small.height, 1);
    image_fini(&small);
    image_fini(&im);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_round_trip),
        cmocka_unit_test(test_conversion_to_four_channels),
        cmocka_unit_test(test_shrinking),
        cmocka_unit_test(test_pnm_round_trip),
        cmocka_unit_test(test_pnm_header),
        cmocka_unit_test(test_flip),
        cmocka_unit_test(test_md5),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_unwritable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
