/* SPDX-License-Identifier: MIT
 * Tests adaptors of sources: what they yield, in which order, and that each event is released once.
 */
#include "cmocka_all.h"
#include "base/error.h"
#include "list_source.h"
#include "trace/adaptors/adaptors.h"
#include "trace_samples.h"

#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))

/* --- filter ---------------------------------------------------------------------------------------- */

static bool is_odd(void *context, const struct trace_event *event)
{
    ++*(unsigned *)context;
    return event->number % 2 == 1;
}

static void test_filter(void **state)
{
    const struct trace_call call = list_source_call(0);
    struct trace_event events[5];
    struct list_source list;
    struct trace_source *s;
    unsigned asked = 0;
    size_t closed = 0;
    (void)state;
    for (size_t i = 0; i < LENGTH(events); ++i)
        events[i] = (struct trace_event){.kind = TRACE_EVENT_INSTANT, .number = i, .call = &call};
    assert_int_equal(trace_filter_open(&s, list_source_open(&list, events, LENGTH(events)), is_odd, &asked),
                     0);
    list.closed = &closed;
    for (uint64_t wanted = 1; wanted < 5; wanted += 2) {
        struct trace_event event = next_event(s);
        assert_int_equal(event.number, wanted);
        assert_int_equal(list.held, 1);
        trace_source_release(s, &event);
    }
    expect_end(s);
    assert_int_equal(asked, LENGTH(events));
    trace_source_close(s);
    assert_int_equal(closed, 1);
}

/* --- pair ------------------------------------------------------------------------------------------ */

static const struct trace_value one = {.type = TRACE_UINT, .u.uint = 1};
static const struct trace_value enter_args[] = {{.type = TRACE_UINT, .u.uint = 7}, {.type = TRACE_NONE}};
static const struct trace_value exit_args[] = {{.type = TRACE_NONE}, {.type = TRACE_UINT, .u.uint = 9}};

static void make_ends(struct trace_call *entered, struct trace_call *left)
{
    *entered = *left = list_source_call(3);
    entered->arg_count = left->arg_count = 2;
    entered->args = enter_args;
    left->args = exit_args;
    left->ret = one;
}

static void test_pair(void **state)
{
    struct trace_call entered, left;
    struct list_source list;
    struct trace_source *s;
    (void)state;
    make_ends(&entered, &left);
    const struct trace_event mark = {.kind = TRACE_EVENT_MARK, .u.text = "here"};
    const struct trace_event events[] = {
        enter_of(&entered, 10, 100), enter_of(&entered, 11, 101), mark,
        exit_of(&left, 99, 102),     enter_of(&entered, 12, 103), exit_of(&left, 12, 104),
        exit_of(&left, 10, 105)};
    assert_int_equal(trace_pair_open(&s, list_source_open(&list, events, LENGTH(events))), 0);
    assert_int_equal(trace_source_order(s), TRACE_ORDER_CALLS);
    struct trace_event event = next_event(s);
    assert_string_equal(event.u.text, "here");
    trace_source_release(s, &event);
    event = next_event(s); /* an exit without an enter */
    assert_int_equal(event.kind, TRACE_EVENT_EXIT);
    assert_int_equal(event.number, 99);
    trace_source_release(s, &event);
    struct trace_event inner = next_event(s), outer = next_event(s); /* both are held */
    assert_int_equal(inner.kind, TRACE_EVENT_CALL);
    assert_int_equal(inner.number, 12);
    assert_int_equal(outer.number, 10);
    assert_int_equal(outer.call->enter_time, 100);
    assert_int_equal(outer.call->leave_time, 105);
    assert_int_equal(outer.call->args[0].u.uint, 7);
    assert_int_equal(outer.call->args[1].u.uint, 9);
    assert_int_equal(outer.call->ret.u.uint, 1);
    assert_int_equal(outer.call->flags & TRACE_CALL_INCOMPLETE, 0);
    trace_source_release(s, &outer);
    trace_source_release(s, &inner);
    event = next_event(s); /* a call that never returned */
    assert_int_equal(event.number, 11);
    assert_int_not_equal(event.call->flags & TRACE_CALL_INCOMPLETE, 0);
    assert_int_equal(event.call->ret.type, TRACE_NONE);
    trace_source_release(s, &event);
    expect_end(s);
    trace_source_close(s); /* fails if an event was not released */
}

static void test_pair_closed_early(void **state)
{
    struct trace_call entered, left;
    struct list_source list;
    struct trace_source *s;
    (void)state;
    make_ends(&entered, &left);
    const struct trace_event events[] = {enter_of(&entered, 1, 1), enter_of(&entered, 2, 2),
                                         exit_of(&left, 2, 3)};
    assert_int_equal(trace_pair_open(&s, list_source_open(&list, events, LENGTH(events))), 0);
    struct trace_event event = next_event(s);
    assert_int_equal(event.number, 2);
    trace_source_release(s, &event);
    trace_source_close(s);
}

static void test_pair_passes_errors_on(void **state)
{
    struct trace_call entered, left;
    struct list_source list;
    struct trace_source *s;
    struct trace_event event;
    (void)state;
    make_ends(&entered, &left);
    const struct trace_event events[] = {enter_of(&entered, 1, 1)};
    assert_int_equal(trace_pair_open(&s, list_source_open(&list, events, LENGTH(events))), 0);
    list.rc = TRACE_ERR_TRUNCATED;
    assert_int_equal(trace_source_next(s, &event), TRACE_ERR_TRUNCATED);
    event = next_event(s); /* pending calls are still returned */
    assert_int_equal(event.number, 1);
    trace_source_release(s, &event);
    expect_end(s);
    trace_source_close(s);
}

/* --- calls ----------------------------------------------------------------------------------------- */

static void test_calls(void **state)
{
    const struct trace_resource_type type = {.id = 1, .name = "memory"};
    struct trace_call entered, left;
    struct list_source list;
    struct trace_source *s;
    size_t closed = 0;
    (void)state;
    make_ends(&entered, &left);
    const struct trace_event events[] = {
        {.kind = TRACE_EVENT_RESOURCE_TYPE, .time = TRACE_NO_TIME, .u.resource_type = &type},
        enter_of(&entered, 1, 1),
        {.kind = TRACE_EVENT_ALLOC, .number = 2, .time = 2, .call = &entered, .u.resource = {&type, 0xab, 9}},
        {.kind = TRACE_EVENT_COMMENT, .time = TRACE_NO_TIME, .u.text = "no call"},
        exit_of(&left, 1, 3),
    };
    assert_int_equal(trace_calls_open(&s, list_source_open(&list, events, LENGTH(events))), 0);
    list.closed = &closed;
    assert_int_equal(trace_source_order(s), TRACE_ORDER_CALLS);
    struct trace_event alloc = next_event(s), whole = next_event(s);
    assert_int_equal(alloc.kind, TRACE_EVENT_CALL);
    assert_int_equal(alloc.call->number, 2);
    assert_int_equal(alloc.call->ret.u.uint, 0xab);
    assert_int_equal(alloc.call->arg_count, entered.arg_count + 2);
    assert_string_equal(alloc.call->args[entered.arg_count].u.string, "memory");
    assert_int_equal(alloc.call->args[entered.arg_count + 1].u.uint, 9);
    assert_int_equal(whole.kind, TRACE_EVENT_CALL);
    assert_int_equal(whole.call->number, 1);
    trace_source_release(s, &whole);
    trace_source_release(s, &(struct trace_event){.kind = TRACE_EVENT_CALL, .call = alloc.call});
    assert_int_equal(list.held, 0);
    expect_end(s);
    trace_source_close(s);
    assert_int_equal(closed, 1);
}

/* A call gets its number and times from its two events. An exit may have fewer arguments than the enter, or
 * no call at all. */
static void test_pair_joins(void **state)
{
    struct trace_call entered, left;
    struct list_source list;
    struct trace_source *s;
    (void)state;
    make_ends(&entered, &left);
    entered.number = left.number = 1000; /* number in another source */
    left.arg_count = 1;
    const struct trace_event events[] = {enter_of(&entered, 1, 100), exit_of(&left, 1, 105),
                                         enter_of(&entered, 2, 110), exit_of(NULL, 2, 115)};
    assert_int_equal(trace_pair_open(&s, list_source_open(&list, events, LENGTH(events))), 0);
    for (unsigned i = 0; i < 2; ++i) {
        struct trace_event event = next_event(s);
        assert_int_equal(event.kind, TRACE_EVENT_CALL);
        assert_int_equal(event.call->number, i + 1);
        assert_int_equal(event.call->enter_time, 100 + 10 * i);
        assert_int_equal(event.call->leave_time, 105 + 10 * i);
        assert_int_equal(event.call->arg_count, 2);
        assert_int_equal(event.call->args[0].u.uint, 7);
        assert_int_equal(event.call->args[1].type, TRACE_NONE);
        assert_int_equal(event.call->ret.type, i == 0 ? TRACE_UINT : TRACE_NONE);
        trace_source_release(s, &event);
    }
    expect_end(s);
    trace_source_close(s);
}

/* Calls that never return come last, in the order of their enters, and have no leave time. */
static void test_pair_without_exits(void **state)
{
    enum { PENDING = 50 };
    struct trace_call entered, left;
    struct trace_event events[2 + PENDING];
    struct list_source list;
    struct trace_source *s;
    (void)state;
    make_ends(&entered, &left);
    events[0] = enter_of(&entered, 0, 1);
    events[1] = exit_of(&left, 0, 2);
    for (unsigned i = 0; i < PENDING; ++i)
        events[2 + i] = enter_of(&entered, 1 + i, 10 + i);
    assert_int_equal(trace_pair_open(&s, list_source_open(&list, events, LENGTH(events))), 0);
    for (unsigned i = 0; i <= PENDING; ++i) {
        struct trace_event event = next_event(s);
        assert_int_equal(event.number, i);
        assert_int_equal(event.call->leave_time, i == 0 ? 2 : TRACE_NO_TIME);
        assert_int_equal(event.call->args[0].u.uint, 7);
        trace_source_release(s, &event);
    }
    expect_end(s);
    trace_source_close(s);
}

/* --- what adaptors pass on ------------------------------------------------------------------------- */

static int filter_all(struct trace_source **out, struct trace_source *of)
{
    static unsigned asked;
    return trace_filter_open(out, of, is_odd, &asked);
}

static int merge_one(struct trace_source **out, struct trace_source *of)
{
    return trace_merge_open(out, &of, 1);
}

/* Adaptors pass on properties, clock and format, and the request to continue after damage. */
static void test_passed_on(void **state)
{
    static int (*const adaptors[])(struct trace_source **, struct trace_source *) = {
        filter_all, trace_pair_open, trace_calls_open, merge_one};
    static const struct trace_property property = {"name", "value"};
    static const struct trace_clock clock = {.name = "a clock"};
    (void)state;
    for (size_t i = 0; i < LENGTH(adaptors); ++i) {
        struct list_source list;
        struct trace_source *s, *of = list_source_open(&list, NULL, 0);
        const struct trace_property *properties;
        list.base.properties = &property;
        list.base.property_count = 1;
        list.clock = &clock;
        assert_int_equal(adaptors[i](&s, of), 0);
        assert_ptr_equal(trace_source_clock(s), &clock);
        assert_int_equal(trace_source_properties(s, &properties), 1);
        assert_ptr_equal(properties, &property);
        assert_string_equal(trace_source_format_name(s), "list");
        assert_false(list.resumes);
        trace_source_resume_after_damage(s);
        assert_true(list.resumes);
        trace_source_close(s);
    }
}

/* --- split ----------------------------------------------------------------------------------------- */

static void open_samples(struct sample_file *file, struct trace_source **s)
{
    struct buf stream = BUF_INIT;
    sample_encode_stream(&stream);
    sample_file_open(file);
    sample_file_pack(file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    buf_fini(&stream);
    assert_int_equal(trace_source_open(s, file->path), 0);
}

/* A trace that is split and joined again has the same calls. */
static void test_split_and_pair(void **state)
{
    struct sample_file file, copy;
    struct trace_source *whole, *joined;
    unsigned calls = 0;
    (void)state;
    open_samples(&file, &whole);
    open_samples(&copy, &joined);
    assert_int_equal(trace_source_split(joined), 0);
    assert_int_equal(trace_source_order(joined), TRACE_ORDER_TIME);
    assert_int_equal(trace_source_split(joined), 0);
    assert_int_equal(trace_pair_open(&joined, joined), 0);
    for (;; ++calls) {
        struct trace_event a = next_event(whole), b = next_event(joined);
        assert_int_equal(a.kind, b.kind);
        if (a.kind == TRACE_EVENT_END)
            break;
        assert_int_equal(a.number, b.number);
        assert_string_equal(a.call->sig->name, b.call->sig->name);
        assert_int_equal(a.call->flags, b.call->flags);
        assert_int_equal(a.call->ret.type, b.call->ret.type);
        assert_int_equal(a.call->arg_count, b.call->arg_count);
        for (uint32_t i = 0; i < a.call->arg_count; ++i)
            assert_int_equal(a.call->args[i].type, b.call->args[i].type);
        trace_source_release(whole, &a);
        trace_source_release(joined, &b);
    }
    assert_int_equal(calls, SAMPLE_CALLS);
    trace_source_close(whole);
    trace_source_close(joined);
    sample_file_close(&file);
    sample_file_close(&copy);
}

/* A filter's source can be split. */
static void test_split_filter(void **state)
{
    struct sample_file file;
    struct trace_source *s;
    unsigned asked = 0, enters = 0, exits = 0;
    struct trace_event event;
    (void)state;
    open_samples(&file, &s);
    assert_int_equal(trace_filter_open(&s, s, is_odd, &asked), 0);
    assert_int_equal(trace_source_order(s), TRACE_ORDER_CALLS);
    assert_int_equal(trace_source_split(s), 0);
    assert_int_equal(trace_source_order(s), TRACE_ORDER_TIME);
    while ((event = next_event(s)).kind != TRACE_EVENT_END) {
        enters += event.kind == TRACE_EVENT_ENTER;
        exits += event.kind == TRACE_EVENT_EXIT;
        trace_source_release(s, &event);
    }
    assert_int_equal(enters, SAMPLE_CALLS / 2);
    assert_int_equal(exits, SAMPLE_CALLS / 2);
    trace_source_close(s);
    sample_file_close(&file);
}

/* A source in chronological order counts as split. One that yields calls and cannot split them does not. */
static void test_split_list(void **state)
{
    struct list_source list;
    struct trace_source *s = list_source_open(&list, NULL, 0);
    (void)state;
    assert_int_equal(trace_source_split(s), 0);
    list.base.order = TRACE_ORDER_CALLS;
    assert_int_equal(trace_source_split(s), TRACE_ERR_UNSUPPORTED);
    assert_int_equal(trace_source_seek(s, 3), TRACE_ERR_UNSUPPORTED);
    trace_source_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_pair_closed_early),
        cmocka_unit_test(test_pair_passes_errors_on),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_pair_joins),
        cmocka_unit_test(test_pair_without_exits),
        cmocka_unit_test(test_passed_on),
        cmocka_unit_test(test_split_and_pair),
        cmocka_unit_test(test_split_filter),
        cmocka_unit_test(test_split_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
