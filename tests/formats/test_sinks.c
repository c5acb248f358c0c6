/* SPDX-License-Identifier: MIT
 * What all sinks have in common: errors that stay, and the list of what was left out.
 */
#include "cmocka_all.h"
#include "base/error.h"
#include "trace/sink_ops.h"

#include <stdio.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static int put_code(struct trace_sink *s, const struct trace_event *event)
{
    (void)s;
    return event->number == 0 ? 0 : trace_error_set(-(int)event->number, "as it was asked");
}

static int put_number(struct trace_sink *s, int code)
{
    return trace_sink_put(s, &(struct trace_event){.kind = TRACE_EVENT_MARK, .number = (uint64_t)-code});
}

/* An event that contradicts itself is rejected, and the next one can be put. Other errors are permanent. */
static void test_sink_errors(void **state)
{
    static const struct trace_sink_ops ops = {.put = put_code};
    struct trace_sink s = {.ops = &ops};
    (void)state;
    assert_int_equal(put_number(&s, 0), 0);
    assert_int_equal(put_number(&s, TRACE_ERR_USAGE), TRACE_ERR_USAGE);
    assert_int_equal(put_number(&s, 0), 0);
    assert_int_equal(trace_sink_flush(&s), 0);
    assert_int_equal(put_number(&s, TRACE_ERR_IO), TRACE_ERR_IO);
    assert_int_equal(put_number(&s, 0), TRACE_ERR_IO);
    assert_int_equal(trace_sink_flush(&s), TRACE_ERR_IO);
    assert_int_equal(trace_sink_finish(&s), TRACE_ERR_IO);
}

/* Names are counted in the order of appearance. If there are too many, the last one counts for the rest. */
static void test_left_out(void **state)
{
    static char names[TRACE_LEFT_OUT_MAX + 3][8];
    struct trace_sink s = {.left_out_count = 0};
    const struct trace_left_out *items;
    (void)state;
    for (unsigned round = 0; round < 2; ++round)
        for (unsigned i = 0; i < LENGTH(names); ++i) {
            snprintf(names[i], sizeof names[i], "n%u", i);
            assert_int_equal(trace_sink_leave_out(&s, names[i], i), 0);
        }
    assert_int_equal(trace_sink_left_out(&s, &items), TRACE_LEFT_OUT_MAX);
    for (uint64_t i = 0; i < TRACE_LEFT_OUT_MAX - 1; ++i) {
        assert_string_equal(items[i].what, names[i]);
        assert_int_equal(items[i].count, 2 * i);
    }
    const uint64_t last = TRACE_LEFT_OUT_MAX - 1;
    assert_int_equal(items[last].count, 2 * (last + last + 1 + last + 2 + last + 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sink_errors),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
