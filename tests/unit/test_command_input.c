/* SPDX-License-Identifier: MIT
 * Tests what a command gets of a trace with missing parts: the rest, warnings, and an exit status.
 */
#include "input/call_input.h"
#include "input/event_input.h"

#include "base/error.h"
#include "sample_batches.h"

#include "cmocka_all.h"

#include <string.h>

/* --- losses ---------------------------------------------------------------------------------------- */

static int count_flush(void *count)
{
    ++*(int *)count;
    return 0;
}

static int fail_to_flush(void *context)
{
    (void)context;
    return trace_error_set(TRACE_ERR_IO, "no space");
}

static void test_only_damage_is_in_the_status(void **state)
{
    (void)state;
    struct buf warnings = BUF_INIT;
    struct input_losses l = {.warnings = &warnings};
    assert_int_equal(input_losses_status(&l), 0);
    assert_int_equal(input_losses_add(&l, trace_error_set(TRACE_ERR_TRUNCATED, "cut off")), 0);
    assert_true(l.truncated && !l.damaged);
    assert_int_equal(input_losses_status(&l), 0);
    assert_int_equal(input_losses_add(&l, trace_error_set(TRACE_ERR_DAMAGED, "damaged")), 0);
    assert_true(l.truncated && l.damaged);
    assert_int_equal(input_losses_status(&l), 1);
    assert_int_equal(warnings.len, strlen("warning: cut off\nwarning: damaged\n"));
    assert_memory_equal(warnings.data, "warning: cut off\nwarning: damaged\n", warnings.len);
    buf_fini(&warnings);
}

static void test_other_errors_are_none(void **state)
{
    (void)state;
    static const int codes[] = {TRACE_ERR_MEMORY, TRACE_ERR_IO, TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED,
                                TRACE_ERR_USAGE};
    struct buf warnings = BUF_INIT;
    struct input_losses l = {.warnings = &warnings};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; ++i)
        assert_int_equal(input_losses_add(&l, codes[i]), codes[i]);
    assert_false(l.damaged || l.truncated);
    assert_int_equal(warnings.len, 0);
}

static void test_output_goes_before_a_warning(void **state)
{
    (void)state;
    int flushed = 0;
    struct input_losses l = {.silent = true, .flush = count_flush, .context = &flushed};
    assert_int_equal(input_losses_add(&l, trace_error_set(TRACE_ERR_DAMAGED, "damaged")), 0);
    assert_int_equal(flushed, 0); /* no warning is printed */
    assert_int_equal(input_losses_status(&l), 1);
    l.silent = false;
    assert_int_equal(input_losses_add(&l, trace_error_set(TRACE_ERR_DAMAGED, "damaged")), 0);
    assert_int_equal(flushed, 1);
    l.flush = fail_to_flush;
    assert_int_equal(input_losses_add(&l, trace_error_set(TRACE_ERR_DAMAGED, "damaged")), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "no space");
}

/* --- reading --------------------------------------------------------------------------------------- */

enum loss { WHOLE, CUT_OFF, DAMAGED };

static void make_file(struct sample_file *file, enum loss loss)
{
    struct sample_batches parts;
    sample_parts_write(&parts);
    if (loss == DAMAGED)
        sample_parts_damage(&parts, parts.count / 2);
    sample_file_open(file);
    sample_file_set(file, parts.file.data, parts.file.len - (loss == CUT_OFF ? 100 : 0));
    buf_fini(&parts.file);
}

static unsigned read_calls(struct call_input *in)
{
    const struct trace_call *call;
    unsigned count = 0;
    for (; call_input_next(in, &call) == 0 && call != NULL; ++count)
        trace_call_release(in->reader, call);
    return count;
}

static unsigned read_events(struct event_input *in)
{
    const struct trace_raw_event *event;
    unsigned count = 0;
    while (event_input_next(in, &event) == 0 && event != NULL)
        count += event->tag == TRACE_RAW_EVENT_ENTER;
    return count;
}

static void open_events(struct event_input *events, const char *path, unsigned needs)
{
    struct trace_probe probe;
    assert_int_equal(trace_probe_open(&probe, path), 0);
    assert_int_equal(event_input_open_probed(events, &probe, needs), 0);
    trace_probe_close(&probe);
}

/* Both kinds of input report the same losses for a trace. */
static void check_losses(enum loss loss, unsigned *calls)
{
    struct call_selection all = {.calls_given = false};
    struct buf warnings = BUF_INIT;
    struct sample_file file;
    struct call_input in;
    struct event_input events;
    make_file(&file, loss);
    assert_int_equal(call_input_open(&in, file.path, &all), 0);
    in.losses.warnings = &warnings;
    *calls = read_calls(&in);
    assert_int_equal(in.losses.truncated, loss == CUT_OFF);
    assert_int_equal(in.losses.damaged, loss == DAMAGED);
    assert_int_equal(warnings.len > 0, loss != WHOLE);
    call_input_close(&in);
    buf_clear(&warnings);
    open_events(&events, file.path, 0);
    events.losses.warnings = &warnings;
    assert_true(read_events(&events) >= *calls); /* also has calls of functions whose names are lost */
    assert_int_equal(events.losses.truncated, loss == CUT_OFF);
    assert_int_equal(events.losses.damaged, loss == DAMAGED);
    assert_int_equal(warnings.len > 0, loss != WHOLE);
    event_input_close(&events);
    event_input_close(&events); /* closing twice is allowed */
    buf_fini(&warnings);
    sample_file_close(&file);
}

static void test_what_is_left_is_read(void **state)
{
    (void)state;
    unsigned whole, cut, damaged;
    check_losses(WHOLE, &whole);
    assert_int_equal(whole, SAMPLE_PARTS_CALLS);
    check_losses(CUT_OFF, &cut);
    assert_in_range(cut, SAMPLE_PARTS_CALLS / 2, SAMPLE_PARTS_CALLS - 1);
    check_losses(DAMAGED, &damaged);
    assert_in_range(damaged, SAMPLE_PARTS_CALLS / 2, SAMPLE_PARTS_CALLS - 1);
}

static void test_a_whole_trace_or_nothing(void **state)
{
    (void)state;
    struct sample_file file;
    struct event_input in;
    const struct trace_raw_event *event = NULL;
    int rc;
    make_file(&file, CUT_OFF);
    open_events(&in, file.path, EVENT_INPUT_WHOLE);
    while ((rc = event_input_next(&in, &event)) == 0 && event != NULL)
        ;
    assert_int_equal(rc, TRACE_ERR_TRUNCATED);
    assert_false(in.losses.truncated);
    event_input_close(&in);
    sample_file_close(&file);
}

static void test_no_file(void **state)
{
    (void)state;
    struct call_selection all = {.calls_given = false};
    struct call_input in;
    struct event_input events;
    assert_int_equal(call_input_open(&in, "/nonexistent", &all), TRACE_ERR_IO);
    call_input_close(&in);
    const struct input_file file = {.name = "/nonexistent", .path = "/nonexistent"};
    assert_int_equal(event_input_open_file(&events, &file, 0), TRACE_ERR_IO);
    event_input_close(&events);
    assert_int_equal(input_losses_status(&events.losses), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_damage_is_in_the_status), cmocka_unit_test(test_other_errors_are_none),
        cmocka_unit_test(test_output_goes_before_a_warning), cmocka_unit_test(test_what_is_left_is_read),
        cmocka_unit_test(test_a_whole_trace_or_nothing),     cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
