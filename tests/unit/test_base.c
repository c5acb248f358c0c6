/* SPDX-License-Identifier: MIT
 * Tests common/base: errors, buffers, arenas, varints, hash maps, processors.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/array.h"
#include "base/error.h"
#include "base/first_error.h"
#include "base/hash_map.h"
#include "base/processors.h"
#include "base/varint.h"

#include "cmocka_all.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_errors(void **state)
{
    (void)state;
    char longer[2000];
    assert_int_equal(trace_error_set(TRACE_ERR_FORMAT, "chunk %d", 17), TRACE_ERR_FORMAT);
    assert_int_equal(trace_error_prefix(TRACE_ERR_FORMAT, "%s", "app.trace"), TRACE_ERR_FORMAT);
    assert_string_equal(trace_error_message(), "app.trace: chunk 17");
    assert_int_equal(trace_error_set_errno(TRACE_ERR_IO, ENOENT, "x"), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "x: No such file or directory");
    memset(longer, 'y', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    trace_error_prefix(TRACE_ERR_IO, "%s", longer);
    assert_int_equal(strlen(trace_error_message()), 511);
    /* The error is kept and restored without being cut. */
    struct trace_kept_error kept;
    char message[TRACE_ERROR_MESSAGE_SIZE];
    strcpy(message, trace_error_message());
    assert_int_equal(trace_error_keep(&kept, TRACE_ERR_IO), TRACE_ERR_IO);
    trace_error_set(TRACE_ERR_FORMAT, "another");
    assert_int_equal(trace_error_restore(&kept), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), message);
}

static void test_arrays(void **state)
{
    (void)state;
    uint16_t *items = NULL;
    size_t count = 0, room = 0;
    for (; count < 1000; ++count) {
        assert_int_equal(ARRAY_RESERVE(items, count, room), 0);
        assert_true(room > count);
        items[count] = (uint16_t)count;
    }
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(items[i], i);
    size_t all = SIZE_MAX / sizeof *items;
    assert_int_equal(ARRAY_RESERVE(items, all, all), TRACE_ERR_MEMORY);
    assert_int_equal(all, SIZE_MAX / sizeof *items);
    free(items);
}

static void test_first_error(void **state)
{
    (void)state;
    assert_int_equal(first_error(0, 0), 0);
    assert_int_equal(first_error(0, TRACE_ERR_IO), TRACE_ERR_IO);
    assert_int_equal(first_error(TRACE_ERR_IO, 0), TRACE_ERR_IO);
    /* the bitwise OR of the two would be TRACE_ERR_MEMORY */
    assert_int_equal(first_error(TRACE_ERR_IO, TRACE_ERR_FORMAT), TRACE_ERR_IO);
    assert_int_equal(first_error(TRACE_ERR_USAGE, TRACE_ERR_MEMORY), TRACE_ERR_USAGE);
}

static void test_buffers(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    for (unsigned i = 0; i < 1000; ++i)
        assert_int_equal(buf_append(&b, "abc", 3), 0);
    assert_int_equal(b.len, 3000);
    assert_memory_equal(b.data + 2997, "abc", 3);
    buf_consume(&b, 2998);
    assert_int_equal(b.len, 2);
    assert_memory_equal(b.data, "bc", 2);
    assert_int_equal(buf_printf(&b, "%d-%s", 42, "x"), 0);
    assert_int_equal(buf_append_byte(&b, '!'), 0);
    assert_int_equal(buf_append_string(&b, "?"), 0);
    assert_int_equal(b.len, 8);
    assert_memory_equal(b.data, "bc42-x!?", 8);
    assert_int_not_equal(buf_reserve(&b, SIZE_MAX - 4), 0);
    assert_int_equal(b.len, 8);
    buf_clear(&b);
    assert_int_equal(b.len, 0);
    buf_fini(&b);
}

static void test_arenas(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a);
    for (unsigned round = 0; round < 3; ++round) {
        char *small[200];
        for (unsigned i = 0; i < 200; ++i) {
            small[i] = arena_alloc(&a, i * 10);
            assert_non_null(small[i]);
            assert_int_equal((uintptr_t)small[i] % 16, 0);
            memset(small[i], (int)i, i * 10);
        }
        char *large = arena_alloc(&a, (size_t)3 << 20);
        assert_non_null(large);
        memset(large, 1, (size_t)3 << 20);
        for (unsigned i = 1; i < 200; ++i)
            assert_true(small[i][0] == (char)i && small[i][i * 10 - 1] == (char)i);
        arena_reset(&a);
    }
    char *copy = arena_copy(&a, "hello", 6);
    assert_string_equal(copy, "hello");
    assert_null(arena_alloc(&a, SIZE_MAX - 3));
    assert_null(arena_alloc(&a, SIZE_MAX / 2 + 1));
    arena_reset(&a);
    for (size_t size = 4000; size < 4200; ++size) { /* about as large as the memory */
        char *p = arena_alloc(&a, size);
        memset(p, 2, size);
        assert_non_null(arena_alloc(&a, 0));
        arena_reset(&a);
    }
    arena_fini(&a);
}

static unsigned count_blocks(const struct arena *a)
{
    unsigned count = 0;
    for (const struct arena_block *block = a->first; block != NULL; block = block->next)
        count++;
    return count;
}

/* A large item leaves the rest of the current block to the next ones. After a reset, the first block is there
 * unless it is large. */
static void test_arenas_with_large_items(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a);
    char *before = arena_alloc(&a, 16);
    char *large = arena_alloc(&a, (size_t)1 << 20);
    char *after = arena_alloc(&a, 16);
    assert_non_null(large);
    memset(large, 1, (size_t)1 << 20);
    assert_ptr_equal(after, before + 16);
    assert_int_equal(count_blocks(&a), 2);
    arena_reset(&a);
    assert_int_equal(count_blocks(&a), 1);
    assert_ptr_equal(arena_alloc(&a, 16), before);
    for (unsigned i = 0; i < 5; ++i)
        assert_non_null(arena_alloc(&a, 1000));
    assert_non_null(arena_alloc(&a, (size_t)3 << 20));
    assert_int_equal(count_blocks(&a), 4); /* of 1, 2 and 4 KiB, and the large one */
    arena_reset(&a);
    assert_ptr_equal(arena_alloc(&a, 16), before);
    arena_fini(&a);
    assert_non_null(arena_alloc(&a, (size_t)3 << 20)); /* nothing else is there */
    arena_reset(&a);
    assert_null(a.first);
}

static void test_varints(void **state)
{
    (void)state;
    uint8_t bytes[VARINT_MAX_BYTES + 10];
    uint64_t value;
    for (unsigned bit = 0; bit < 64; ++bit) {
        for (uint64_t delta = 0; delta < 3; ++delta) {
            uint64_t expected = (UINT64_C(1) << bit) + delta - 1;
            size_t n = varint_put(bytes, expected);
            memset(bytes + n, delta == 0 ? 0x80 : 0x7f, sizeof bytes - n);
            for (const uint8_t *end = bytes + n; end <= bytes + sizeof bytes; ++end) {
                value = 0;
                assert_int_equal(varint_get(bytes, end, &value), n);
                assert_true(value == expected);
            }
            for (size_t cut = 0; cut < n; ++cut)
                assert_int_equal(varint_get(bytes, bytes + cut, &value), 0);
        }
    }
    static const uint8_t padded[] = {0x85, 0x80, 0x80, 0x00};
    assert_int_equal(varint_get(padded, padded + 4, &value), 4);
    assert_int_equal(value, 5);
    static const uint8_t wide[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    assert_int_equal(varint_get(wide, wide + sizeof wide, &value), -1);
    uint8_t endless[40];
    memset(endless, 0x80, sizeof endless);
    assert_int_equal(varint_get(endless, endless + sizeof endless, &value), -1);
}

static void test_int_map(void **state)
{
    (void)state;
    struct int_map m = {0};
    uint64_t value;
    assert_false(int_map_get(&m, 1, &value));
    for (uint64_t i = 0; i < 5000; ++i)
        assert_int_equal(int_map_set(&m, i * 977, i), 0);
    for (uint64_t i = 0; i < 5000; i += 2)
        int_map_remove(&m, i * 977);
    assert_int_equal(m.len, 2500);
    for (uint64_t i = 0; i < 5000; ++i) {
        assert_int_equal(int_map_get(&m, i * 977, &value), i % 2 == 1);
        if (i % 2 == 1)
            assert_int_equal(value, i);
    }
    for (uint64_t i = 0; i < 100000; ++i) { /* keys that are added and removed do not fill the map */
        assert_int_equal(int_map_set(&m, UINT64_MAX - i, i), 0);
        int_map_remove(&m, UINT64_MAX - i);
    }
    assert_true(m.cap <= 16384);
    for (unsigned used = 0, i = 0; i < 1000; ++i) { /* nor does the same key again and again */
        assert_int_equal(int_map_set(&m, 1, i), 0);
        int_map_remove(&m, 1);
        used = i == 0 ? (unsigned)m.used : used;
        assert_int_equal(m.used, used);
    }
    assert_int_equal(int_map_set(&m, 977, 7), 0);
    assert_true(int_map_get(&m, 977, &value));
    assert_int_equal(value, 7);
    assert_int_equal(m.len, 2500);
    int_map_fini(&m);
}

static void test_string_map(void **state)
{
    (void)state;
    struct string_map m = {0};
    uint64_t value;
    char key[32];
    assert_false(string_map_get(&m, "key1", &value));
    for (unsigned i = 0; i < 3000; ++i) {
        snprintf(key, sizeof key, "key%u", i);
        assert_int_equal(string_map_set(&m, key, i), 0);
    }
    assert_int_equal(m.len, 3000);
    for (unsigned i = 0; i < 3000; ++i) {
        snprintf(key, sizeof key, "key%u", i);
        assert_true(string_map_get(&m, key, &value));
        assert_int_equal(value, i);
    }
    assert_false(string_map_get(&m, "key3000", NULL));
    assert_int_equal(string_map_set(&m, "key5", 99), 0);
    assert_true(string_map_get(&m, "key5", &value));
    assert_int_equal(value, 99);
    string_map_fini(&m);
}

/* A process that is restricted to some processors counts only those. */
static void test_processors(void **state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(processor_count(), CPU_COUNT(&all));
    CPU_ZERO(&one);
    int first = 0;
    while (!CPU_ISSET(first, &all))
        ++first;
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(processor_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),      cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_first_error), cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_arenas),      cmocka_unit_test(test_arenas_with_large_items),
        cmocka_unit_test(test_varints),     cmocka_unit_test(test_int_map),
        cmocka_unit_test(test_string_map),  cmocka_unit_test(test_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
