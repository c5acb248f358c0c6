/* SPDX-License-Identifier: MIT
 * What the Snappy compressor makes of any bytes is what libsnappy and our own decompressor make them of
 * again, and it is small where events repeat. Buffers end at unreadable memory.
 */
#include "formats/apitrace/container/snappy_compress.h"
#include "formats/apitrace/container/snappy_decompress.h"

#include "next_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <snappy-c.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

static uint8_t *input_end, *output_end; /* the memory behind them is unreadable */
static uint8_t data[ROOM], back[ROOM];

static uint8_t *map_before_gap(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = ROOM + ROOM / 4;
    uint8_t *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p != MAP_FAILED && mprotect(p + room, page, PROT_NONE) == 0 ? p + room : NULL;
}

static int make_buffers(void **unused)
{
    (void)unused;
    input_end = map_before_gap();
    output_end = map_before_gap();
    return input_end == NULL || output_end == NULL;
}

/* Compresses the first `size` bytes of data, and compares the decompressed bytes. Returns the compressed
 * size. */
static size_t round_trip(size_t size)
{
    uint8_t *in = input_end - size, *out = output_end - trace_snappy_bound(size);
    if (size > 0)
        memcpy(in, data, size);
    size_t count = trace_snappy_compress(in, size, out), length = sizeof back;
    assert_in_range(count, 1, trace_snappy_bound(size));
    assert_int_equal(snappy_validate_compressed_buffer((const char *)out, count), SNAPPY_OK);
    assert_int_equal(snappy_uncompress((const char *)out, count, (char *)back, &length), SNAPPY_OK);
    assert_int_equal(length, size);
    assert_true(memcmp(back, data, size) == 0);
    bool whole;
    memset(back, 0, size);
    assert_int_equal(trace_snappy_decompress(out, count, back, size, &whole), size);
    assert_true(whole && memcmp(back, data, size) == 0);
    return count;
}

static void test_every_small_size(void **unused)
{
    (void)unused;
    for (size_t size = 0; size < 600; ++size) {
        memset(data, 'a', size);
        assert_in_range(round_trip(size), 1, size < 32 ? size + 3 : 40);
        for (size_t i = 0; i < size; ++i)
            data[i] = (uint8_t)(i % (1 + size % 70));
        round_trip(size);
        for (size_t i = 0; i < size; ++i)
            data[i] = (uint8_t)next_random();
        assert_in_range(round_trip(size), size, size + 8);
    }
}

/* Fills data with runs, copies from any distance, and bytes of few values, in turn. */
static void fill(size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t n = 1 + next_random() % (next_random() % 8 == 0 ? 70000 : 40);
        unsigned kind = (unsigned)(next_random() % 5);
        size_t from = at > 0 ? next_random() % at : 0;
        for (; n > 0 && at < size; --n, ++at, ++from)
            data[at] = kind < 2 && at > 0 ? data[from]
                       : kind == 2        ? 7
                       : kind == 3        ? (uint8_t)(next_random() % 3)
                                          : (uint8_t)next_random();
    }
}

static void test_mixtures(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 150; ++i) {
        size_t size = next_random() % (i % 10 == 0 ? ROOM : 100000);
        fill(size);
        round_trip(size);
    }
}

/* A copy reaches back at most 65,535 bytes. Short distances have a form of their own. */
static void test_distances(void **unused)
{
    (void)unused;
    static const size_t distances[] = {64, 2046, 2047, 2048, 2049, 65534, 65535, 65536, 65537};
    for (unsigned i = 0; i < sizeof distances / sizeof distances[0]; ++i) {
        for (size_t n = 4; n < 140; n += 1 + n / 20) {
            for (size_t k = 0; k < ROOM / 8; ++k)
                data[k] = (uint8_t)next_random();
            memmove(data + distances[i] + 200, data + 200, n);
            round_trip(distances[i] + 400);
        }
    }
}

/* Similar events, which differ in their call numbers and times only. */
static void test_events(void **unused)
{
    (void)unused;
    size_t size = 0, events = 0;
    for (; size + 64 < ROOM; ++events) {
        float value = (float)(events & 0xff);
        for (unsigned i = 0; i < 27; ++i)
            data[size++] = (uint8_t)(i * 7);
        memcpy(data + size, &value, sizeof value);
        size += sizeof value;
        for (unsigned i = 0; i < 4; ++i)
            data[size++] = (uint8_t)i;
        for (size_t n = 100000 + events; n > 0; n >>= 7)
            data[size++] = (uint8_t)(n >= 0x80 ? n | 0x80 : n);
        data[size++] = 0;
    }
    size_t length = snappy_max_compressed_length(size), count = round_trip(size);
    assert_int_equal(snappy_compress((const char *)data, size, (char *)back, &length), SNAPPY_OK);
    assert_in_range(count, 1, length);
    assert_in_range(count, 1, events * 11 / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_small_size),
        cmocka_unit_test(test_mixtures),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_events),
    };
    return cmocka_run_group_tests(tests, make_buffers, NULL);
}
