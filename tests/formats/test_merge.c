/* SPDX-License-Identifier: MIT
 * Several sources as one: by time, with numbers and types of its own.
 */
#include "cmocka_all.h"
#include "base/error.h"
#include "list_source.h"
#include "trace/adaptors/adaptors.h"

#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static void test_merge(void **state)
{
    const struct trace_call call = list_source_call(0);
    const struct trace_event a[] = {enter_of(&call, 0, 10), exit_of(&call, 0, 40),
                                    exit_of(&call, 5, TRACE_NO_TIME)};
    const struct trace_event b[] = {
        {.kind = TRACE_EVENT_COMMENT, .time = TRACE_NO_TIME, .u.text = "declared"},
        enter_of(&call, 0, 20),
        exit_of(&call, 0, 30),
    };
    static const struct {
        enum trace_event_kind kind;
        int64_t time;
        uint64_t number;
    } expected[] = {
        {TRACE_EVENT_COMMENT, TRACE_NO_TIME, 0},
        {TRACE_EVENT_ENTER, 10, 0},
        {TRACE_EVENT_ENTER, 20, 1},
        {TRACE_EVENT_EXIT, 30, 1},
        {TRACE_EVENT_EXIT, 40, 0},
        {TRACE_EVENT_EXIT, TRACE_NO_TIME, 2},
    };
    struct list_source lists[2];
    struct trace_source *s,
        *of[] = {list_source_open(&lists[0], a, LENGTH(a)), list_source_open(&lists[1], b, LENGTH(b))};
    size_t closed = 0;
    (void)state;
    assert_int_equal(trace_merge_open(&s, of, 2), 0);
    lists[0].closed = lists[1].closed = &closed;
    for (size_t i = 0; i < LENGTH(expected); ++i) {
        struct trace_event event = next_event(s);
        assert_int_equal(event.kind, expected[i].kind);
        assert_int_equal(event.time, expected[i].time);
        if (event.call != NULL)
            assert_int_equal(event.number, expected[i].number);
        trace_source_release(s, &event);
    }
    expect_end(s);
    trace_source_close(s);
    assert_int_equal(closed, 2);
}

/* Declarations come before calls, even from events without a time. All sources continue after damage. */
static void test_merge_order(void **state)
{
    const struct trace_call call = list_source_call(0);
    const struct trace_event a[] = {enter_of(&call, 0, TRACE_NO_TIME), exit_of(&call, 0, 20)};
    const struct trace_event b[] = {
        {.kind = TRACE_EVENT_COMMENT, .time = TRACE_NO_TIME, .u.text = "declared"},
        enter_of(&call, 0, 20),
        {.kind = TRACE_EVENT_COMMENT, .time = TRACE_NO_TIME, .u.text = "declared late"},
    };
    static const enum trace_event_kind expected[] = {TRACE_EVENT_COMMENT, TRACE_EVENT_ENTER, TRACE_EVENT_EXIT,
                                                     TRACE_EVENT_ENTER, TRACE_EVENT_COMMENT};
    struct list_source lists[2];
    struct trace_source *s,
        *of[] = {list_source_open(&lists[0], a, LENGTH(a)), list_source_open(&lists[1], b, LENGTH(b))};
    (void)state;
    assert_int_equal(trace_merge_open(&s, of, 2), 0);
    trace_source_resume_after_damage(s);
    assert_true(lists[0].resumes && lists[1].resumes);
    for (size_t i = 0; i < LENGTH(expected); ++i) {
        struct trace_event event = next_event(s);
        assert_int_equal(event.kind, expected[i]);
        trace_source_release(s, &event);
    }
    expect_end(s);
    trace_source_close(s);
}

/* Equal types become one type. Different types with the same id get new ids. */
static void test_merge_types(void **state)
{
    static const struct trace_resource_type
        memory = {.id = 1, .name = "memory", .description = "bytes"},
        same = {.id = 7, .name = "memory", .description = "bytes"},
        counted = {.id = 1, .name = "memory", .description = "bytes", .refcounted = true},
        other = {.id = 1, .name = "memory", .description = "blocks"}, nameless = {.id = 2},
        flagged = {.id = 1, .name = "memory", .description = "bytes", .flags = "0x2"};
    static const struct trace_resource_type *const declared[] = {&memory,   &same,   &counted, &other,
                                                                 &nameless, &memory, &flagged};
    enum { COUNT = LENGTH(declared) };
    const struct trace_call call = list_source_call(0);
    struct trace_event events[COUNT][2];
    struct list_source lists[COUNT];
    struct trace_source *s, *of[COUNT];
    const struct trace_resource_type *found[COUNT], *used[COUNT];
    (void)state;
    for (size_t i = 0; i < COUNT; ++i) {
        events[i][0] = (struct trace_event){
            .kind = TRACE_EVENT_RESOURCE_TYPE, .time = TRACE_NO_TIME, .u.resource_type = declared[i]};
        events[i][1] = (struct trace_event){.kind = i % 2 == 0 ? TRACE_EVENT_ALLOC : TRACE_EVENT_FREE,
                                            .time = (int64_t)i,
                                            .call = &call,
                                            .u.resource.type = declared[i]};
        of[i] = list_source_open(&lists[i], events[i], 2);
    }
    assert_int_equal(trace_merge_open(&s, of, COUNT), 0);
    for (size_t i = 0; i < 2 * COUNT; ++i) {
        struct trace_event event = next_event(s);
        if (i < COUNT)
            found[i] = event.u.resource_type;
        else
            used[i - COUNT] = event.u.resource.type;
        trace_source_release(s, &event);
    }
    for (size_t i = 0; i < COUNT; ++i) {
        assert_ptr_equal(used[i], found[i]);
        for (size_t j = 0; j < i; ++j) {
            bool are_same = (j == 0 && (i == 1 || i == 5)) || (j == 1 && i == 5);
            assert_int_equal(found[i] == found[j], are_same);
            assert_int_equal(found[i]->id == found[j]->id, are_same);
        }
    }
    assert_true(found[2]->refcounted && !found[3]->refcounted);
    expect_end(s);
    trace_source_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_order),
        cmocka_unit_test(test_merge_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
