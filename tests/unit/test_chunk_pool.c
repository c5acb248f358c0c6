/* SPDX-License-Identifier: MIT
 * Tests which chunks a pool keeps: those that fit best are used again, and few of those that were joined for
 * long events.
 */
#include "base/error.h"
#include "formats/apitrace/container/chunk.h"

#include "cmocka_all.h"

#include <string.h>

#define MIB ((size_t)1 << 20)

static struct trace_chunk_pool *pool;

static struct trace_chunk *take(size_t cap)
{
    struct trace_chunk *chunk = trace_chunk_new(pool, cap);
    assert_non_null(chunk);
    assert_in_range(cap, 1, chunk->cap);
    assert_int_equal(chunk->len, 0);
    memset(chunk->data, 1, cap);
    return chunk;
}

static int set_up(void **state)
{
    (void)state;
    return trace_chunk_pool_new(&pool);
}

static int tear_down(void **state)
{
    (void)state;
    trace_chunk_pool_free(pool);
    return 0;
}

static void test_best_fit(void **state)
{
    (void)state;
    struct trace_chunk *small = take(MIB), *joined = take(4 * MIB);
    trace_chunk_unref(small);
    trace_chunk_unref(joined); /* the last one comes first */
    struct trace_chunk *a = take(MIB), *b = take(3 * MIB);
    assert_ptr_equal(a, small);
    assert_ptr_equal(b, joined);
    trace_chunk_unref(b);
    struct trace_chunk *c = take(MIB); /* there is no other one */
    assert_ptr_equal(c, joined);
    assert_int_equal(trace_chunk_pool_live(pool), 2);
    trace_chunk_unref(a);
    trace_chunk_unref(c);
    assert_int_equal(trace_chunk_pool_live(pool), 0);
}

/* Two joined chunks are kept, and none that are larger still. */
static void test_joined_chunks(void **state)
{
    (void)state;
    struct trace_chunk *joined[3], *again[3];
    for (int i = 0; i < 3; ++i)
        joined[i] = take(4 * MIB);
    for (int i = 0; i < 3; ++i)
        trace_chunk_unref(joined[i]); /* the third one is freed */
    for (int i = 0; i < 3; ++i)
        again[i] = take(i < 2 ? 4 * MIB : MIB);
    assert_ptr_equal(again[0], joined[1]);
    assert_ptr_equal(again[1], joined[0]);
    assert_in_range(again[2]->cap, MIB, 2 * MIB);
    for (int i = 0; i < 3; ++i)
        trace_chunk_unref(again[i]);
    trace_chunk_unref(take(8 * MIB));
    struct trace_chunk *third = NULL;
    for (int i = 0; i < 3; ++i)
        again[i] = take(3 * MIB);
    third = again[2];
    assert_in_range(third->cap, 3 * MIB, 4 * MIB);
    for (int i = 0; i < 3; ++i)
        trace_chunk_unref(again[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_best_fit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_joined_chunks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
