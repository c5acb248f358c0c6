/* SPDX-License-Identifier: MIT
 * Compares the decompression of Snappy blocks with libsnappy: blocks that it accepts give the same bytes, and
 * those that it rejects are not whole. Buffers end at unreadable memory.
 */
#include "formats/apitrace/container/snappy_decompress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <snappy-c.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROOM = 1 << 18, UNTOUCHED = 0xee };

/* Memory that ends at unreadable memory. */
struct ending {
    uint8_t *end;
};

static struct ending input, output, expected;

static int make_buffers(void **unused)
{
    (void)unused;
    struct ending *all[] = {&input, &output, &expected};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        uint8_t *p = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED || mprotect(p + ROOM, page, PROT_NONE) != 0)
            return -1;
        all[i]->end = p + ROOM;
    }
    return 0;
}

static uint32_t random_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Decompresses into exactly size bytes, and checks that no bytes before them change. */
static size_t decompress(const uint8_t *block, size_t count, size_t size, bool *whole)
{
    uint8_t *in = input.end - count, *out = output.end - size;
    memcpy(in, block, count);
    memset(out - 64, UNTOUCHED, size + 64);
    size_t done = trace_snappy_decompress(in, count, out, size, whole);
    assert_true(done <= size);
    for (size_t i = 1; i <= 64; ++i)
        assert_int_equal(out[-(ptrdiff_t)i], UNTOUCHED);
    return done;
}

/* The block has the same result here as in libsnappy. */
static void check_like_libsnappy(const uint8_t *block, size_t count)
{
    size_t size = 0;
    bool whole;
    if (snappy_uncompressed_length((const char *)block, count, &size) != SNAPPY_OK || size > ROOM - 64)
        return;
    size_t got = size;
    bool accepted =
        snappy_uncompress((const char *)block, count, (char *)expected.end - size, &got) == SNAPPY_OK;
    size_t done = decompress(block, count, size, &whole);
    assert_int_equal(whole, accepted);
    if (accepted) {
        assert_int_equal(done, size);
        assert_memory_equal(output.end - size, expected.end - size, size);
    }
}

/* Makes text of words with many lengths and distances, which needs all kinds of copies and literals of all
 * lengths. Those of a third of the seeds are multiples of four, as in arrays of floats. */
static size_t make_data(uint8_t *data, size_t size, uint32_t seed)
{
    size_t n = 0, unit = seed % 3 == 0 ? 4 : 1;
    while (n < size) {
        size_t length = random_number(&seed) % ((random_number(&seed) & 7) == 0 ? 300 : 24) + 1;
        length = (length + unit - 1) / unit * unit;
        length = length < size - n ? length : size - n;
        size_t distance =
            n > 0 ? random_number(&seed) % (n < 70000 ? n : 70000) % ((seed & 3) ? 300 : 70000) + 1 : 0;
        distance = distance + unit <= n ? (distance + unit - 1) / unit * unit : distance;
        for (size_t i = 0; i < length; ++i)
            data[n + i] = n > 0 && (seed & 3) != 1 ? data[n + i - distance] : (uint8_t)random_number(&seed);
        n += length;
    }
    return n;
}

static size_t compress(const uint8_t *data, size_t size, uint8_t *block)
{
    size_t count = snappy_max_compressed_length(size);
    assert_int_equal(snappy_compress((const char *)data, size, (char *)block, &count), SNAPPY_OK);
    return count;
}

static void test_what_libsnappy_compresses(void **unused)
{
    (void)unused;
    static uint8_t data[ROOM], block[2 * ROOM];
    for (uint32_t seed = 1; seed < 200; ++seed) {
        size_t size = seed < 150 ? seed : seed < 190 ? seed * 97 : ROOM / 2 + seed;
        make_data(data, size, seed);
        size_t count = compress(data, size, block);
        bool whole;
        assert_int_equal(decompress(block, count, size, &whole), size);
        assert_true(whole);
        assert_memory_equal(output.end - size, data, size);
    }
}

/* The size at the start of a block is accepted if and only if libsnappy accepts it, in any number of
 * bytes. */
static void test_sizes(void **unused)
{
    (void)unused;
    static const uint8_t values[] = {0, 1, 7, 15, 16, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0xff};
    enum { BYTES = 6, VALUES = sizeof values };
    unsigned combinations = 1, tried = 0, accepted = 0;
    for (unsigned i = 0; i < BYTES; ++i)
        combinations *= VALUES;
    for (unsigned n = 0; n < combinations; ++n) {
        uint8_t block[BYTES];
        for (unsigned i = 0, rest = n; i < BYTES; ++i, rest /= VALUES)
            block[i] = values[rest % VALUES];
        for (size_t count = n % 100 == 0 ? 0 : BYTES; count <= BYTES; ++count) {
            size_t size = 0, wanted = 0;
            memcpy(input.end - count, block, count);
            bool ok = trace_snappy_size(input.end - count, count, &size);
            assert_int_equal(ok, snappy_uncompressed_length((char *)block, count, &wanted) == SNAPPY_OK);
            assert_true(!ok || size == wanted);
            accepted += ok;
            tried++;
        }
    }
    assert_in_range(accepted, tried / 4, tried - tried / 100);
}

static void test_what_is_cut(void **unused)
{
    (void)unused;
    static uint8_t data[3000], block[6000];
    make_data(data, sizeof data, 7);
    size_t count = compress(data, sizeof data, block), before = 0;
    bool whole;
    for (size_t cut = 0; cut < count; ++cut) {
        size_t done = decompress(block, cut, sizeof data, &whole);
        assert_false(whole);
        assert_true(done >= before); /* with more input there is more output */
        assert_memory_equal(output.end - sizeof data, data, done);
        before = done;
    }
    assert_true(before > sizeof data / 2);
    for (size_t room = 0; room < sizeof data; ++room) {
        size_t done = decompress(block, count, room, &whole);
        assert_false(whole);
        assert_true(room - done < 64); /* a copy that does not fit is omitted */
        assert_memory_equal(output.end - room, data, done);
    }
}

/* What follows a copy: nothing, a literal, or copies of whole words, among which others are written likewise.
 */
enum behind { NOTHING, A_LITERAL, WORDS };

static unsigned put_behind(uint8_t *block, enum behind behind)
{
    unsigned n = 0;
    if (behind == A_LITERAL) {
        block[n++] = 60 << 2;
        block[n++] = 89;
        n += 90;
    }
    for (unsigned i = 0; behind == WORDS && i < 50; ++i) {
        block[n++] = 1; /* four bytes */
        block[n++] = 12;
    }
    return n;
}

/* A copy of each kind, length and distance, in the middle of a block and at its end. */
static void test_each_copy(void **unused)
{
    (void)unused;
    for (unsigned kind = 1; kind <= 3; ++kind)
        for (unsigned upper = 0; upper < 64; ++upper)
            for (unsigned offset = 0; offset < 100; ++offset)
                for (enum behind behind = NOTHING; behind <= WORDS; ++behind) {
                    static const unsigned sizes[] = {0, 90, 200};
                    uint8_t block[300] = {0};
                    unsigned length = kind == 1 ? (upper & 7) + 4 : upper + 1;
                    unsigned size = 90 + length + sizes[behind], n = 2;
                    block[0] = (uint8_t)(size | 0x80);
                    block[1] = (uint8_t)(size >> 7);
                    block[n++] = 60 << 2; /* a literal of 90 bytes, with a length of one byte */
                    block[n++] = 89;
                    for (unsigned i = 0; i < 90; ++i)
                        block[n++] = (uint8_t)(i * 3);
                    block[n++] = (uint8_t)(upper << 2 | kind);
                    block[n++] = (uint8_t)offset;
                    n += kind == 1 ? 0 : kind == 2 ? 1 : 3;
                    n += put_behind(block + n, behind);
                    check_like_libsnappy(block, n);
                }
}

static void test_damage(void **unused)
{
    (void)unused;
    static uint8_t data[2000], block[4000], damaged[4100];
    uint32_t seed = 99;
    for (unsigned round = 0; round < 30000; ++round) {
        size_t size = random_number(&seed) % sizeof data + 1;
        if (round % 50 == 0 || size < 20)
            make_data(data, sizeof data, seed);
        size_t count = compress(data, size, block);
        memcpy(damaged, block, count);
        for (unsigned changes = random_number(&seed) % 3; changes < 3; ++changes)
            damaged[2 + random_number(&seed) % count] = (uint8_t)random_number(&seed);
        check_like_libsnappy(damaged, count - random_number(&seed) % 2 + random_number(&seed) % 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_libsnappy_compresses),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_what_is_cut),
        cmocka_unit_test(test_each_copy),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, make_buffers, NULL);
}
