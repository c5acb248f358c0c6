/* SPDX-License-Identifier: MIT
 * Tests that returned records, from any thread, are reused before new ones are allocated.
 */
#include "formats/apitrace/read/record_pool.h"

#include "cmocka_all.h"

#define RECORDS 50

struct records {
    struct trace_record_pool pool;
    struct trace_call_record *items[RECORDS];
};

static void *give_all(void *argument)
{
    struct records *r = argument;
    for (unsigned i = 0; i < RECORDS; ++i)
        trace_record_pool_give(&r->pool, r->items[i]);
    return NULL;
}

static bool has_record(const struct records *r, const struct trace_call_record *record)
{
    for (unsigned i = 0; i < RECORDS; ++i)
        if (r->items[i] == record)
            return true;
    return false;
}

static void check(bool by_another_thread)
{
    struct records r = {.items = {NULL}};
    struct trace_call_record *again[RECORDS];
    pthread_t thread;
    trace_record_pool_own(&r.pool);
    for (unsigned i = 0; i < RECORDS; ++i)
        assert_non_null(r.items[i] = trace_record_pool_take(&r.pool));
    if (by_another_thread) {
        assert_int_equal(pthread_create(&thread, NULL, give_all, &r), 0);
        pthread_join(thread, NULL);
    } else {
        give_all(&r);
    }
    for (unsigned i = 0; i < RECORDS; ++i) {
        again[i] = trace_record_pool_take(&r.pool);
        assert_true(has_record(&r, again[i]));
        for (unsigned k = 0; k < i; ++k)
            assert_ptr_not_equal(again[i], again[k]);
    }
    struct trace_call_record *one_more = trace_record_pool_take(&r.pool);
    assert_non_null(one_more);
    assert_false(has_record(&r, one_more));
    trace_record_pool_give(&r.pool, one_more);
    give_all(&r);
    trace_record_pool_fini(&r.pool);
}

static void test_own_thread(void **state)
{
    (void)state;
    check(false);
}

static void test_another_thread(void **state)
{
    (void)state;
    check(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_thread),
        cmocka_unit_test(test_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
