/* SPDX-License-Identifier: MIT
 * Tests sources, sinks and the registry with the apitrace format and events made by hand.
 */
#include "cmocka_all.h"
#include "base/error.h"
#include "formats/apitrace/read/reader.h"
#include "formats/format_registry.h"
#include "trace_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *temporary_path(void)
{
    static char path[] = "/tmp/test_seam.XXXXXX";
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

/* --- the registry ---------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    struct trace_sink *sink;
    (void)state;
    assert_ptr_equal(trace_format_find("apitrace"), trace_format_at(0));
    assert_null(trace_format_find("apitracer"));
    assert_int_equal(trace_sink_create(&sink, "apitrase", "/tmp/x", NULL), TRACE_ERR_USAGE);
    assert_non_null(strstr(trace_error_message(), "did you mean \"apitrace\"?"));
}

static int detect(const void *bytes, size_t count, const struct trace_format **out)
{
    struct sample_file file;
    struct trace_probe probe;
    sample_file_open(&file);
    sample_file_set(&file, bytes, count);
    assert_int_equal(trace_probe_open(&probe, file.path), 0);
    int rc = trace_format_detect(out, &probe);
    trace_probe_close(&probe);
    sample_file_close(&file);
    return rc;
}

static void test_detection(void **state)
{
    const struct trace_format *format;
    (void)state;
    assert_int_equal(detect("", 0, &format), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "the file is empty"));
    assert_int_equal(detect("hello, world\n", 13, &format), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "text file"));
    assert_int_equal(detect("at\0\0\0\0\0\0", 8, &format), 0);
    assert_string_equal(format->name, "apitrace");
    assert_int_equal(detect("\x80\x90\xff\xfe?", 5, &format), 0); /* could be Brotli */
    assert_string_equal(format->name, "apitrace");
}

/* --- apitrace's format ----------------------------------------------------------------------------- */

static void pack_samples(struct sample_file *file)
{
    struct buf stream = BUF_INIT;
    sample_encode_stream(&stream);
    sample_file_open(file);
    sample_file_pack(file, TRACE_CONTAINER_ZLIB, stream.data, stream.len);
    buf_fini(&stream);
}

/* Each call of the reader is an event of the source. */
static void test_source_yields_the_readers_calls(void **state)
{
    struct sample_file file;
    struct trace_source *source;
    struct trace_reader *reader;
    struct trace_event event;
    const struct trace_call *call;
    (void)state;
    pack_samples(&file);
    assert_int_equal(trace_source_open(&source, file.path), 0);
    assert_int_equal(trace_reader_open(&reader, file.path), 0);
    assert_string_equal(trace_source_format_name(source), "apitrace");
    assert_int_equal(trace_source_order(source), TRACE_ORDER_CALLS);
    assert_non_null(trace_source_reader(source));
    assert_null(trace_source_clock(source)); /* the samples have no times */
    do {
        assert_int_equal(trace_source_next(source, &event), 0);
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_int_equal(event.kind, call != NULL ? TRACE_EVENT_CALL : TRACE_EVENT_END);
        if (call == NULL)
            break;
        assert_int_equal(event.number, call->number);
        assert_int_equal(event.origin->thread, call->thread);
        assert_string_equal(event.call->sig->name, call->sig->name);
        trace_call_release(reader, call);
        trace_source_release(source, &event);
    } while (call != NULL);
    trace_source_close(source);
    trace_reader_close(reader);
    sample_file_close(&file);
}

static void copy_all(struct trace_source *source, struct trace_sink *sink)
{
    struct trace_event event;
    for (;;) {
        assert_int_equal(trace_source_next(source, &event), 0);
        if (event.kind == TRACE_EVENT_END)
            return;
        assert_int_equal(trace_sink_put(sink, &event), 0);
        trace_source_release(source, &event);
    }
}

static size_t count_calls(const char *path)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    size_t count = 0;
    assert_int_equal(trace_reader_open(&reader, path), 0);
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        trace_call_release(reader, call);
        ++count;
    }
    trace_reader_close(reader);
    return count;
}

static void test_source_into_sink(void **state)
{
    struct sample_file file;
    struct trace_source *source;
    struct trace_sink *sink;
    const struct trace_left_out *left_out;
    const char *path = temporary_path();
    (void)state;
    pack_samples(&file);
    assert_int_equal(trace_source_open(&source, file.path), 0);
    assert_int_equal(trace_sink_create(&sink, "apitrace", path, NULL), 0);
    copy_all(source, sink);
    assert_int_equal(trace_sink_finish(sink), 0);
    assert_int_equal(trace_sink_left_out(sink, &left_out), 0);
    assert_int_equal(trace_sink_close(sink), 0);
    trace_source_close(source);
    assert_int_equal(count_calls(path), count_calls(file.path));
    sample_file_close(&file);
    unlink(path);
}

static void test_abandoned_sink_leaves_nothing(void **state)
{
    struct trace_sink *sink;
    const char *path = temporary_path();
    (void)state;
    unlink(path);
    assert_int_equal(trace_sink_create(&sink, "apitrace", path, NULL), 0);
    trace_sink_abandon(sink);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* --- events that are no calls ---------------------------------------------------------------------- */

static const char *const malloc_args[] = {"zeroed"};
static const struct trace_function_sig malloc_sig = {
    .id = 0, .name = "malloc", .arg_count = 1, .arg_names = malloc_args};
static const struct trace_function_sig free_sig = {.id = 1, .name = "free"};
static const struct trace_resource_type memory = {.id = 1, .name = "memory"};

static void put_allocation(struct trace_sink *sink)
{
    const struct trace_value zeroed = {.type = TRACE_STRING, .count = 2, .u.string = "no"};
    const struct trace_frame frame = {.line = -1, .offset = -1, .address = 0x1010};
    const struct trace_call call = {
        .sig = &malloc_sig, .arg_count = 1, .args = &zeroed, .frame_count = 1, .frames = &frame};
    const struct trace_event event = {.kind = TRACE_EVENT_ALLOC,
                                      .time = TRACE_NO_TIME,
                                      .call = &call,
                                      .u.resource = {&memory, 0xabc0, 3000000000}};
    assert_int_equal(trace_sink_put(sink, &event), 0);
}

static void put_release(struct trace_sink *sink, uint64_t size)
{
    const struct trace_call call = {.sig = &free_sig};
    const struct trace_event event = {.kind = TRACE_EVENT_FREE,
                                      .time = TRACE_NO_TIME,
                                      .call = &call,
                                      .u.resource = {&memory, 0xabc0, size}};
    assert_int_equal(trace_sink_put(sink, &event), 0);
}

static void put_others(struct trace_sink *sink)
{
    const struct trace_event mapping = {.kind = TRACE_EVENT_MAPPING,
                                        .u.mapping = {0x1000, 0x2000, TRACE_NO_OFFSET, "/lib/libx.so"}};
    const struct trace_event comment = {.kind = TRACE_EVENT_COMMENT, .u.text = "a comment"};
    assert_int_equal(trace_sink_put(sink, &mapping), 0);
    assert_int_equal(trace_sink_put(sink, &comment), 0);
    assert_int_equal(trace_sink_put(sink, &comment), 0);
}

static void assert_allocation(const struct trace_call *call)
{
    assert_string_equal(call->sig->name, "malloc");
    assert_int_equal(call->arg_count, 3);
    assert_string_equal(call->sig->arg_names[0], "zeroed");
    assert_string_equal(call->args[0].u.string, "no");
    assert_string_equal(call->sig->arg_names[1], "resource");
    assert_string_equal(call->args[1].u.string, "memory");
    assert_string_equal(call->sig->arg_names[2], "size");
    assert_int_equal(call->args[2].u.uint, 3000000000);
    assert_int_equal(call->ret.u.uint, 0xabc0);
    assert_int_equal(call->frame_count, 1);
    assert_string_equal(call->frames[0].module, "/lib/libx.so");
    assert_int_equal(call->frames[0].offset, 0x10);
}

static void test_allocations_as_calls(void **state)
{
    struct trace_sink *sink;
    struct trace_reader *reader;
    const struct trace_call *call;
    const struct trace_left_out *left_out;
    const char *path = temporary_path();
    (void)state;
    assert_int_equal(trace_sink_create(&sink, "apitrace", path, NULL), 0);
    put_others(sink);
    put_allocation(sink);
    put_release(sink, 0);
    assert_int_equal(trace_sink_left_out(sink, &left_out), 1);
    assert_string_equal(left_out[0].what, "comment");
    assert_int_equal(left_out[0].count, 2);
    put_release(sink, 7);
    assert_int_equal(trace_sink_left_out(sink, &left_out), 2);
    assert_string_equal(left_out[1].what, "size of a release");
    assert_int_equal(left_out[1].count, 1);
    assert_int_equal(trace_sink_close(sink), 0);
    assert_int_equal(trace_reader_open(&reader, path), 0);
    assert_int_equal(trace_reader_next_call(reader, &call), 0);
    assert_allocation(call);
    trace_call_release(reader, call);
    assert_int_equal(trace_reader_next_call(reader, &call), 0);
    assert_string_equal(call->sig->name, "free");
    assert_string_equal(call->sig->arg_names[1], "id");
    assert_int_equal(call->args[1].u.uint, 0xabc0);
    trace_call_release(reader, call);
    trace_reader_close(reader);
    unlink(path);
}

/* Puts an end of a call, as formats in chronological order yield them. */
static void put_end(struct trace_sink *sink, enum trace_event_kind kind, uint64_t number, uint32_t thread)
{
    const struct trace_call call = {.sig = &free_sig, .thread = thread};
    const struct trace_event event = {.kind = kind, .number = number, .time = TRACE_NO_TIME, .call = &call};
    assert_int_equal(trace_sink_put(sink, &event), 0);
}

static void test_ends_of_calls(void **state)
{
    static const uint32_t threads[] = {1, 0, 0}; /* in the order in which the calls return */
    struct trace_sink *sink;
    struct trace_reader *reader;
    const struct trace_call *call;
    const struct trace_left_out *left_out;
    const char *path = temporary_path();
    (void)state;
    assert_int_equal(trace_sink_create(&sink, "apitrace", path, NULL), 0);
    put_end(sink, TRACE_EVENT_ENTER, 70, 0);
    put_end(sink, TRACE_EVENT_ENTER, 71, 1);
    put_end(sink, TRACE_EVENT_ENTER, 72, 0);
    put_end(sink, TRACE_EVENT_EXIT, 71, 1);
    put_end(sink, TRACE_EVENT_EXIT, 72, 0);
    put_end(sink, TRACE_EVENT_EXIT, 70, 0);
    put_end(sink, TRACE_EVENT_EXIT, 70, 0); /* this call has returned already */
    assert_int_equal(trace_sink_left_out(sink, &left_out), 1);
    assert_string_equal(left_out[0].what, "exit without an enter");
    assert_int_equal(trace_sink_close(sink), 0);
    assert_int_equal(trace_reader_open(&reader, path), 0);
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_int_equal(call->thread, threads[i]);
        assert_int_equal(call->flags & TRACE_CALL_INCOMPLETE, 0);
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    unlink(path);
}

/* --- times ------------------------------------------------------------------------------------------ */

#define PERIOD 100000 /* after which the clock starts again at 0 */

/* Times of such a clock as a source reads them, and as they are written. A small step back does not mean that
 * the clock started again: events of several threads may be slightly out of order. */
static const struct {
    int64_t read, written;
} times[] = {{90000, 90000},  {99990, 99990},  {99000, 99000},  {10, 100010},
             {49990, 149990}, {99990, 199990}, {49990, 149990}, {10, 100010}};
#define TIMES (sizeof times / sizeof *times)

/* Puts one call for every two times. */
static void put_times(struct trace_sink *sink)
{
    const struct trace_call call = {.sig = &free_sig};
    for (size_t i = 0; i < TIMES; ++i) {
        const struct trace_event event = {.kind = i % 2 == 0 ? TRACE_EVENT_ENTER : TRACE_EVENT_EXIT,
                                          .number = i / 2,
                                          .time = times[i].read,
                                          .call = &call};
        assert_int_equal(trace_sink_put(sink, &event), 0);
    }
}

/* asked_at: index of the event before which the source is asked for its clock. */
static void check_times(const char *path, size_t asked_at)
{
    struct trace_source *source;
    struct trace_event event;
    assert_int_equal(trace_source_open(&source, path), 0);
    assert_int_equal(trace_source_split(source), 0);
    for (size_t i = 0; i < TIMES; ++i) {
        if (i == asked_at)
            assert_non_null(trace_source_clock(source));
        assert_int_equal(trace_source_next(source, &event), 0);
        assert_int_equal(event.kind, i % 2 == 0 ? TRACE_EVENT_ENTER : TRACE_EVENT_EXIT);
        assert_int_equal(event.time, times[i].written);
        trace_source_release(source, &event);
    }
    assert_int_equal(trace_source_next(source, &event), 0);
    assert_int_equal(event.kind, TRACE_EVENT_END);
    trace_source_close(source);
}

static void test_times(void **state)
{
    static const struct trace_clock clock = {
        .name = "ticks", .resolution = 10, .wall_offset = TRACE_NO_TIME, .period = PERIOD};
    const struct trace_sink_options options = {.clock = &clock};
    struct trace_sink *sink;
    const char *path = temporary_path();
    (void)state;
    assert_int_equal(trace_sink_create(&sink, "apitrace", path, &options), 0);
    put_times(sink);
    assert_int_equal(trace_sink_close(sink), 0);
    for (size_t asked_at = 0; asked_at < TIMES + 1; asked_at += 4)
        check_times(path, asked_at);
    unlink(path);
}

/* --- signatures ------------------------------------------------------------------------------------- */

/* A function that both allocates and releases has two signatures. A frame with an address gets its module
 * even if another frame has no address. */
static void test_functions_of_two_kinds(void **state)
{
    static const char *const last[] = {"size", "id", "size", "id"};
    const struct trace_value zeroed = {.type = TRACE_STRING, .count = 2, .u.string = "no"};
    const struct trace_frame frames[] = {{.function = "main", .line = -1, .offset = -1},
                                         {.line = -1, .offset = -1, .address = 0x1010}};
    const struct trace_call call = {
        .sig = &malloc_sig, .arg_count = 1, .args = &zeroed, .frame_count = 2, .frames = frames};
    struct trace_sink *sink;
    struct trace_reader *reader;
    const struct trace_call *found;
    const char *path = temporary_path();
    (void)state;
    assert_int_equal(trace_sink_create(&sink, "apitrace", path, NULL), 0);
    put_others(sink);
    for (unsigned i = 0; i < 4; ++i) {
        const struct trace_event event = {.kind = i % 2 == 0 ? TRACE_EVENT_ALLOC : TRACE_EVENT_FREE,
                                          .time = TRACE_NO_TIME,
                                          .call = &call,
                                          .u.resource = {&memory, 0xabc0, 7}};
        assert_int_equal(trace_sink_put(sink, &event), 0);
    }
    assert_int_equal(trace_sink_close(sink), 0);
    assert_int_equal(trace_reader_open(&reader, path), 0);
    for (unsigned i = 0; i < 4; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &found), 0);
        assert_string_equal(found->sig->name, "malloc");
        assert_string_equal(found->sig->arg_names[2], last[i]);
        assert_int_equal(found->args[2].u.uint, i % 2 == 0 ? 7 : 0xabc0);
        assert_string_equal(found->frames[1].module, "/lib/libx.so");
        trace_call_release(reader, found);
    }
    trace_reader_close(reader);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_detection),
        cmocka_unit_test(test_source_yields_the_readers_calls),
        cmocka_unit_test(test_source_into_sink),
        cmocka_unit_test(test_abandoned_sink_leaves_nothing),
        cmocka_unit_test(test_allocations_as_calls),
        cmocka_unit_test(test_ends_of_calls),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_functions_of_two_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
