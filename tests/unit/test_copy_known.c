/* SPDX-License-Identifier: MIT
 * Tests that a copy of ranges of calls is the same whether each event is examined or known calls are skipped,
 * including damaged traces.
 */
#include "alike_stream.h"
#include "base/error.h"
#include "cmocka_all.h"
#include "formats/apitrace/read/input.h"
#include "formats/apitrace/copy/raw_event_copier.h"
#include "trace_samples.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 1500

struct copy {
    int rc;
    uint64_t passed; /* number of calls */
    struct buf stream;
};

static uint64_t pass_known(struct trace_raw_events *e, struct trace_copier *copier,
                           const struct trace_call_set *set)
{
    uint64_t number = trace_raw_events_next_number(e), until;
    enum trace_call_set_part part = trace_call_set_part(set, number, &until);
    if (part != TRACE_CALL_SET_SOME)
        assert_int_equal(trace_copier_pass_known(copier, part == TRACE_CALL_SET_ALL, until), 0);
    return trace_raw_events_next_number(e) - number;
}

static int copy_events(struct trace_raw_events *e, struct trace_copier *copier,
                       const struct trace_call_set *set, bool pass, uint64_t *passed)
{
    const struct trace_raw_event *event;
    int rc;
    assert_int_equal(trace_copier_header(copier), 0);
    while ((rc = trace_raw_events_next(e, &event)) == TRACE_ERR_DAMAGED || (rc == 0 && event != NULL)) {
        if (rc == TRACE_ERR_DAMAGED)
            continue;
        bool keep = event->sig != NULL && trace_call_set_contains(set, event->call, event->sig->flags);
        assert_int_equal(trace_copier_event(copier, event, keep, NULL, 0), 0);
        if (pass)
            *passed += pass_known(e, copier, set);
    }
    assert_int_equal(trace_copier_flush(copier), 0);
    return rc;
}

static void read_stream(const char *path, struct buf *out)
{
    struct trace_input *in;
    uint8_t bytes[4096];
    size_t got = 1;
    assert_int_equal(trace_input_open(&in, path), 0);
    while (got > 0) {
        assert_int_equal(trace_input_read(in, bytes, sizeof bytes, &got), 0);
        assert_int_equal(buf_append(out, bytes, got), 0);
    }
    trace_input_close(in);
}

static struct copy copy_calls(const char *path, const struct trace_call_set *set, bool pass)
{
    struct copy c = {.stream = BUF_INIT};
    struct sample_file out;
    struct trace_raw_events *e;
    struct trace_output *output;
    struct trace_copier *copier;
    if ((c.rc = trace_raw_events_open(&e, path, true)) != 0)
        return c;
    trace_raw_events_resume_after_damage(e);
    sample_file_open(&out);
    assert_int_equal(trace_output_open_fd(&output, out.fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0),
                     0);
    assert_int_equal(trace_copier_open(&copier, e, output), 0);
    c.rc = copy_events(e, copier, set, pass, &c.passed);
    trace_copier_close(copier);
    trace_raw_events_close(e);
    assert_int_equal(trace_output_close(output), 0);
    read_stream(out.path, &c.stream);
    sample_file_close(&out);
    return c;
}

/* One to three ranges of any length. Sometimes all calls except a few, or every third call, are added. */
static void make_set(struct trace_call_set *set)
{
    *set = (struct trace_call_set){0};
    for (unsigned n = 1 + alike_random() % 3; n > 0; --n) {
        char text[60];
        unsigned first = alike_random() % 4 == 0 ? 0 : alike_random() % ALIKE_CALLS;
        unsigned last = first + alike_random() % (ALIKE_CALLS * 5 / 4);
        const char *step = alike_random() % 12 == 0 ? "/3" : alike_random() % 12 == 0 ? "/draw" : "";
        snprintf(text, sizeof text, "%u-%u%s", first, last, step);
        assert_int_equal(trace_call_set_parse(set, text), 0);
    }
}

static uint64_t check(const struct sample_file *file)
{
    struct trace_call_set set;
    make_set(&set);
    struct copy each = copy_calls(file->path, &set, false), passed = copy_calls(file->path, &set, true);
    assert_int_equal(each.rc, passed.rc);
    assert_int_equal(each.stream.len, passed.stream.len);
    if (each.stream.len > 0)
        assert_memory_equal(each.stream.data, passed.stream.data, each.stream.len);
    buf_fini(&each.stream);
    buf_fini(&passed.stream);
    trace_call_set_fini(&set);
    return passed.passed;
}

static void test_sound(void **state)
{
    (void)state;
    assert_true(alike_stream_check(ROUNDS, false, check) > ROUNDS * (ALIKE_CALLS / 4));
}

static void test_damaged(void **state)
{
    (void)state;
    assert_true(alike_stream_check(ROUNDS, true, check) > ROUNDS * (ALIKE_CALLS / 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
