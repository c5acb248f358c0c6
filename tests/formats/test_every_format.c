/* SPDX-License-Identifier: MIT
 * Every row of the registry: what it writes it reads, and what is damaged it survives. A format that is added
 * to format_list.inc is tested here without further ado.
 */
#include "cmocka_all.h"
#include "event_contract.h"

#include "base/buf.h"
#include "base/error.h"
#include "formats/format_registry.h"
#include "sample_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT  2000 /* more events than any damaged sample has */
#define PLACES 300  /* number of places at which a file is cut or changed */

static const struct trace_format *row_with(size_t *i, bool reads, bool writes)
{
    const struct trace_format *row;
    while ((row = trace_format_at((*i)++)) != NULL)
        if ((!reads || row->open != NULL) && (!writes || row->create != NULL))
            return row;
    return NULL;
}

/* --- the sample: events of every kind ---------------------------------------------------------------- */

static const char *const arg_names[] = {"path", "offset", "size", "to"};
static const struct trace_function_sig read_sig = {
    .id = 0, .name = "read", .arg_count = 4, .arg_names = arg_names};
static const struct trace_function_sig idle_sig = {.id = 1, .name = "idle"};
static const struct trace_origin one = {.process = 42, .thread = 7, .cpu = -1, .stream = -1};
static const struct trace_origin other = {.process = 42, .thread = 8, .cpu = -1, .stream = -1};
static const struct trace_resource_type memory = {.id = 1, .name = "memory", .description = "heap blocks"};
static const struct trace_clock sample_clock = {
    .name = "monotonic", .resolution = 1, .wall_offset = 1700000000000000000};
static const struct trace_property properties[] = {{"process.id", "42"}, {"process.name", "a program"}};
static const struct trace_sink_options options = {
    .properties = properties, .property_count = 2, .clock = &sample_clock};

#define SECOND 1000000000

static int put_call(struct trace_sink *sink, enum trace_event_kind kind, uint64_t number, uint32_t flags)
{
    const struct trace_value args[] = {{.type = TRACE_STRING, .count = 6, .u.string = "a file"},
                                       {.type = TRACE_SINT, .u.sint = -5},
                                       {.type = TRACE_UINT, .u.uint = 552},
                                       {.type = TRACE_OPAQUE, .u.uint = 0x7f0012345678}};
    const struct trace_frame frame = {.line = -1, .offset = -1, .address = 0x1010};
    const int64_t time = (int64_t)(number + 1) * SECOND;
    const bool returns =
        kind == TRACE_EVENT_EXIT || (kind == TRACE_EVENT_CALL && (flags & TRACE_CALL_INCOMPLETE) == 0);
    /* The call has no thread: the origin has it. */
    struct trace_call call = {.number = number,
                              .enter_time = time,
                              .leave_time = returns ? time + 1000 : TRACE_NO_TIME,
                              .flags = flags,
                              .sig = number % 2 == 0 ? &read_sig : &idle_sig,
                              .frame_count = 1,
                              .frames = &frame,
                              .ret = {.type = returns ? TRACE_UINT : TRACE_NONE, .u.uint = 552}};
    call.arg_count = call.sig->arg_count;
    call.args = call.arg_count > 0 ? args : NULL;
    const struct trace_event event = {.kind = kind,
                                      .number = number,
                                      .time = kind == TRACE_EVENT_EXIT ? time + 1000 : time,
                                      .origin = number % 3 == 0 ? &one : &other,
                                      .call = &call,
                                      .u.resource = {&memory, 0x5000, kind == TRACE_EVENT_ALLOC ? 552 : 0}};
    return trace_sink_put(sink, &event);
}

static void put_declarations(struct trace_sink *sink)
{
    const struct trace_event events[] = {
        {.kind = TRACE_EVENT_RESOURCE_TYPE, .time = TRACE_NO_TIME, .u.resource_type = &memory},
        {.kind = TRACE_EVENT_CONTEXT, .time = TRACE_NO_TIME, .u.context = {1, "a context"}},
        {.kind = TRACE_EVENT_TRACER, .time = TRACE_NO_TIME, .u.tracer = {1, 2, 3, "a module"}},
        {.kind = TRACE_EVENT_MAPPING,
         .time = TRACE_NO_TIME,
         .u.mapping = {0x1000, 0x2000, TRACE_NO_OFFSET, "/lib/libx.so"}},
    };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; ++i)
        assert_int_equal(trace_sink_put(sink, &events[i]), 0);
}

static void put_facts(struct trace_sink *sink)
{
    static const struct trace_heap heap = {.bottom = 0x1000, .top = 0x2000, .arena = 0x1000};
    const struct trace_event events[] = {
        {.kind = TRACE_EVENT_HEAP, .time = TRACE_NO_TIME, .u.heap = &heap},
        {.kind = TRACE_EVENT_MARK, .time = 9 * (int64_t)SECOND, .origin = &one, .u.text = "half way"},
        {.kind = TRACE_EVENT_ATTACHMENT, .time = TRACE_NO_TIME, .u.attachment = {"map", "/tmp/map"}},
        {.kind = TRACE_EVENT_COMMENT, .time = TRACE_NO_TIME, .u.text = "a comment"},
        {.kind = TRACE_EVENT_LOSS, .time = TRACE_NO_TIME, .u.loss = {3, "no room"}},
    };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; ++i)
        assert_int_equal(trace_sink_put(sink, &events[i]), 0);
}

static void put_sample(struct trace_sink *sink)
{
    static const struct {
        enum trace_event_kind kind;
        uint64_t number;
        uint32_t flags;
    } calls[] = {
        {TRACE_EVENT_CALL, 0, 0},      {TRACE_EVENT_ENTER, 1, 0},
        {TRACE_EVENT_ALLOC, 2, 0},     {TRACE_EVENT_EXIT, 1, 0},
        {TRACE_EVENT_CALL, 3, 0},      {TRACE_EVENT_ENTER, 4, 0},
        {TRACE_EVENT_TAIL_EXIT, 4, 0}, {TRACE_EVENT_FREE, 5, 0},
        {TRACE_EVENT_INSTANT, 6, 0},   {TRACE_EVENT_ALLOC, 7, 0},
        {TRACE_EVENT_CALL, 8, 0},      {TRACE_EVENT_CALL, 9, TRACE_CALL_INCOMPLETE},
    };
    put_declarations(sink);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i)
        assert_int_equal(put_call(sink, calls[i].kind, calls[i].number, calls[i].flags), 0);
    put_facts(sink);
}

/* --- files ------------------------------------------------------------------------------------------- */

static void finish(struct trace_sink *sink)
{
    const struct trace_left_out *left_out;
    assert_int_equal(trace_sink_finish(sink), 0);
    size_t count = trace_sink_left_out(sink, &left_out);
    for (size_t i = 0; i < count; ++i)
        assert_true(left_out[i].count > 0 && strlen(left_out[i].what) > 0);
    assert_int_equal(trace_sink_close(sink), 0);
}

static void write_sample(const struct trace_format *row, struct buf *out)
{
    struct trace_sink *sink;
    const char *path = sample_trace_path();
    assert_int_equal(trace_sink_create(&sink, row->name, path, &options), 0);
    put_sample(sink);
    finish(sink);
    sample_trace_take(path, out);
}

/* Reads a file with these bytes, if it can be opened. */
static struct events_read read_bytes(const uint8_t *bytes, size_t count, bool is_sound, bool resumes)
{
    struct events_read read = {.has_failed = true};
    struct trace_source *source;
    struct sample_trace file;
    sample_trace_open(&file, bytes, count);
    int rc = trace_source_open(&source, file.path);
    assert_true(rc == 0 || !is_sound);
    if (rc != 0) {
        event_contract_check_error(rc, file.path);
    } else {
        assert_non_null(trace_format_find(trace_source_format_name(source)));
        if (resumes)
            trace_source_resume_after_damage(source);
        read = event_contract_read(source, file.path, LIMIT, is_sound);
        trace_source_close(source);
    }
    sample_trace_close(&file);
    return read;
}

/* --- tests ------------------------------------------------------------------------------------------- */

static void test_rows(void **state)
{
    const struct trace_format *row;
    (void)state;
    for (size_t i = 0; (row = trace_format_at(i)) != NULL; ++i) {
        assert_ptr_equal(trace_format_find(row->name), row); /* names are unique */
        assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789-."), strlen(row->name));
        assert_true(strlen(row->summary) > 0);
        assert_true(row->open != NULL || row->create != NULL);
        assert_true((row->open != NULL) == (row->bid != NULL));
        assert_true(row->text == NULL || trace_format_find(row->text)->create != NULL);
    }
}

/* What a format writes is detected as this format if it can be read, and otherwise as another one that reads
 * it. */
static void test_what_is_written_is_read(void **state)
{
    const struct trace_format *row, *found;
    (void)state;
    for (size_t i = 0; (row = row_with(&i, false, true)) != NULL;) {
        struct buf bytes = BUF_INIT;
        struct sample_trace file;
        struct trace_probe probe;
        write_sample(row, &bytes);
        sample_trace_open(&file, bytes.data, bytes.len);
        assert_int_equal(trace_probe_open(&probe, file.path), 0);
        int rc = trace_format_detect(&found, &probe);
        assert_true((rc == 0) == !row->is_export);
        if (row->is_export) {
            assert_null(row->open);
            assert_true(bytes.len > 0);
            trace_probe_close(&probe);
            sample_trace_close(&file);
            buf_fini(&bytes);
            continue;
        }
        assert_true(found == row || row->open == NULL);
        trace_probe_close(&probe);
        sample_trace_close(&file);
        struct events_read read = read_bytes(bytes.data, bytes.len, true, false);
        assert_true(read.calls > 0);
        assert_true(read.threads == 0 || read.threads == 2); /* none is known, or both */
        buf_fini(&bytes);
    }
}

static void copy_events(const struct trace_format *row, const struct buf *bytes, struct buf *out)
{
    struct sample_trace file;
    struct trace_source *source;
    struct trace_sink *sink;
    struct trace_event event;
    const char *path = sample_trace_path();
    sample_trace_open(&file, bytes->data, bytes->len);
    assert_int_equal(trace_source_open(&source, file.path), 0);
    trace_source_split(source); /* if possible: from whole calls, the order of their enters is not known */
    struct trace_sink_options o = {.clock = trace_source_clock(source)};
    o.property_count = trace_source_properties(source, &o.properties);
    assert_int_equal(trace_sink_create(&sink, row->name, path, &o), 0);
    while (trace_source_next(source, &event) == 0 && event.kind != TRACE_EVENT_END) {
        assert_int_equal(trace_sink_put(sink, &event), 0);
        trace_source_release(source, &event);
    }
    finish(sink);
    trace_source_close(source);
    sample_trace_close(&file);
    sample_trace_take(path, out);
}

/* The sample may contain more than the format can hold, and in other forms. A copy of the written file does
 * not. */
static void test_what_is_read_is_written_alike(void **state)
{
    const struct trace_format *row;
    (void)state;
    for (size_t i = 0; (row = row_with(&i, true, true)) != NULL;) {
        struct buf sample = BUF_INIT, first = BUF_INIT, second = BUF_INIT;
        write_sample(row, &sample);
        copy_events(row, &sample, &first);
        copy_events(row, &first, &second);
        if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0)
            fail_msg("%s: what was read is written otherwise", row->name);
        buf_fini(&sample);
        buf_fini(&first);
        buf_fini(&second);
    }
}

static void test_through_a_pipe(void **state)
{
    const struct trace_format *row;
    (void)state;
    for (size_t i = 0; (row = row_with(&i, true, true)) != NULL;) {
        struct buf bytes = BUF_INIT;
        struct trace_source *source;
        char path[40];
        if (row->is_folder)
            continue;
        int ends[2];
        write_sample(row, &bytes);
        size_t expected = read_bytes(bytes.data, bytes.len, true, false).events;
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], bytes.data, bytes.len), bytes.len); /* a pipe has enough room */
        close(ends[1]);
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        assert_int_equal(trace_source_open(&source, path), 0);
        assert_int_equal(event_contract_read(source, path, LIMIT, true).events, expected);
        trace_source_close(source);
        close(ends[0]);
        buf_fini(&bytes);
    }
}

static void test_cut_files(void **state)
{
    const struct trace_format *row;
    (void)state;
    for (size_t i = 0; (row = row_with(&i, true, true)) != NULL;) {
        struct buf bytes = BUF_INIT;
        write_sample(row, &bytes);
        for (size_t n = 0; n < bytes.len; n += 1 + bytes.len / PLACES) {
            read_bytes(bytes.data, n, false, false);
            read_bytes(bytes.data, n, false, true);
        }
        buf_fini(&bytes);
    }
}

static void test_changed_files(void **state)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    const struct trace_format *row;
    (void)state;
    for (size_t i = 0; (row = row_with(&i, true, true)) != NULL;) {
        struct buf bytes = BUF_INIT;
        write_sample(row, &bytes);
        for (size_t n = 0; n < bytes.len; n += 1 + bytes.len / PLACES)
            for (size_t k = 0; k < sizeof changes; ++k) {
                bytes.data[n] ^= changes[k];
                read_bytes(bytes.data, bytes.len, false, k % 2 == 0);
                bytes.data[n] ^= changes[k];
            }
        buf_fini(&bytes);
    }
}

/* The event is refused, or left out and counted by its kind. What follows is written unchanged. */
static void test_a_call_without_a_signature(void **state)
{
    static const struct trace_call nameless = {.sig = NULL};
    const struct trace_format *row;
    (void)state;
    for (size_t i = 0; (row = row_with(&i, false, true)) != NULL;) {
        struct buf expected = BUF_INIT, bytes = BUF_INIT;
        struct trace_sink *sink;
        write_sample(row, &expected);
        const char *path = sample_trace_path();
        assert_int_equal(trace_sink_create(&sink, row->name, path, &options), 0);
        for (enum trace_event_kind kind = TRACE_EVENT_CALL; kind <= TRACE_EVENT_FREE; ++kind) {
            const struct trace_event wrong[] = {
                {.kind = kind, .time = TRACE_NO_TIME, .u.resource = {&memory, 1, 1}},
                {.kind = kind, .time = TRACE_NO_TIME, .call = &nameless, .u.resource = {&memory, 1, 1}}};
            for (int k = 0; k < 2; ++k) {
                int rc = trace_sink_put(sink, &wrong[k]);
                assert_true(rc == TRACE_ERR_USAGE || rc == 0);
            }
        }
        put_sample(sink);
        finish(sink);
        sample_trace_take(path, &bytes);
        assert_int_equal(bytes.len, expected.len);
        assert_memory_equal(bytes.data, expected.data, bytes.len);
        buf_fini(&bytes);
        buf_fini(&expected);
    }
}

static void test_abandoned_files(void **state)
{
    const struct trace_format *row;
    struct trace_sink *sink;
    (void)state;
    for (size_t i = 0; (row = row_with(&i, false, true)) != NULL;) {
        const char *path = sample_trace_path();
        unlink(path);
        assert_int_equal(trace_sink_create(&sink, row->name, path, NULL), 0);
        put_sample(sink);
        trace_sink_abandon(sink);
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_what_is_read_is_written_alike),
        cmocka_unit_test(test_through_a_pipe),
        cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_changed_files),
        cmocka_unit_test(test_a_call_without_a_signature),
        cmocka_unit_test(test_abandoned_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
