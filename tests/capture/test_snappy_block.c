/* SPDX-License-Identifier: MIT */
/* What snappy_block writes, libsnappy reads. */
#include "cmocka_all.h"
#include "process/snappy_block.h"

#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>

static void check_round_trip(const uint8_t *bytes, size_t size)
{
    uint8_t *packed = malloc(snappy_block_bound(size));
    char *unpacked = malloc(size + 1);
    size_t packed_size = snappy_block_compress(bytes, size, packed), unpacked_size = size + 1;
    assert_true(packed_size <= snappy_block_bound(size));
    assert_int_equal(snappy_uncompress((const char *)packed, packed_size, unpacked, &unpacked_size),
                     SNAPPY_OK);
    assert_int_equal(unpacked_size, size);
    assert_memory_equal(unpacked, bytes, size);
    free(packed);
    free(unpacked);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void test_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {0,  1,  2,   3,   4,   5,     15,    16,    59,
                                   60, 61, 255, 256, 257, 65535, 65536, 65537, 1 << 20};
    uint8_t *bytes = malloc(1 << 20);
    uint32_t random = 1;
    for (unsigned alphabet = 1; alphabet <= 256; alphabet *= 4) {
        for (size_t i = 0; i < 1 << 20; ++i)
            bytes[i] = (uint8_t)(next_random(&random) % alphabet);
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
            check_round_trip(bytes, sizes[i]);
    }
    free(bytes);
}

static void test_repeats_shrink(void **state)
{
    (void)state;
    uint8_t bytes[4096], packed[8192];
    for (size_t i = 0; i < sizeof bytes; ++i)
        bytes[i] = "\x00\x07\x01\x00\x04\x05"[i % 6];
    assert_true(snappy_block_compress(bytes, sizeof bytes, packed) < sizeof bytes / 8);
    check_round_trip(bytes, sizeof bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_repeats_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
