/* SPDX-License-Identifier: MIT
 * Logs of files that are changed byte by byte, and cut: the events are what consumers rely on, and damage
 * costs no more than a buffer.
 */
#include "cmocka_all.h"
#include "event_contract.h"
#include "trace_samples.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

#define LIMIT 2000 /* more events than any damaged log has */

static void read_log(const char *name, struct buf *out)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", DATA, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(buf_reserve(out, 1 << 16), 0);
    out->len = fread(out->data, 1, 1 << 16, file);
    fclose(file);
}

static struct events_read read_bytes(const uint8_t *bytes, size_t count, bool is_sound)
{
    struct events_read read = {.has_failed = true};
    struct trace_source *source;
    struct sample_file file;
    sample_file_open(&file);
    sample_file_set(&file, bytes, count);
    int rc = trace_source_open(&source, file.path);
    assert_true(rc == 0 || !is_sound);
    if (rc != 0) {
        event_contract_check_error(rc, file.path);
    } else {
        trace_source_resume_after_damage(source);
        read = event_contract_read(source, file.path, LIMIT, is_sound);
        trace_source_close(source);
    }
    sample_file_close(&file);
    return read;
}

/* The log's four buffers have 62, 49, 49 and 2 events. */
static void test_changes(void **state)
{
    struct buf log = BUF_INIT;
    (void)state;
    read_log("plain-5.xray", &log);
    struct events_read whole = read_bytes(log.data, log.len, true);
    assert_int_equal(whole.events, 162);
    for (size_t i = 32; i < log.len; ++i)
        for (unsigned bit = 1; bit < 256; bit *= 4) {
            log.data[i] ^= (uint8_t)bit;
            struct events_read read = read_bytes(log.data, log.len, false);
            assert_false(read.has_failed);
            assert_true(read.events + 63 >= whole.events && read.events <= whole.events + 4);
            log.data[i] ^= (uint8_t)bit;
        }
    buf_fini(&log);
}

static void test_cuts(void **state)
{
    const char *const names[] = {"plain-5.xray", "padded-1.xray"};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        struct buf log = BUF_INIT;
        size_t before = 0;
        read_log(names[k], &log);
        for (size_t n = 33; n <= log.len; ++n) {
            struct events_read read = read_bytes(log.data, n, n == log.len);
            assert_false(read.has_failed);
            assert_true(read.events + 1 >= before); /* one event reports the cut */
            before = read.events;
        }
        buf_fini(&log);
    }
}

/* Unless the reader asked to continue, damage ends the reading, and the error is returned again. */
static void test_damage_is_an_error(void **state)
{
    struct buf log = BUF_INIT;
    struct trace_source *source;
    struct trace_event event;
    struct sample_file file;
    int rc;
    (void)state;
    read_log("plain-5.xray", &log);
    log.data[400] = 0xff;
    sample_file_open(&file);
    sample_file_set(&file, log.data, log.len);
    assert_int_equal(trace_source_open(&source, file.path), 0);
    while ((rc = trace_source_next(source, &event)) == 0 && event.kind != TRACE_EVENT_END)
        trace_source_release(source, &event);
    assert_int_equal(rc, TRACE_ERR_FORMAT);
    event_contract_check_error(rc, file.path);
    assert_int_equal(trace_source_next(source, &event), TRACE_ERR_FORMAT);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

/* Each event has the counter besides the time that follows from it. */
static void test_ticks(void **state)
{
    struct trace_source *source;
    struct trace_event event;
    (void)state;
    assert_int_equal(trace_source_open(&source, DATA "/plain-5.xray"), 0);
    const struct trace_clock *clock = trace_source_clock(source);
    assert_true(clock->has_ticks);
    assert_int_equal(clock->frequency, 2596132000);
    assert_int_equal(trace_source_next(source, &event), 0);
    assert_int_equal(event.kind, TRACE_EVENT_CLOCK);
    assert_int_equal(event.ticks, 2724449410060);
    trace_source_release(source, &event);
    assert_int_equal(trace_source_next(source, &event), 0);
    assert_int_equal(event.ticks, 2724449410060);
    assert_int_equal(event.time, INT64_C(1049426381270));
    assert_int_equal(event.call->sig->number, 8);
    trace_source_release(source, &event);
    trace_source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_damage_is_an_error),
        cmocka_unit_test(test_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
