/* SPDX-License-Identifier: MIT
 * Tests that seeking to calls and frames gives the same calls as reading from the start, with and without an
 * index.
 */
#include "base/error.h"
#include "seek_sample.h"
#include "formats/apitrace/copy/raw_event_copier.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const arg_names[] = {"value", "kind"};

static void check_from_start(const struct seek_sample *s)
{
    struct trace_reader *r = seek_sample_read(&s->indexed, true);
    seek_sample_expect(s, r, 0, 0, UINT32_MAX, true);
    trace_reader_close(r);
    r = seek_sample_read(&s->plain, false);
    seek_sample_expect(s, r, 0, 0, UINT32_MAX, false);
    trace_reader_close(r);
}

/* Seeks to each number with a new reader, then in any order with one reader. */
static void check_calls(const struct seek_sample *s)
{
    struct trace_reader *r;
    for (uint64_t n = 0; n < SEEK_CALLS + 3; n += n < 100 ? 1 : 13) {
        r = seek_sample_read(&s->indexed, n % 2 == 0);
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        seek_sample_expect(s, r, n, 0, n % 10 == 0 ? UINT32_MAX : 7, n % 2 == 0);
        trace_reader_close(r);
    }
    r = seek_sample_read(&s->indexed, true);
    for (uint64_t i = 0, n = 0; i < 400; ++i, n = n * 7919 % (SEEK_CALLS + 3) + i % 2) {
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        seek_sample_expect(s, r, n, 0, i % 5 == 0 ? UINT32_MAX : (unsigned)(i % 9), true);
    }
    trace_reader_close(r);
}

static void check_frames(const struct seek_sample *s)
{
    struct trace_reader *r = seek_sample_read(&s->indexed, true);
    for (uint64_t i = 0, f = 0; i < 300; ++i, f = (f * 31 + 11) % (s->frames + 3)) {
        assert_int_equal(trace_reader_seek_frame(r, f), 0);
        seek_sample_expect(s, r, 0, f, i % 4 == 0 ? UINT32_MAX : (unsigned)(i % 50), true);
        if (i % 3 == 0)
            assert_int_equal(trace_reader_seek_call(r, i), 0);
    }
    trace_reader_close(r);
}

static void check_without_index(const struct seek_sample *s)
{
    struct trace_reader *r = seek_sample_read(&s->plain, false);
    for (uint64_t i = 0, n = 0; i < 40; ++i, n = (n * 7919 + 17) % (SEEK_CALLS + 3)) {
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        seek_sample_expect(s, r, n, 0, i % 5 == 0 ? UINT32_MAX : (unsigned)(i % 9), false);
        uint64_t f = n % (s->frames + 2);
        assert_int_equal(trace_reader_seek_frame(r, f), 0);
        seek_sample_expect(s, r, 0, f, i % 6 == 0 ? UINT32_MAX : (unsigned)(i % 40), false);
    }
    trace_reader_close(r);
}

static void test_container(enum trace_container container)
{
    for (int tables = 0; tables < 2; ++tables) {
        struct seek_sample *s = seek_sample_new_changed(container, tables == 1, NULL);
        check_from_start(s);
        check_calls(s);
        check_frames(s);
        check_without_index(s);
        seek_sample_free(s);
    }
}

static void test_snappy(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_SNAPPY);
}

static void test_zlib(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_ZLIB);
}

static void test_brotli(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_BROTLI);
}

static void test_zstd(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_ZSTD);
}

/* Calls that were returned stay valid, with their signatures, when the reader goes back. A repeated
 * definition is the same signature, not a copy. */
static void test_signatures_stay(void **state)
{
    (void)state;
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_SNAPPY);
    for (int i = 0; i < 2; ++i) {
        struct trace_reader *r = seek_sample_read(i == 0 ? &s->indexed : &s->plain, false);
        const struct trace_call *held;
        const struct trace_call *again;
        assert_int_equal(trace_reader_seek_call(r, 777), 0);
        assert_int_equal(trace_reader_next_call(r, &held), 0);
        for (uint64_t n = 0; n < 3; ++n) {
            assert_int_equal(trace_reader_seek_call(r, n), 0);
            seek_sample_expect(s, r, n, 0, 900, false);
            assert_int_equal(trace_reader_seek_call(r, 777), 0);
            assert_int_equal(trace_reader_next_call(r, &again), 0);
            assert_int_equal(again->number, held->number);
            assert_ptr_equal(again->sig, held->sig);
            assert_ptr_equal(again->args[1].sig.enumeration, held->args[1].sig.enumeration);
            trace_call_release(r, again);
        }
        assert_string_equal(held->sig->name, "glFunction19");
        trace_call_release(r, held);
        trace_reader_close(r);
    }
    seek_sample_free(s);
}

/* What is before the target is not read: here it is damaged. */
static void test_jumps(void **state)
{
    (void)state;
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_SNAPPY);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    sample_file_get(&s->indexed, &bytes);
    memset(bytes.data + 2000, 0xff, 1000);
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = seek_sample_read(&s->indexed, true);
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    seek_sample_expect(s, r, 1000, 0, UINT32_MAX, true);
    assert_int_equal(trace_reader_seek_call(r, 0), 0);
    int rc;
    while ((rc = trace_reader_next_call(r, &call)) == 0 && call != NULL)
        trace_call_release(r, call);
    assert_int_equal(rc, TRACE_ERR_FORMAT);
    assert_int_equal(trace_reader_seek_call(r, 1100), 0);
    seek_sample_expect(s, r, 1100, 0, UINT32_MAX, true);
    trace_reader_close(r);
    buf_fini(&bytes);
    seek_sample_free(s);
}

/* With a set of calls, the reader may only leave out calls that are not in the set. */
static void test_wanted_calls(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned most; /* maximum number of calls that are read */
    } sets[] = {{"3,1190-", 600},  {"*/400", SEEK_CALLS},        {"0,600-605,1199", SEEK_CALLS},
                {"1000", 300},     {"5-700/frame", SEEK_CALLS},  {"1198,4", 600},
                {"602,1199", 700}, /* call 602 returns 40 calls later */
                {"5000", 100},     {"18446744073709551615", 100}};
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_ZSTD);
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; ++k) {
        struct trace_call_set set = {0};
        const struct trace_call *call;
        unsigned read = 0;
        unsigned i = 0;
        assert_int_equal(trace_call_set_parse(&set, sets[k].text), 0);
        struct trace_reader *r = seek_sample_read(&s->indexed, true);
        trace_reader_want_calls(r, &set);
        for (;; ++read) {
            assert_int_equal(trace_reader_next_call(r, &call), 0);
            while (i < SEEK_CALLS &&
                   !trace_call_set_contains(&set, s->calls[i].number,
                                            s->calls[i].number % 37 == 36 ? TRACE_CALL_END_FRAME : 0))
                ++i;
            if (call == NULL)
                break;
            if (trace_call_set_contains(&set, call->number, call->flags))
                seek_sample_expect_call(s, &s->calls[i++], call, true);
            trace_call_release(r, call);
        }
        assert_int_equal(i, SEEK_CALLS);
        assert_true(read <= sets[k].most);
        trace_call_set_fini(&set);
        trace_reader_close(r);
    }
    seek_sample_free(s);
}

/* Copies a set of calls, or of frames from `frame` on, to a trace. */
static void copy_some(const struct sample_file *from, const struct trace_call_set *set, uint64_t frame,
                      struct buf *out, unsigned *events_read)
{
    struct sample_file to;
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    struct trace_output *output;
    struct trace_copier *copier;
    uint64_t at_frame = 0;
    *events_read = 0;
    sample_file_open(&to);
    assert_int_equal(trace_raw_events_open(&events, from->path, true), 0);
    assert_int_equal(trace_output_open_fd(&output, to.fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_copier_open(&copier, events, output), 0);
    assert_int_equal(trace_copier_header(copier), 0);
    if (set != NULL)
        trace_raw_events_want_calls(events, set);
    else
        assert_int_equal(trace_raw_events_seek_frame(events, frame, &at_frame), 0);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL) {
        bool keep = set != NULL ? trace_call_set_contains(set, event->call,
                                                          event->sig != NULL ? event->sig->flags : 0)
                                : at_frame >= frame;
        assert_int_equal(trace_copier_event(copier, event, keep, NULL, 0), 0);
        if (event->tag == TRACE_RAW_EVENT_LEAVE && event->sig != NULL)
            at_frame += (event->sig->flags & TRACE_CALL_END_FRAME) != 0;
        ++*events_read;
    }
    assert_int_equal(trace_copier_flush(copier), 0);
    trace_copier_close(copier);
    assert_int_equal(trace_output_close(output), 0);
    trace_raw_events_close(events);
    sample_file_get(&to, out);
    sample_file_close(&to);
}

/* A copy of some calls is the same, names included, whether the calls before were read or skipped. */
static void test_copying(void **state)
{
    static const char *const sets[] = {"3,1190-", "*/400", "1000-1010", "1198,4", "602,1199"};
    struct seek_sample *s = seek_sample_new_changed(TRACE_CONTAINER_SNAPPY, *(const bool *)*state, NULL);
    for (uint64_t k = 0; k < 5 + s->frames; ++k) {
        struct trace_call_set set = {0};
        struct buf read = BUF_INIT, passed = BUF_INIT;
        unsigned all, some;
        if (k < 5)
            assert_int_equal(trace_call_set_parse(&set, sets[k]), 0);
        copy_some(&s->plain, k < 5 ? &set : NULL, k - 5, &read, &all);
        copy_some(&s->indexed, k < 5 ? &set : NULL, k - 5, &passed, &some);
        assert_int_equal(read.len, passed.len);
        assert_memory_equal(read.data, passed.data, read.len);
        if (k == 2 || k > 15)
            assert_true(some < all - 200);
        buf_fini(&read);
        buf_fini(&passed);
        trace_call_set_fini(&set);
    }
    seek_sample_free(s);
}

#define LARGE_CALLS 6000
#define LARGE_BLOB  2000

/* Incompressible blobs. The file is large enough for threads that decompress ahead. */
static void encode_large(struct buf *stream)
{
    static const struct trace_function_sig sig = {.name = "glData", .arg_count = 1, .arg_names = arg_names};
    struct trace_encoder e;
    uint8_t blob[LARGE_BLOB];
    uint32_t random = 1;
    trace_encoder_init(&e, stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t n = 0; n < LARGE_CALLS; ++n) {
        for (size_t i = 0; i < sizeof blob; ++i)
            blob[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        trace_encode_enter(&e, 0, &sig, 0);
        trace_encode_arg(&e, 0);
        trace_encode_blob(&e, blob, sizeof blob);
        trace_encode_end(&e);
        trace_encode_leave(&e, n);
        trace_encode_end(&e);
    }
    trace_encoder_fini(&e);
}

/* The reader repeatedly leaves a place from which threads read ahead. */
static void test_read_ahead(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file plain, indexed;
    struct trace_index_builder *b;
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    const struct trace_call *call;
    encode_large(&stream);
    seek_sample_write(&plain, &stream, TRACE_CONTAINER_SNAPPY, NULL);
    assert_int_equal(trace_index_builder_new(&b), 0);
    assert_int_equal(trace_raw_events_open(&events, plain.path, false), 0);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL)
        assert_int_equal(trace_index_builder_add(b, event), 0);
    trace_raw_events_close(events);
    seek_sample_write(&indexed, &stream, TRACE_CONTAINER_SNAPPY, b);
    trace_index_builder_free(b);
    struct trace_reader *r = seek_sample_read(&indexed, false);
    for (uint64_t i = 0, n = 0; i < 24; ++i, n = (n * 7919 + 4001) % LARGE_CALLS) {
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        for (uint64_t k = n; k < n + i * 30 && k < LARGE_CALLS; ++k) {
            assert_int_equal(trace_reader_next_call(r, &call), 0);
            assert_non_null(call);
            assert_int_equal(call->number, k);
            trace_call_release(r, call);
        }
    }
    trace_reader_close(r);
    sample_file_close(&plain);
    sample_file_close(&indexed);
    buf_fini(&stream);
}

/* A pipe can only be read forward. */
static void test_pipe(void **state)
{
    (void)state;
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_SNAPPY);
    struct trace_reader *r;
    char command[80];
    char path[40];
    snprintf(command, sizeof command, "cat /proc/%d/fd/%d", (int)getpid(), s->indexed.fd);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(pipe));
    assert_int_equal(trace_reader_open(&r, path), 0);
    assert_int_equal(trace_reader_seek_call(r, 100), 0);
    seek_sample_expect(s, r, 100, 0, 20, false);
    assert_int_equal(trace_reader_seek_frame(r, 20), 0);
    seek_sample_expect(s, r, 0, 20, 3, false);
    assert_int_equal(trace_reader_seek_call(r, 5), TRACE_ERR_UNSUPPORTED);
    assert_non_null(strstr(trace_error_message(), "pipe"));
    trace_reader_close(r);
    pclose(pipe);
    seek_sample_free(s);
}

int main(void)
{
    static bool without_tables = false;
    static bool with_tables = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snappy),
        cmocka_unit_test(test_zlib),
        cmocka_unit_test(test_brotli),
        cmocka_unit_test(test_zstd),
        cmocka_unit_test(test_signatures_stay),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_wanted_calls),
        cmocka_unit_test_prestate(test_copying, &without_tables),
        cmocka_unit_test_prestate(test_copying, &with_tables),
        cmocka_unit_test(test_read_ahead),
        cmocka_unit_test(test_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
