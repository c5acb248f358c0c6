/* SPDX-License-Identifier: MIT
 * Tests the order of calls, calls without a leave event, older format versions, long events, and damage in
 * the stream.
 */
#include "base/error.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const arg_names[] = {"a", "b"};
static const struct trace_function_sig sig = {
    .id = 1, .name = "glCall", .arg_count = 2, .arg_names = arg_names};

struct stream {
    struct buf bytes;
    struct trace_encoder encoder;
    struct sample_file file;
    struct trace_reader *reader;
};

static void stream_begin(struct stream *s)
{
    memset(s, 0, sizeof *s);
    trace_encoder_init(&s->encoder, &s->bytes);
    trace_encode_header(&s->encoder, 6, NULL, 0);
    sample_file_open(&s->file);
}

static int stream_open(struct stream *s)
{
    sample_file_pack(&s->file, TRACE_CONTAINER_SNAPPY, s->bytes.data, s->bytes.len);
    return trace_reader_open(&s->reader, s->file.path);
}

static void stream_end(struct stream *s)
{
    trace_reader_close(s->reader);
    sample_file_close(&s->file);
    trace_encoder_fini(&s->encoder);
    buf_fini(&s->bytes);
}

static void put_enter(struct stream *s, uint32_t thread)
{
    trace_encode_enter(&s->encoder, thread, &sig, 0);
    trace_encode_arg(&s->encoder, 0);
    trace_encode_uint(&s->encoder, thread);
    trace_encode_end(&s->encoder);
}

static void put_leave(struct stream *s, uint64_t number)
{
    trace_encode_leave(&s->encoder, number);
    trace_encode_arg(&s->encoder, 1);
    trace_encode_uint(&s->encoder, 1000 + number);
    trace_encode_ret(&s->encoder);
    trace_encode_uint(&s->encoder, number);
    trace_encode_end(&s->encoder);
}

static void expect_call(struct stream *s, uint64_t number, uint32_t flags)
{
    const struct trace_call *call;
    int rc = trace_reader_next_call(s->reader, &call);
    if (rc != 0)
        fail_msg("%s", trace_error_message());
    assert_non_null(call);
    assert_int_equal(call->number, number);
    assert_int_equal(call->flags, flags);
    bool complete = (flags & TRACE_CALL_INCOMPLETE) == 0;
    assert_int_equal(call->ret.type, complete ? TRACE_UINT : TRACE_NONE);
    assert_int_equal(call->args[1].type, complete ? TRACE_UINT : TRACE_NONE);
    trace_call_release(s->reader, call);
}

static void expect_end(struct stream *s)
{
    const struct trace_call *call;
    assert_int_equal(trace_reader_next_call(s->reader, &call), 0);
    assert_null(call);
}

static void expect_error(struct stream *s, int code, const char *message)
{
    const struct trace_call *call;
    assert_int_equal(trace_reader_next_call(s->reader, &call), code);
    if (strstr(trace_error_message(), message) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", message, trace_error_message());
}

static void test_leave_order(void **state)
{
    (void)state;
    struct stream s;
    stream_begin(&s);
    for (uint32_t thread = 0; thread < 5; ++thread)
        put_enter(&s, thread);
    put_leave(&s, 3);
    put_leave(&s, 99); /* of an unknown call: skipped */
    put_leave(&s, 0);
    put_enter(&s, 3);
    put_leave(&s, 5);
    put_leave(&s, 4);
    assert_int_equal(stream_open(&s), 0);
    static const unsigned order[] = {3, 0, 5, 4};
    for (unsigned i = 0; i < 4; ++i)
        expect_call(&s, order[i], 0);
    expect_call(&s, 1, TRACE_CALL_INCOMPLETE);
    expect_call(&s, 2, TRACE_CALL_INCOMPLETE);
    expect_end(&s);
    stream_end(&s);
}

/* The stream is cut at each byte: the reader returns all complete calls, then the error, then the calls that
 * were entered. */
static void test_every_truncation(void **state)
{
    (void)state;
    struct stream s;
    stream_begin(&s);
    size_t header = s.bytes.len;
    size_t after_enter[4];
    size_t after_leave[4];
    for (unsigned i = 0; i < 4; ++i) {
        put_enter(&s, i);
        after_enter[i] = s.bytes.len;
        put_leave(&s, i);
        after_leave[i] = s.bytes.len;
    }
    size_t full = s.bytes.len;
    for (size_t cut = header; cut <= full; ++cut) {
        bool between = cut == header;
        unsigned complete = 0;
        s.bytes.len = cut;
        assert_int_equal(stream_open(&s), 0);
        for (unsigned i = 0; i < 4; ++i) {
            between |= cut == after_enter[i] || cut == after_leave[i];
            complete += cut >= after_leave[i];
        }
        for (unsigned i = 0; i < complete; ++i)
            expect_call(&s, i, 0);
        if (!between)
            expect_error(&s, TRACE_ERR_TRUNCATED, "ends inside an event");
        if (complete < 4 && cut >= after_enter[complete]) {
            const struct trace_call *call;
            assert_int_equal(trace_reader_next_call(s.reader, &call), 0);
            assert_int_equal(call->number, complete);
            assert_int_equal(call->flags, TRACE_CALL_INCOMPLETE);
            trace_call_release(s.reader, call);
        }
        expect_end(&s);
        trace_reader_close(s.reader);
        s.reader = NULL;
    }
    stream_end(&s);
}

/* The file is cut at each byte. Every loss is reported, and never more than the cut chunk is lost. */
static void test_every_file_truncation(void **state)
{
    (void)state;
    static const enum trace_container containers[] = {TRACE_CONTAINER_SNAPPY, TRACE_CONTAINER_ZLIB,
                                                      TRACE_CONTAINER_BROTLI};
    struct stream s;
    struct buf file = BUF_INIT;
    stream_begin(&s);
    for (unsigned i = 0; i < 50; ++i) {
        put_enter(&s, i);
        put_leave(&s, i);
    }
    for (unsigned c = 0; c < 3; ++c) {
        uint64_t most = 0;
        buf_clear(&file);
        sample_file_pack(&s.file, containers[c], s.bytes.data, s.bytes.len);
        sample_file_get(&s.file, &file);
        for (size_t cut = 0; cut < file.len; ++cut) {
            const struct trace_call *call = NULL;
            sample_file_set(&s.file, file.data, cut);
            uint64_t calls = 0;
            int rc = trace_reader_open(&s.reader, s.file.path);
            if (rc != 0)
                continue; /* even the header is missing */
            while ((rc = trace_reader_next_call(s.reader, &call)) == 0 && call != NULL) {
                calls += (call->flags & TRACE_CALL_INCOMPLETE) == 0;
                trace_call_release(s.reader, call);
            }
            if (rc == 0) /* complete, or without any chunk */
                assert_true(calls == 50 || cut <= 2);
            assert_true(calls >= most);
            most = calls;
            trace_reader_close(s.reader);
        }
        assert_true(most >= 49);
    }
    s.reader = NULL;
    buf_fini(&file);
    stream_end(&s);
}

/* Events that are much longer than a chunk, in a file that is large enough to be read with threads. */
static void test_long_events(void **state)
{
    (void)state;
    struct stream s;
    size_t size = (size_t)9 << 20;
    uint8_t *blob = malloc(size);
    uint32_t noise = 7;
    assert_non_null(blob);
    for (size_t i = 0; i < size; ++i) {
        noise = noise * 1664525u + 1013904223u;
        blob[i] = (uint8_t)(noise >> 24);
    }
    stream_begin(&s);
    for (unsigned i = 0; i < 40; ++i) {
        trace_encode_enter(&s.encoder, 0, &sig, 0);
        trace_encode_arg(&s.encoder, 0);
        trace_encode_blob(&s.encoder, blob, i % 10 == 9 ? size : 70000 + i);
        trace_encode_end(&s.encoder);
        put_leave(&s, i);
    }
    assert_int_equal(stream_open(&s), 0);
    for (unsigned i = 0; i < 40; ++i) {
        const struct trace_call *call;
        assert_int_equal(trace_reader_next_call(s.reader, &call), 0);
        assert_int_equal(call->number, i);
        assert_int_equal(call->args[0].count, i % 10 == 9 ? size : 70000 + i);
        assert_memory_equal(call->args[0].u.blob, blob, (size_t)call->args[0].count);
        trace_call_release(s.reader, call);
    }
    expect_end(&s);
    stream_end(&s);
    free(blob);
}

/* --- versions -------------------------------------------------------------------------------------- */

static void open_raw(struct stream *s, const char *bytes, size_t count)
{
    memset(s, 0, sizeof *s);
    sample_file_open(&s->file);
    assert_int_equal(buf_append(&s->bytes, bytes, count), 0);
    assert_int_equal(stream_open(s), 0);
}

static const struct trace_call *next(struct stream *s)
{
    const struct trace_call *call;
    if (trace_reader_next_call(s->reader, &call) != 0)
        fail_msg("%s", trace_error_message());
    assert_non_null(call);
    return call;
}

/* Before version 3, an enum is a single name and value; before 4, the thread is a detail; before 6, there is
 * no semantic version. */
static void test_old_versions(void **state)
{
    (void)state;
    static const char version_2[] = "\2" /* version */
                                    "\0\5\2fn\1\1x"
                                    "\3\11"
                                    "\1\0\11\0\4NAME\4\52"
                                    "\0"             /* enter: thread 9, enum 42 */
                                    "\1\0\2\11\0\0"; /* leave: returns the same enum by its id */
    static const char version_5[] = "\5\0\11\5\2fn\0\4\1\3\1\1m\0\0\1\0\0";
    struct stream s;
    open_raw(&s, version_2, sizeof version_2 - 1);
    assert_int_equal(trace_reader_version(s.reader), 2);
    assert_int_equal(trace_reader_semantic_version(s.reader), 2);
    const struct trace_call *call = next(&s);
    assert_int_equal(call->thread, 9);
    assert_int_equal(call->args[0].type, TRACE_ENUM);
    assert_string_equal(call->args[0].sig.enumeration->names[0].name, "NAME");
    assert_int_equal(call->args[0].u.sint, 42);
    assert_int_equal(call->ret.u.sint, 42);
    trace_call_release(s.reader, call);
    stream_end(&s);

    open_raw(&s, version_5, sizeof version_5 - 1);
    assert_int_equal(trace_reader_semantic_version(s.reader), 5);
    call = next(&s);
    assert_int_equal(call->thread, 9);
    assert_string_equal(call->frames[0].module, "m");
    trace_call_release(s.reader, call);
    stream_end(&s);
}

/* --- damage ---------------------------------------------------------------------------------------- */

#define HEADER "\6\6\0"          /* version 6, semantic version 6, no properties */
#define ENTER  "\0\0\5\2fn\1\1x" /* thread 0, function 5: fn(x) */

static void test_damaged_events(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
        const char *message;
    } cases[] = {
#define CASE(text, message) {text, sizeof(text) - 1, message}
        CASE(HEADER "\7", "byte 3 of the event stream (chunk 0 at file offset 6): unknown event 0x07"),
        CASE(HEADER ENTER "\6\0", "call 0 (fn): unknown call detail 0x06"),
        CASE(HEADER ENTER "\3\1\0", "unknown call detail 0x03"),
        CASE(HEADER ENTER "\1\0\20\0", "argument 0: unknown value type 0x10"),
        CASE(HEADER ENTER "\1\1\0\0", "argument 1 is out of range: the function has 1"),
        CASE(HEADER ENTER "\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0",
             "is out of range: the function has 1"),
        CASE(HEADER ENTER "\1\0\4\xff\xff\xff\xff\xff\xff\xff\xff\xff\2\0", "more than 64 bits"),
        CASE(HEADER "\0\0\xff\xff\xff\xff\17\1", "function id 4294967295 is out of range"),
        CASE(HEADER "\0\xff\xff\xff\xff\x7f\1", "thread number"),
        CASE(HEADER ENTER "\1\0\7\xff\xff\xff\xff\xff\xff\1xyz", "an event has more than"),
        CASE(HEADER ENTER "\1\0\x0b\xff\xff\xff\xff\xff\xff\1xyz", "an event has more than"),
        CASE(HEADER ENTER "\1\0\11\0\1\1N\5....",
             "an enum's definition has a value of type 0x05, not an integer"),
        CASE(HEADER ENTER "\4\1\0\6", "unknown frame detail 0x06"),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct stream s;
        open_raw(&s, cases[i].bytes, cases[i].count);
        expect_error(&s, TRACE_ERR_FORMAT, cases[i].message);
        expect_error(&s, TRACE_ERR_FORMAT, cases[i].message); /* the error stays */
        stream_end(&s);
    }
}

/* Small values need more memory than bytes in the file, so their number is limited. */
static void test_many_values(void **state)
{
    (void)state;
    struct stream s;
    size_t count = ((size_t)1 << 24) + 1;
    stream_begin(&s);
    trace_encode_enter(&s.encoder, 0, &sig, 0);
    trace_encode_arg(&s.encoder, 0);
    trace_encode_array(&s.encoder, count);
    assert_int_equal(buf_reserve(&s.bytes, count), 0);
    memset(s.bytes.data + s.bytes.len, TRACE_NULL, count);
    s.bytes.len += count;
    assert_int_equal(stream_open(&s), 0);
    expect_error(&s, TRACE_ERR_FORMAT, "an event has too many values: 16777217");
    stream_end(&s);
}

static void test_deep_nesting(void **state)
{
    (void)state;
    struct stream s;
    stream_begin(&s);
    trace_encode_enter(&s.encoder, 0, &sig, 0);
    trace_encode_arg(&s.encoder, 0);
    for (unsigned i = 0; i < 400000; ++i)
        trace_encode_array(&s.encoder, 1);
    assert_int_equal(stream_open(&s), 0);
    expect_error(&s, TRACE_ERR_FORMAT, "nested deeper");
    stream_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leave_order),           cmocka_unit_test(test_every_truncation),
        cmocka_unit_test(test_every_file_truncation), cmocka_unit_test(test_long_events),
        cmocka_unit_test(test_old_versions),          cmocka_unit_test(test_damaged_events),
        cmocka_unit_test(test_deep_nesting),          cmocka_unit_test(test_many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
