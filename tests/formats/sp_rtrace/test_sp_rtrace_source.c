/* SPDX-License-Identifier: MIT
 * Tests the source of binary logs: events that callers keep, errors, and logs with more declarations than are
 * remembered.
 */
#include "cmocka_all.h"
#include "sp_rtrace_logs.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void next(struct trace_source *source, struct trace_event *event, enum trace_event_kind kind)
{
    assert_int_equal(trace_source_next(source, event), 0);
    assert_int_equal(event->kind, kind);
}

static void test_fields_at_their_limits(void **state)
{
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    log_begin(&log);
    log_put_call(&log, "malloc", 2, UINT32_MAX, UINT64_MAX, 2);
    struct trace_source *source = log_open(&file, log.data, log.len);
    next(source, &event, TRACE_EVENT_ALLOC);
    assert_true(event.u.resource.size == UINT32_MAX && event.u.resource.id == UINT64_MAX);
    assert_int_equal(event.u.resource.type->id, 1);
    assert_null(event.u.resource.type->name); /* never declared */
    assert_int_equal(event.number, 1);
    assert_int_equal(event.time, 1000 * INT64_C(1000000));
    assert_string_equal(event.call->sig->name, "malloc");
    assert_int_equal(event.call->frame_count, 2);
    assert_int_equal(event.call->frames[1].address, 2);
    assert_int_equal(event.call->frames[1].line, -1);
    assert_int_equal(event.origin->thread, -1);
    trace_source_release(source, &event);
    next(source, &event, TRACE_EVENT_END);
    next(source, &event, TRACE_EVENT_END);
    assert_int_equal(trace_source_seek(source, 0), TRACE_ERR_UNSUPPORTED);
    assert_int_equal(trace_source_clock(source)->period, INT64_C(86400) * 1000000000);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

static void put_numbered(struct buf *log, unsigned from, unsigned to)
{
    char name[32];
    for (unsigned i = from; i < to; ++i) {
        snprintf(name, sizeof name, "f%u", i);
        log_put_call(log, name, 2, i, i, i % 7);
    }
}

/* Events that are held do not change, whatever comes after them. */
static void test_events_can_be_held(void **state)
{
    enum { COUNT = 100 };
    struct trace_event events[COUNT + 2];
    struct sample_file file;
    struct buf log;
    (void)state;
    log_begin(&log);
    log_put_context(&log, 1, "first");
    log_put_context(&log, 2, "second");
    put_numbered(&log, 0, COUNT);
    struct trace_source *source = log_open(&file, log.data, log.len);
    for (size_t i = 0; i < COUNT + 2; ++i)
        assert_int_equal(trace_source_next(source, &events[i]), 0);
    assert_string_equal(events[0].u.context.name, "first");
    assert_string_equal(events[1].u.context.name, "second");
    for (unsigned i = 0; i < COUNT; ++i) {
        assert_int_equal(events[i + 2].u.resource.id, i);
        assert_int_equal(events[i + 2].call->frame_count, i % 7);
        assert_int_equal(strtoul(events[i + 2].call->sig->name + 1, NULL, 10), i);
    }
    for (size_t i = 0; i < COUNT + 2; ++i)
        trace_source_release(source, &events[i]);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

/* More than there is room for: all come, in the order of a text, before the first call. */
static void test_many_declarations(void **state)
{
    enum { COUNT = 70000 };
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    log_begin(&log);
    log_put_call(&log, "f", 2, 1, 1, 1);
    for (unsigned i = 0; i < COUNT; ++i) {
        log_put_mapping(&log, i, "/lib");
        if (i % 1000 == 999)
            log_put_context(&log, i, "c");
    }
    struct trace_source *source = log_open(&file, log.data, log.len);
    for (unsigned i = 999; i < COUNT; i += 1000) {
        next(source, &event, TRACE_EVENT_CONTEXT);
        assert_int_equal(event.u.context.id, i);
        trace_source_release(source, &event);
    }
    for (unsigned i = 0; i < COUNT; ++i) {
        next(source, &event, TRACE_EVENT_MAPPING);
        assert_int_equal(event.u.mapping.from, i);
        trace_source_release(source, &event);
    }
    next(source, &event, TRACE_EVENT_ALLOC);
    trace_source_release(source, &event);
    next(source, &event, TRACE_EVENT_END);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

static void begin_damaged(struct buf *log)
{
    log_begin(log);
    put_numbered(log, 0, 2);
    for (unsigned i = 0; i < 40; ++i)
        buf_append_byte(log, 0xee);
    put_numbered(log, 2, 4);
}

static void expect_number(struct trace_source *source, uint64_t id)
{
    struct trace_event event;
    next(source, &event, TRACE_EVENT_ALLOC);
    assert_int_equal(event.u.resource.id, id);
    trace_source_release(source, &event);
}

static void test_damage_is_told_once(void **state)
{
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    begin_damaged(&log);
    struct trace_source *source = log_open(&file, log.data, log.len);
    trace_source_resume_after_damage(source);
    expect_number(source, 0);
    expect_number(source, 1);
    assert_int_equal(trace_source_next(source, &event), TRACE_ERR_DAMAGED);
    assert_non_null(strstr(trace_error_message(), "no packet"));
    assert_non_null(strstr(trace_error_message(), file.path));
    expect_number(source, 2);
    expect_number(source, 3);
    next(source, &event, TRACE_EVENT_END);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

static void test_damage_ends_the_reading_otherwise(void **state)
{
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    begin_damaged(&log);
    struct trace_source *source = log_open(&file, log.data, log.len);
    expect_number(source, 0);
    expect_number(source, 1);
    for (unsigned i = 0; i < 3; ++i) {
        assert_int_equal(trace_source_next(source, &event), TRACE_ERR_FORMAT);
        assert_non_null(strstr(trace_error_message(), "no packet"));
    }
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

/* A backtrace whose count says that it goes on over the packet behind it, up to the next one. Its size is
 * believed: it ends at the nearer of two places at which a packet begins. */
static void test_the_nearer_end_is_believed(void **state)
{
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    log_begin(&log);
    log_put_call(&log, "f", 2, 1, 0, 1);
    log.data[log.len - 12] = 1 + 16 / 8; /* addresses: 16 bytes more */
    log_put_context(&log, 1, "ab");      /* which takes 16 bytes */
    put_numbered(&log, 1, 2);
    struct trace_source *source = log_open(&file, log.data, log.len);
    trace_source_resume_after_damage(source);
    next(source, &event, TRACE_EVENT_CONTEXT);
    assert_string_equal(event.u.context.name, "ab");
    trace_source_release(source, &event);
    assert_int_equal(trace_source_next(source, &event), TRACE_ERR_DAMAGED);
    assert_non_null(strstr(trace_error_message(), "a count or length in the packet"));
    next(source, &event, TRACE_EVENT_ALLOC);
    assert_int_equal(event.call->frame_count, 0);
    trace_source_release(source, &event);
    expect_number(source, 1);
    next(source, &event, TRACE_EVENT_END);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

/* What is whole comes first, the call whose backtrace is cut off too; then the error, then the end. */
static void test_a_cut_end(void **state)
{
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    log_begin(&log);
    put_numbered(&log, 0, 4);
    struct trace_source *source = log_open(&file, log.data, log.len - 1);
    for (unsigned i = 0; i < 4; ++i)
        expect_number(source, i);
    assert_int_equal(trace_source_next(source, &event), TRACE_ERR_TRUNCATED);
    next(source, &event, TRACE_EVENT_END);
    next(source, &event, TRACE_EVENT_END);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

static void test_unknown_packets_are_counted(void **state)
{
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    log_begin(&log);
    for (unsigned i = 0; i < 3; ++i) {
        log_end_packet(&log, log_begin_packet(&log, "NEW1"));
        put_numbered(&log, i, i + 1);
    }
    struct trace_source *source = log_open(&file, log.data, log.len);
    for (unsigned i = 0; i < 3; ++i)
        expect_number(source, i);
    next(source, &event, TRACE_EVENT_LOSS);
    assert_int_equal(event.u.loss.count, 3);
    trace_source_release(source, &event);
    next(source, &event, TRACE_EVENT_END);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

static void put_part(struct buf *log, const char *type)
{
    size_t packet = log_begin_packet(log, type);
    log_put_u32(log, 0);
    log_end_packet(log, packet);
}

/* Before any call, or a second time behind one: nobody knows what they are of. */
static void test_parts_of_no_call(void **state)
{
    static const struct {
        const char *before, *behind, *message;
    } logs[] = {
        {"ARGS", NULL, "the arguments at offset 16 belong to no call"},
        {"BTRC", NULL, "the backtrace at offset 16 belongs to no call"},
        {NULL, "ARGS", NULL},
        {NULL, "BTRC", "the backtrace at offset "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; ++i) {
        struct sample_file file;
        struct trace_event event;
        struct buf log;
        log_begin(&log);
        if (logs[i].before != NULL)
            put_part(&log, logs[i].before);
        put_numbered(&log, 0, 1);
        if (logs[i].behind != NULL)
            put_part(&log, logs[i].behind);
        put_numbered(&log, 1, 2);
        struct trace_source *source = log_open(&file, log.data, log.len);
        trace_source_resume_after_damage(source);
        if (logs[i].before == NULL && logs[i].message == NULL)
            expect_number(source, 0);
        if (logs[i].message != NULL) {
            assert_int_equal(trace_source_next(source, &event), TRACE_ERR_DAMAGED);
            assert_non_null(strstr(trace_error_message(), logs[i].message));
            expect_number(source, 0);
        }
        expect_number(source, 1);
        next(source, &event, TRACE_EVENT_END);
        trace_source_close(source);
        sample_file_close(&file);
        buf_fini(&log);
    }
}

/* A backtrace and arguments that are as large as it takes. */
static void test_large_packets(void **state)
{
    enum { FRAMES = 200000, ARGS = 40000 };
    struct sample_file file;
    struct trace_event event;
    struct buf log;
    (void)state;
    log_begin(&log);
    log_put_call(&log, "deep", 2, 1, 1, FRAMES);
    size_t packet = log_begin_packet(&log, "ARGS");
    log_put_u32(&log, ARGS);
    for (unsigned i = 0; i < ARGS; ++i) {
        log_put_string(&log, "name");
        log_put_string(&log, "value");
    }
    log_end_packet(&log, packet);
    struct trace_source *source = log_open(&file, log.data, log.len);
    next(source, &event, TRACE_EVENT_ALLOC);
    assert_int_equal(event.call->frame_count, FRAMES);
    assert_int_equal(event.call->frames[FRAMES - 1].address, FRAMES);
    assert_int_equal(event.call->arg_count, ARGS);
    assert_int_equal(event.call->sig->arg_count, ARGS);
    assert_string_equal(event.call->sig->arg_names[ARGS - 1], "name");
    assert_string_equal(event.call->args[ARGS - 1].u.string, "value");
    trace_source_release(source, &event);
    next(source, &event, TRACE_EVENT_END);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_at_their_limits),
        cmocka_unit_test(test_events_can_be_held),
        cmocka_unit_test(test_many_declarations),
        cmocka_unit_test(test_damage_is_told_once),
        cmocka_unit_test(test_damage_ends_the_reading_otherwise),
        cmocka_unit_test(test_the_nearer_end_is_believed),
        cmocka_unit_test(test_a_cut_end),
        cmocka_unit_test(test_unknown_packets_are_counted),
        cmocka_unit_test(test_parts_of_no_call),
        cmocka_unit_test(test_large_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
