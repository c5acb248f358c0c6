/* SPDX-License-Identifier: MIT
 * Tests the text of events that are not whole calls.
 */
#include "cmocka_all.h"
#include "trace/text/event_text.h"

#include <stdlib.h>

static const char *const arg_names[] = {"size"};
static const struct trace_function_sig sig = {.name = "malloc", .arg_count = 1, .arg_names = arg_names};
static const struct trace_value size = {.type = TRACE_UINT, .u.uint = 552};
static const struct trace_resource_type memory = {.id = 1, .name = "memory"};

/* The call has another number and other times than the event. The event's are printed. */
static void expect(enum trace_event_kind kind, int64_t time, bool with_times, const char *text)
{
    const struct trace_call_text_style style = {.call_nos = true, .arg_names = true, .times = with_times};
    const struct trace_call call = {.number = 99,
                                    .enter_time = 5,
                                    .leave_time = 7,
                                    .sig = &sig,
                                    .arg_count = 1,
                                    .args = &size,
                                    .ret = {.type = TRACE_NONE}};
    const struct trace_event event = {
        .kind = kind, .number = 3, .time = time, .call = &call, .u.resource = {&memory, 0x5000, 552}};
    struct trace_call_text *f = calloc(1, sizeof *f);
    assert_non_null(f);
    trace_call_text_init_zeroed(f, &style);
    assert_int_equal(trace_event_text_add(f, &event), 0);
    assert_int_equal(buf_append_byte(&f->out, '\0'), 0);
    assert_string_equal((const char *)f->out.data, text);
    assert_true(f->style.times == with_times);
    trace_call_text_fini(f);
    free(f);
}

static void test_moments(void **state)
{
    (void)state;
    expect(TRACE_EVENT_ENTER, 2000, false, "enter 3 malloc(size = 552)\n");
    expect(TRACE_EVENT_EXIT, 2000, false, "exit 3 malloc(size = 552)\n");
    expect(TRACE_EVENT_TAIL_EXIT, 2000, false, "tail exit 3 malloc(size = 552)\n");
    expect(TRACE_EVENT_INSTANT, 2000, false, "instant 3 malloc(size = 552)\n");
    expect(TRACE_EVENT_ALLOC, 2000, false, "3 malloc(size = 552)\n# allocated: memory 0x5000, size 552\n");
    expect(TRACE_EVENT_FREE, 2000, false, "3 malloc(size = 552)\n# released: memory 0x5000\n");
}

/* The times precede everything else, in the same columns as for calls. */
static void test_times_of_moments(void **state)
{
    (void)state;
    expect(TRACE_EVENT_ENTER, 2000, true, "    0.000002000 s            ? us  enter 3 malloc(size = 552)\n");
    expect(TRACE_EVENT_EXIT, TRACE_NO_TIME, true,
           "              ? s            ? us  exit 3 malloc(size = 552)\n");
    expect(TRACE_EVENT_ALLOC, 1000000000, true,
           "    1.000000000 s            ? us  3 malloc(size = 552)\n# allocated: memory 0x5000, size 552\n");
}

static void expect_fact(const struct trace_event *event, const char *text)
{
    struct trace_call_text *f = malloc(sizeof *f);
    assert_non_null(f);
    trace_call_text_init(f, &(const struct trace_call_text_style){.call_nos = true});
    assert_int_equal(trace_event_text_add(f, event), 0);
    assert_int_equal(buf_append_byte(&f->out, '\0'), 0);
    assert_string_equal((const char *)f->out.data, text);
    trace_call_text_fini(f);
    free(f);
}

static void test_clocks_and_losses(void **state)
{
    (void)state;
    expect_fact(&(const struct trace_event){.kind = TRACE_EVENT_CLOCK,
                                            .u.clock_reading = {"wall", 1700000000000000001}},
                "# wall clock: 1700000000.000000001 s\n");
    expect_fact(
        &(const struct trace_event){.kind = TRACE_EVENT_CLOCK, .u.clock_reading = {NULL, -1500000000}},
        "# ? clock: -1.500000000 s\n");
    static const struct trace_function_sig outer = {.name = "outer"}, inner = {.name = "inner"};
    static const struct trace_function_sig *const path[] = {&inner, &outer};
    static const struct trace_origin origin = {.process = 1, .thread = 7};
    expect_fact(&(const struct trace_event){.kind = TRACE_EVENT_SUM, .u.sum = {path, 2, 3, 40}},
                "# outer; inner: 3 calls, 40 ticks\n");
    expect_fact(
        &(const struct trace_event){.kind = TRACE_EVENT_SUM, .origin = &origin, .u.sum = {path, 1, 3, 40}},
        "# thread 7: inner: 3 calls, 40 ticks\n");
    expect_fact(&(const struct trace_event){.kind = TRACE_EVENT_LOSS, .u.loss = {3, "why"}},
                "# lost: 3 events: why\n");
    expect_fact(&(const struct trace_event){.kind = TRACE_EVENT_LOSS, .u.loss = {0, "why"}},
                "# lost: events: why\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_times_of_moments),
        cmocka_unit_test(test_clocks_and_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
