/* SPDX-License-Identifier: MIT */
/* The writing thread: everything arrives, in order; a file that takes no more is an error, not a hang. */
#include "cmocka_all.h"
#include "collector/event_writer.h"

#include "base/error.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fill(struct buf *b, uint32_t *next, size_t count)
{
    for (size_t i = 0; i < count; ++i, ++*next)
        assert_int_equal(buf_append(b, next, sizeof *next), 0);
}

static void check_file(const char *path, uint32_t count)
{
    struct trace_input *input;
    assert_int_equal(trace_input_open(&input, path), 0);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t value = 0;
        size_t got;
        assert_int_equal(trace_input_read(input, &value, sizeof value, &got), 0);
        assert_int_equal(got, sizeof value);
        assert_int_equal(value, i);
    }
    trace_input_close(input);
}

static void test_order(void **state)
{
    (void)state;
    char path[] = "event-writer-XXXXXX";
    int fd = mkstemp(path);
    struct event_writer w;
    struct buf events = BUF_INIT;
    uint32_t next = 0;
    assert_int_equal(event_writer_start(&w, fd), 0);
    for (unsigned i = 0; i < 50; ++i) {
        fill(&events, &next, 1 + i * 977);
        assert_int_equal(event_writer_submit(&w, &events), 0);
        assert_int_equal(events.len, 0);
        if (i % 10 == 0)
            event_writer_flush(&w);
    }
    assert_int_equal(event_writer_finish(&w), 0);
    check_file(path, next);
    close(fd);
    unlink(path);
    buf_fini(&events);
}

static void test_failing_file(void **state)
{
    (void)state;
    int ends[2];
    struct event_writer w;
    struct buf events = BUF_INIT;
    uint32_t next = 0;
    int rc = 0;
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(event_writer_start(&w, ends[1]), 0);
    close(ends[0]);
    for (unsigned i = 0; i < 100 && rc == 0; ++i) {
        fill(&events, &next, 100000);
        rc = event_writer_submit(&w, &events);
        buf_clear(&events);
    }
    assert_int_equal(rc, ERR_IO);
    assert_non_null(strstr(error_message(), "Broken pipe"));
    assert_int_equal(event_writer_finish(&w), ERR_IO);
    close(ends[1]);
    buf_fini(&events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_failing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
