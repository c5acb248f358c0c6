/* SPDX-License-Identifier: MIT
 * Tests what sp-rtrace texts and binary logs make of events, and what they cannot express.
 */
#include "cmocka_all.h"
#include "sp_rtrace_logs.h"

#include "base/error.h"
#include "base/little_endian.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICK       INT64_C(1000000) /* a millisecond */
#define TIME_PLACE 8                /* in a packet of a call */

static uint64_t left_out_of(const char *from, const char *to)
{
    uint64_t left_out = 0;
    free(log_convert(from, strlen(from), to, &left_out));
    return left_out;
}

static void test_what_binary_logs_leave_out(void **state)
{
    static const struct {
        const char *text;
        uint64_t count;
    } texts[] = {
        {"1. f(1) = 0x1\n", 0},
        {"2. f(1) = 0x1\n", 1}, /* its index */
        {"1. [00:00:00.001] f(1) = 0x1\n", 0},
        {"1. [00:00:00.000] f(1) = 0x1\n", 1}, /* 0 is no time */
        {"1. [00:00:00.0015] f(1) = 0x1\n", 1},
        {"1. f(4294967295) = 0x1\n", 0},
        {"1. f(4294967296) = 0x1\n", 1},
        {"1. f(1) = 0x1\n\t0x1 main()\n\t0x2\n", 1},
        {"# comment\n1. f(1) = 0x1\n", 1},
        {"## tracing module: [0] m (65536.0)\n", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        char text[200];
        snprintf(text, sizeof text, LOG_TEXT_HEADER "%s", texts[i].text);
        assert_int_equal(left_out_of(text, "sp-rtrace"), texts[i].count);
        assert_int_equal(left_out_of(text, "sp-rtrace-1.4"), texts[i].count);
    }
}

/* Versions of modules have 16 bits each: a minor one that is too large does not become a part of the major
 * one.
 */
static void test_large_versions(void **state)
{
    static const char text[] = LOG_TEXT_HEADER "## tracing module: [0] m (2.65537)\n";
    static const uint8_t version[] = {1, 0, 2, 0}; /* little endian: minor, major */
    uint64_t left_out = 0;
    (void)state;
    char *log = log_convert(text, sizeof text - 1, "sp-rtrace", &left_out);
    const char *packet = memmem(log, 4096, "MINF", 4);
    assert_non_null(packet);
    assert_memory_equal(packet + 12, version, sizeof version);
    assert_int_equal(left_out, 1);
    free(log);
}

/* A loss counts for as many events as were lost, or for one if nobody knows. */
static void test_losses(void **state)
{
    static const struct trace_sink_options options = {0};
    static const char *const formats[] = {"sp-rtrace", "sp-rtrace-1.4", "sp-rtrace-text"};
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        const struct trace_left_out *items;
        struct trace_sink *sink;
        char path[64];
        snprintf(path, sizeof path, "/tmp/test_sp_rtrace_losses.%d", (int)getpid());
        assert_int_equal(trace_sink_create(&sink, formats[i], path, &options), 0);
        for (uint64_t count = 0; count < 10; count += 3) {
            const struct trace_event loss = {
                .kind = TRACE_EVENT_LOSS, .time = TRACE_NO_TIME, .u.loss = {count, "a test"}};
            assert_int_equal(trace_sink_put(sink, &loss), 0);
        }
        assert_int_equal(trace_sink_left_out(sink, &items), 1);
        assert_int_equal(items[0].count, 1 + 3 + 6 + 9);
        trace_sink_abandon(sink);
    }
}

/* A string has room for 65534 bytes. */
static void test_long_texts(void **state)
{
    char *text = malloc(70000);
    (void)state;
    assert_non_null(text);
    for (int length = 65533; length <= 65536; ++length) {
        snprintf(text, 70000, LOG_TEXT_HEADER "1. f(0x0)\n\t$a = %0*d\n", length, 0);
        assert_int_equal(left_out_of(text, "sp-rtrace"), length > 65534);
    }
    free(text);
}

/* What would end a line does not, however often the name comes. */
static void test_line_breaks(void **state)
{
    uint64_t left_out = 0;
    struct buf log;
    (void)state;
    log_begin(&log);
    log_put_mapping(&log, 1, "/a\nb\rc");
    for (uint64_t id = 1; id <= 2; ++id) {
        log_put_call(&log, "f\n9. g(0x1)", 1, 0, id, 0);
        log_put_call(&log, "h\r", 1, 0, id, 0);
    }
    char *text = log_convert(log.data, log.len, "sp-rtrace-text", &left_out);
    assert_non_null(strstr(text, ": /a b c => 0x1-0x2\n"
                                 "1. [00:00:01.000] f 9. g(0x1)(0x1)\n\n2. [00:00:01.000] h (0x1)\n\n"
                                 "3. [00:00:01.000] f 9. g(0x1)(0x2)\n\n4. [00:00:01.000] h (0x2)\n\n"));
    assert_int_equal(left_out, 6);
    free(text);
    buf_fini(&log);
}

static void put_process(struct buf *log, uint32_t pid, uint32_t seconds, const char *name)
{
    size_t packet = log_begin_packet(log, "PINF");
    log_put_u32(log, pid);
    log_put_u32(log, seconds);
    log_put_u32(log, 0);
    log_put_u32(log, UINT32_MAX);
    log_put_string(log, name);
    log_end_packet(log, packet);
}

/* A name of a process in which other keys seem to begin. */
static void test_commas_in_headers(void **state)
{
    uint64_t left_out = 0;
    struct buf log;
    (void)state;
    log_begin(&log);
    put_process(&log, 7, 0, "a, b=c,pid=8, d");
    char *text = log_convert(log.data, log.len, "sp-rtrace-text", &left_out);
    assert_string_equal(text,
                        "version=2.0, arch=x86_64, process=a  b=c pid=8, d, pid=7, origin=sp-rtrace 1.8, \n");
    assert_int_equal(left_out, 2);
    free(text);
    buf_fini(&log);
}

/* A binary log has a place for each of them. */
static void test_unknown_processes(void **state)
{
    uint64_t left_out = 0;
    struct buf log;
    (void)state;
    log_begin(&log);
    put_process(&log, 0, 0, "");
    char *text = log_convert(log.data, log.len, "sp-rtrace-text", &left_out);
    assert_string_equal(text, "version=2.0, arch=x86_64, origin=sp-rtrace 1.8, \n");
    assert_int_equal(left_out, 0);
    free(text);
    buf_fini(&log);
}

/* Binary logs count milliseconds; 0 stands for an unknown time. */
static void test_times_of_binary_logs(void **state)
{
    static const struct {
        const char *text;
        uint32_t wanted;
        uint64_t left_out;
    } times[] = {
        {"", 0, 0},
        {"[00:00:00.000] ", 0, 1},
        {"[00:00:00.000999] ", 0, 1},
        {"[00:00:00.001] ", 1, 0},
        {"[00:00:00.001999999] ", 1, 1},
        {"[00:00:01.500] ", 1500, 0},
        {"[23:59:59.999] ", 86399999, 0},
        {"[1193:02:47.295] ", UINT32_MAX, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
        char text[200];
        uint64_t left_out = 0;
        snprintf(text, sizeof text, LOG_TEXT_HEADER "1. %sf(8) = 0x1\n\n", times[i].text);
        char *log = log_convert(text, strlen(text), "sp-rtrace", &left_out);
        const uint8_t *packet = memmem(log, 4096, "CALL", 4);
        assert_non_null(packet);
        assert_int_equal(get_u32(packet + 8 + TIME_PLACE), times[i].wanted);
        assert_int_equal(left_out, times[i].left_out);
        free(log);
    }
}

static void put_type(struct trace_sink *sink, const struct trace_resource_type *type)
{
    const struct trace_event event = {
        .kind = TRACE_EVENT_RESOURCE_TYPE, .time = TRACE_NO_TIME, .u.resource_type = type};
    assert_int_equal(trace_sink_put(sink, &event), 0);
}

static void put_call(struct trace_sink *sink, const struct trace_resource_type *type)
{
    static const struct trace_function_sig sig = {.name = "f"};
    const struct trace_call call = {.sig = &sig};
    const struct trace_event event = {.kind = TRACE_EVENT_FREE,
                                      .time = TRACE_NO_TIME,
                                      .number = type != NULL ? type->id : 0,
                                      .call = &call,
                                      .u.resource = {.type = type}};
    assert_int_equal(trace_sink_put(sink, &event), 0);
}

/* Of what was before the clock began, the time is left out, whatever the format. */
static void test_early_times(void **state)
{
    static const struct trace_sink_options options = {0};
    static const struct trace_function_sig sig = {.name = "f"};
    static const char *const formats[] = {"sp-rtrace", "sp-rtrace-1.4", "sp-rtrace-text"};
    static const int64_t times[] = {TRACE_NO_TIME, TICK, -TICK, -1};
    const struct trace_call call = {.sig = &sig};
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        for (size_t k = 0; k < sizeof times / sizeof *times; ++k) {
            char path[] = "/tmp/test_sp_rtrace.XXXXXX";
            const struct trace_event event = {
                .kind = TRACE_EVENT_FREE, .number = 1, .time = times[k], .call = &call};
            const struct trace_left_out *items;
            struct trace_sink *sink;
            int fd = mkstemp(path);
            assert_true(fd >= 0);
            close(fd);
            assert_int_equal(trace_sink_create(&sink, formats[i], path, &options), 0);
            assert_int_equal(trace_sink_put(sink, &event), 0);
            assert_int_equal(trace_sink_left_out(sink, &items), k >= 2);
            trace_sink_abandon(sink);
            unlink(path);
        }
}

/* Calls name their types, but for the only one that is declared. */
static void test_names_of_types(void **state)
{
    static const struct trace_sink_options options = {0};
    static const struct trace_resource_type one = {.id = 7, .name = "one", .description = "1"},
                                            two = {.id = 8, .name = "two", .description = "2"};
    static const char *const wanted[] = {"0. f(0x0)\n\n7. f<one>(0x0)\n\n8. f<two>(0x0)\n\n",
                                         "0. f(0x0)\n\n7. f(0x0)\n\n8. f<two>(0x0)\n\n",
                                         "0. f(0x0)\n\n7. f<one>(0x0)\n\n8. f<two>(0x0)\n\n"};
    (void)state;
    for (unsigned declared = 0; declared < 3; ++declared) {
        char path[] = "/tmp/test_sp_rtrace.XXXXXX", text[200] = "";
        struct trace_sink *sink;
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        assert_int_equal(trace_sink_create(&sink, "sp-rtrace-text", path, &options), 0);
        if (declared > 0)
            put_type(sink, &one);
        if (declared > 1)
            put_type(sink, &two);
        put_call(sink, NULL);
        put_call(sink, &one);
        put_call(sink, &two);
        assert_int_equal(trace_sink_close(sink), 0);
        assert_int_equal(close(fd), 0);
        fd = open(path, O_RDONLY);
        assert_true(read(fd, text, sizeof text - 1) > 0);
        assert_non_null(strstr(text, wanted[declared]));
        close(fd);
        unlink(path);
    }
}

/* A line that would be too long to be read again is cut. */
static void test_long_values(void **state)
{
    char *value = malloc(2 << 20);
    const char *names[] = {value};
    static const struct trace_sink_options options = {0};
    struct trace_sink *sink;
    struct trace_source *source;
    const struct trace_left_out *items;
    char path[] = "/tmp/test_sp_rtrace.XXXXXX";
    (void)state;
    assert_non_null(value);
    memset(value, 'x', 2 << 20);
    value[(2 << 20) - 1] = '\0';
    struct trace_frame frame = {.function = value, .module = value, .line = -1, .offset = -1};
    struct trace_value arg = {.type = TRACE_STRING, .count = (2 << 20) - 1, .u.string = value};
    struct trace_function_sig sig = {.name = value, .arg_count = 1, .arg_names = names};
    struct trace_call call = {.sig = &sig, .args = &arg, .arg_count = 1, .frames = &frame, .frame_count = 1};
    struct trace_event event = {.kind = TRACE_EVENT_ALLOC, .time = TRACE_NO_TIME, .call = &call};
    struct trace_event mapping = {.kind = TRACE_EVENT_MAPPING,
                                  .u.mapping = {.path = value, .offset = TRACE_NO_OFFSET}};
    int fd = mkstemp(path);
    close(fd);
    assert_int_equal(trace_sink_create(&sink, "sp-rtrace-text", path, &options), 0);
    assert_int_equal(trace_sink_put(sink, &mapping), 0);
    assert_int_equal(trace_sink_put(sink, &event), 0);
    assert_int_equal(trace_sink_left_out(sink, &items), 1);
    assert_int_equal(items[0].count, 6);
    assert_int_equal(trace_sink_close(sink), 0);
    assert_int_equal(trace_source_open(&source, path), 0);
    trace_source_close(source);
    unlink(path);
    free(value);
}

/* Milliseconds have 32 bits: what is left of a later time is that of a day. */
static void test_late_times(void **state)
{
    (void)state;
    assert_int_equal(left_out_of("1. [1193:02:47.295] f(0x0)\n", "sp-rtrace"), 0);
    assert_int_equal(left_out_of("1. [1193:02:47.296] f(0x0)\n", "sp-rtrace"), 1);
    assert_int_equal(
        left_out_of("1. [1200:00:00.000] f(0x0)\n\n2. [1224:00:00.000] f(0x0)\n", "sp-rtrace-1.4"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_binary_logs_leave_out),
        cmocka_unit_test(test_large_versions),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_line_breaks),
        cmocka_unit_test(test_commas_in_headers),
        cmocka_unit_test(test_unknown_processes),
        cmocka_unit_test(test_times_of_binary_logs),
        cmocka_unit_test(test_early_times),
        cmocka_unit_test(test_names_of_types),
        cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_late_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
