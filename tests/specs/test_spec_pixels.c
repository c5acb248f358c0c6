/* SPDX-License-Identifier: MIT */
#include "expectations.h"
#include "length_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The first row is the last one in memory; skipped ones are below the address. */
static void test_inverted_rows(void **unused)
{
    (void)unused;
    struct spec_pixel_store store = {.alignment = 4, .row_length = 10, .skip_pixels = 3, .inverted = 1};
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 4, 3, 1, &store), 2 * 40 + 7 * 4);
    store.skip_rows = 2;
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 4, 3, 1, &store), 7 * 4);
    store.skip_rows = 3;
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 4, 3, 1, &store), 0);
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 4, 5, 2, &store), (5 + 1) * 40 + 7 * 4);
}

/* Blocks of 4 x 4 pixels and 8 bytes. */
static void test_compressed(void **unused)
{
    (void)unused;
    const struct spec_block_store block = {.size = 8, .width = 4, .height = 4, .depth = 1},
                                  none = {0, 0, 0, 0};
    const struct spec_block_store flat = {.size = 8, .width = 4};
    const int64_t image[3] = {8, 8, 0}, line[3] = {9, 0, 0}, volume[3] = {8, 5, 3};
    struct spec_pixel_store store = {.row_length = 16, .skip_pixels = 4, .skip_rows = 8, .alignment = 4};
    /* two rows of blocks skipped, a whole one, and a block skipped before the last two */
    assert_int_equal(spec_compressed_size(32, image, &store, &block), 3 * 32 + 3 * 8);
    assert_int_equal(spec_compressed_size(32, image, &store, &none), 32);
    assert_int_equal(spec_compressed_size(32, image, &store, &flat), 32); /* of rows, nothing is known */
    assert_int_equal(spec_compressed_size(24, line, &store, &block), 4 * 8);
    store = (struct spec_pixel_store){.image_height = 12, .skip_images = 2, .skip_rows = 4};
    assert_int_equal(spec_compressed_size(96, volume, &store, &block), 4 * 3 * 16 + 2 * 16 + 16);
    assert_int_equal(spec_compressed_size(32, image, &store, &block), 2 * 16 + 16);
    const int64_t wide[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    const struct spec_block_store huge = {.size = INT32_MAX, .width = 1, .height = 1, .depth = 1};
    assert_int_equal(spec_compressed_size(7, wide, &store, &huge), SPEC_LENGTH_UNKNOWN);
    store = (struct spec_pixel_store){.skip_rows = -100};
    assert_int_equal(spec_compressed_size(32, image, &store, &block), SPEC_LENGTH_UNKNOWN);
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
    /* all rows but the last are 2^63 - 2^35 bytes, and the last one 2^35 */
    assert_int_equal(size_2d(RGBA, FLOAT, 1 << 30, 1 << 28), INT64_C(1) << 62);
    assert_int_equal(spec_image_size(RGBA, FLOAT, INT64_C(1) << 31, 1 << 28, 1, &standard),
                     SPEC_LENGTH_UNKNOWN);
    struct spec_pixel_store negative = {.alignment = 4, .skip_rows = -100};
    assert_int_equal(spec_image_size(RGBA, FLOAT, 4, 4, 1, &negative), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(spec_image_size(RGBA, FLOAT, 4, 200, 3, &negative), 2 * 200 * 64 + 99 * 64 + 64);
    negative.skip_rows = -4;
    assert_int_equal(spec_image_size(RGBA, FLOAT, 4, 3, 3, &negative), SPEC_LENGTH_UNKNOWN);
    negative = (struct spec_pixel_store){.alignment = 4, .skip_pixels = -5};
    assert_int_equal(spec_image_size(RGBA, FLOAT, 4, 4, 1, &negative), SPEC_LENGTH_UNKNOWN);
    /* The row fits, but not together with the pixels that are skipped. */
    struct spec_pixel_store skip = {.alignment = 4, .skip_pixels = 2};
    const int64_t wide = (INT64_MAX - 7) / 32;
    assert_true(spec_image_size(RGBA, UNSIGNED_BYTE, wide, 1, 1, &standard) > 0);
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, wide, 1, 1, &skip), SPEC_LENGTH_UNKNOWN);
    /* The alignment was never set. */
    static const struct spec_pixel_store zeroes;
    assert_int_equal(spec_image_size(RGB, UNSIGNED_BYTE, 3, 2, 1, &zeroes), 12 + 9);
}

/* Returns the end of the last pixel that is read, by the specification's formula for addresses (8.4.4.1;
 * 8.4.4.3 for bitmaps). */
static int64_t end_of_last_pixel(const int64_t size[3], int64_t bits, const struct spec_pixel_store *store)
{
    int64_t length = store->row_length > 0 ? store->row_length : size[0];
    int64_t rows = store->image_height > 0 ? store->image_height : size[1];
    int64_t row = (length * bits + 8 * store->alignment - 1) / (8 * store->alignment) * store->alignment;
    int64_t end = 0;
    for (int64_t z = 0; z < size[2]; ++z)
        for (int64_t y = 0; y < size[1]; ++y)
            for (int64_t x = 0; x < size[0]; ++x) {
                int64_t at = ((z + store->skip_images) * rows + y + store->skip_rows) * row * 8 +
                             (x + store->skip_pixels) * bits;
                end = at + bits > end ? at + bits : end;
            }
    return (end + 7) / 8;
}

/* Checks images of all sizes, with and without a larger image around them. Rows do not overlap. */
static void check_stores(uint32_t format, uint32_t type, int64_t bits)
{
    for (unsigned i = 0; i < 4 * 4 * 4 * 4 * 2 * 3 * 3 * 2; ++i) {
        unsigned n = i;
        const int64_t size[3] = {1 + n % 4 * 3, 1 + n / 4 % 4, 1 + n / 16 % 2};
        n /= 32;
        struct spec_pixel_store store = {.alignment = 1 << n % 4, .skip_rows = n / 4 % 2 * 3};
        n /= 8;
        store.row_length = n % 3 == 0 ? 0 : (int32_t)size[0] + (n % 3 == 1 ? 0 : 1);
        store.image_height = n / 3 % 3 == 0 ? 0 : (int32_t)size[1] + (n / 3 % 3 == 1 ? 0 : 2);
        store.skip_pixels = n / 9 % 2;
        store.skip_images = n / 18 % 2 * 2;
        int64_t found = spec_image_size(format, type, size[0], size[1], size[2], &store);
        assert_int_equal(found, end_of_last_pixel(size, bits, &store));
    }
}

static void test_images_end_with_their_last_pixel(void **unused)
{
    (void)unused;
    check_stores(RGBA, UNSIGNED_BYTE, 32);
    check_stores(RGB, UNSIGNED_BYTE, 24);
    check_stores(RGB, SHORT_5_6_5, 16);
    check_stores(RGB, FLOAT, 96);
    check_stores(DEPTH_STENCIL, FLOAT_32_UNSIGNED_INT_24_8_REV, 64);
    check_stores(COLOR_INDEX, UNSIGNED_BYTE, 8);
    check_stores(COLOR_INDEX, BITMAP, 1);
    /* Rows that overlap: the last row still determines the end. */
    const struct spec_pixel_store overlap = {.alignment = 1, .row_length = 1};
    assert_int_equal(spec_image_size(RGBA, UNSIGNED_BYTE, 5, 3, 1, &overlap), 2 * 4 + 5 * 4);
}

static void test_pixel_sizes(void **unused)
{
    (void)unused;
    assert_int_equal(spec_pixel_size(RGBA, FLOAT), 16);
    assert_int_equal(spec_pixel_size(RGB, SHORT_5_6_5), 2);
    assert_int_equal(spec_pixel_size(RGBA, 0), 0);
    assert_int_equal(spec_pixel_size(COLOR_INDEX, BITMAP), 1); /* one byte */
}

/* pixels.txt: values from the specifications. */

struct named_size {
    uint32_t value;
    unsigned size; /* number of components of a format, or of bytes of a type */
    bool packed;
};

enum { MAX_NAMES = 64, MAX_WORDS = 16, MAX_ENUM = 0x10000 };

static struct named_size formats[MAX_NAMES], types[MAX_NAMES];
static size_t format_count, type_count, image_count;

static int64_t number(const char *text)
{
    int64_t value;
    if (!length_case_number(text, &value)) {
        printf("pixels.txt: no enum is called %s\n", text);
        fail();
    }
    return value;
}

static void add(struct named_size *list, size_t *count, char **words, bool packed)
{
    assert_true(*count < MAX_NAMES);
    list[(*count)++] = (struct named_size){(uint32_t)number(words[1]), (unsigned)number(words[2]), packed};
}

static void set_store(struct spec_pixel_store *store, const char *setting)
{
    const struct {
        const char *name;
        int32_t *member;
    } members[] = {
        {"alignment=", &store->alignment},     {"row_length=", &store->row_length},
        {"skip_rows=", &store->skip_rows},     {"skip_pixels=", &store->skip_pixels},
        {"skip_images=", &store->skip_images}, {"image_height=", &store->image_height},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        size_t n = strlen(members[i].name);
        if (strncmp(setting, members[i].name, n) == 0) {
            *members[i].member = atoi(setting + n);
            return;
        }
    }
    printf("pixels.txt: %s is no pixel store parameter\n", setting);
    fail();
}

/* image FORMAT TYPE WIDTH HEIGHT DEPTH [STORE=VALUE]… BYTES */
static void check_image(char **words, size_t count)
{
    struct spec_pixel_store store = standard;
    for (size_t i = 6; i + 1 < count; ++i)
        set_store(&store, words[i]);
    int64_t size = spec_image_size((uint32_t)number(words[1]), (uint32_t)number(words[2]), atoi(words[3]),
                                   atoi(words[4]), atoi(words[5]), &store);
    if (size != atoi(words[count - 1])) {
        printf("pixels.txt: %lld instead of %s bytes: ", (long long)size, words[count - 1]);
        for (size_t i = 1; i + 1 < count; ++i)
            printf("%s ", words[i]);
        printf("\n");
        fail();
    }
    image_count++;
}

static void read_line(char *line, unsigned number)
{
    (void)number;
    char *words[MAX_WORDS], *save;
    size_t count = 0;
    for (char *w = strtok_r(line, " ", &save); w != NULL && count < MAX_WORDS; w = strtok_r(NULL, " ", &save))
        words[count++] = w;
    if (count == 0)
        return;
    if (strcmp(words[0], "format") == 0 && count == 3)
        add(formats, &format_count, words, false);
    else if (strcmp(words[0], "type") == 0 && count == 3)
        add(types, &type_count, words, false);
    else if (strcmp(words[0], "packed") == 0 && count == 3)
        add(types, &type_count, words, true);
    else if (strcmp(words[0], "image") == 0 && count > 6)
        check_image(words, count);
    else
        fail();
}

static void test_images_of_the_specifications(void **unused)
{
    (void)unused;
    read_expectations(PIXELS_FILE, read_line);
    assert_true(format_count > 40 && type_count > 30 && image_count > 30);
}

static void test_every_format_and_type(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < format_count; ++i)
        for (size_t k = 0; k < type_count; ++k) {
            int64_t bytes = types[k].packed ? types[k].size : types[k].size * formats[i].size;
            assert_int_equal(spec_pixel_size(formats[i].value, types[k].value), bytes);
            assert_int_equal(size_2d(formats[i].value, types[k].value, 8, 1), 8 * bytes);
        }
}

static const struct named_size *find(const struct named_size *list, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; ++i)
        if (list[i].value == value)
            return &list[i];
    return NULL;
}

static void test_there_are_no_others(void **unused)
{
    (void)unused;
    for (uint32_t value = 0; value < MAX_ENUM; ++value) {
        if (find(formats, format_count, value) == NULL)
            assert_int_equal(size_2d(value, UNSIGNED_BYTE, 8, 1), 0);
        if (find(types, type_count, value) == NULL && value != BITMAP)
            assert_int_equal(size_2d(RGBA, value, 8, 1), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images_of_the_specifications),
        cmocka_unit_test(test_every_format_and_type),
        cmocka_unit_test(test_there_are_no_others),
        cmocka_unit_test(test_formats_and_types),
        cmocka_unit_test(test_rows_are_padded_but_the_last),
        cmocka_unit_test(test_bitmaps_are_bits),
        cmocka_unit_test(test_pixel_store),
        cmocka_unit_test(test_inverted_rows),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_empty_and_wrong),
        cmocka_unit_test(test_pixel_sizes),
        cmocka_unit_test(test_images_end_with_their_last_pixel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
