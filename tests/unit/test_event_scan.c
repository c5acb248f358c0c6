/* SPDX-License-Identifier: MIT
 * Tests raw events: together they are the stream, they stop where calls stop, and a copy of some of them is a
 * trace again.
 */
#include "base/error.h"
#include "formats/apitrace/copy/raw_event_copier.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads all events. *stream, unless NULL, gets the header and the bytes of the events. */
static int read_events(const char *path, bool marks, struct buf *stream, uint64_t *events)
{
    struct trace_raw_events *e;
    const struct trace_raw_event *event;
    size_t size;
    *events = 0;
    int rc = trace_raw_events_open(&e, path, marks);
    if (rc != 0)
        return rc;
    const uint8_t *header = trace_raw_events_header(e, &size);
    if (stream != NULL)
        assert_int_equal(buf_append(stream, header, size), 0);
    while ((rc = trace_raw_events_next(e, &event)) == 0 && event != NULL) {
        if (stream != NULL) {
            assert_int_equal(event->offset, stream->len);
            assert_int_equal(buf_append(stream, event->bytes, event->size), 0);
        }
        for (size_t i = 0; i < event->mark_count; ++i)
            assert_true(event->marks[i].at + event->marks[i].size <= event->size);
        ++*events;
    }
    trace_raw_events_close(e);
    return rc;
}

static int read_calls(const char *path, uint64_t *calls)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    *calls = 0;
    int rc = trace_reader_open(&reader, path);
    if (rc != 0)
        return rc;
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL) {
        trace_call_release(reader, call);
        ++*calls;
    }
    trace_reader_close(reader);
    return rc;
}

static void test_whole_stream(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    sample_encode_stream(&stream);
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    for (int marks = 0; marks < 2; ++marks) {
        struct buf back = BUF_INIT;
        uint64_t events;
        assert_int_equal(read_events(file.path, marks != 0, &back, &events), 0);
        assert_int_equal(events, 2 * SAMPLE_CALLS);
        assert_int_equal(back.len, stream.len);
        assert_memory_equal(back.data, stream.data, stream.len);
        buf_fini(&back);
    }
    sample_file_close(&file);
    buf_fini(&stream);
}

/* Chunks of a few bytes, so each event begins in one chunk and ends in another. */
static void test_small_chunks(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct buf back = BUF_INIT;
    struct sample_file file;
    struct trace_output *out;
    uint64_t events;
    sample_encode_stream(&stream);
    sample_file_open(&file);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_SNAPPY, -1, 0), 0);
    for (size_t i = 0; i < stream.len; i += 7) {
        size_t n = stream.len - i < 7 ? stream.len - i : 7;
        assert_int_equal(trace_output_write(out, stream.data + i, n), 0);
        assert_int_equal(trace_output_flush(out), 0);
    }
    assert_int_equal(trace_output_close(out), 0);
    assert_int_equal(read_events(file.path, true, &back, &events), 0);
    assert_int_equal(back.len, stream.len);
    assert_memory_equal(back.data, stream.data, stream.len);
    sample_file_close(&file);
    buf_fini(&back);
    buf_fini(&stream);
}

/* The reader of events and the reader of calls agree on whether a stream is sound, wherever it is cut or
 * changed. */
static void test_agreement(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    unsigned sound = 0;
    unsigned bad = 0;
    sample_encode_stream(&stream);
    sample_file_open(&file);
    for (size_t i = 0; i < stream.len; ++i) {
        uint64_t events;
        uint64_t calls;
        uint8_t old = stream.data[i];
        bool cut = i % 3 == 0;
        stream.data[i] = (uint8_t)(old ^ (1u << i % 8));
        sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, cut ? i + 1 : stream.len);
        int events_rc = read_events(file.path, true, NULL, &events);
        int calls_rc = read_calls(file.path, &calls);
        assert_int_equal(events_rc, calls_rc);
        sound += calls_rc == 0;
        bad += calls_rc != 0;
        stream.data[i] = old;
    }
    assert_true(sound > 100 && bad > 100);
    sample_file_close(&file);
    buf_fini(&stream);
}

/* --- copying --------------------------------------------------------------------------------------- */

/* Copies every step-th call, starting with call `first`. */
static void copy_some(const struct sample_file *in, struct sample_file *out, uint64_t first, uint64_t step)
{
    struct trace_raw_events *e;
    struct trace_output *o;
    struct trace_copier *c;
    const struct trace_raw_event *event;
    sample_file_open(out);
    assert_int_equal(trace_raw_events_open(&e, in->path, true), 0);
    assert_int_equal(trace_output_open_fd(&o, out->fd, TRACE_CONTAINER_SNAPPY, -1, 0), 0);
    assert_int_equal(trace_copier_open(&c, e, o), 0);
    assert_int_equal(trace_copier_header(c), 0);
    while (trace_raw_events_next(e, &event) == 0 && event != NULL) {
        bool keep = event->call >= first && (event->call - first) % step == 0;
        assert_int_equal(trace_copier_event(c, event, keep, NULL, 0), 0);
    }
    assert_int_equal(trace_copier_flush(c), 0);
    assert_int_equal(trace_copier_pending(c), 0);
    trace_copier_close(c);
    assert_int_equal(trace_output_close(o), 0);
    trace_raw_events_close(e);
}

/* Encodes the call with all its definitions, so the bytes do not depend on earlier calls. */
static void encode_alone(const struct trace_call *call, struct buf *out)
{
    struct trace_encoder encoder;
    trace_encoder_init(&encoder, out);
    trace_encode_call_enter(&encoder, call);
    trace_encode_call_leave(&encoder, 0, call, false);
    assert_false(encoder.failed);
    trace_encoder_fini(&encoder);
}

/* Calls keep their values, names and backtraces, whichever calls around them are left out. */
static void test_copy_some(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    sample_encode_stream(&stream);
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    for (uint64_t first = 0; first < SAMPLE_CALLS; ++first)
        for (uint64_t step = 1; step < 9; step += 3) {
            struct sample_file some;
            struct trace_reader *a;
            struct trace_reader *b;
            const struct trace_call *x;
            const struct trace_call *y;
            uint64_t number = 0;
            copy_some(&file, &some, first, step);
            assert_int_equal(trace_reader_open(&a, file.path), 0);
            assert_int_equal(trace_reader_open(&b, some.path), 0);
            while (trace_reader_next_call(a, &x) == 0 && x != NULL) {
                struct buf expected = BUF_INIT;
                struct buf found = BUF_INIT;
                if (x->number >= first && (x->number - first) % step == 0) {
                    assert_int_equal(trace_reader_next_call(b, &y), 0);
                    assert_non_null(y);
                    assert_int_equal(y->number, number++);
                    encode_alone(x, &expected);
                    encode_alone(y, &found);
                    assert_int_equal(expected.len, found.len);
                    assert_memory_equal(expected.data, found.data, found.len);
                    trace_call_release(b, y);
                }
                buf_fini(&expected);
                buf_fini(&found);
                trace_call_release(a, x);
            }
            assert_int_equal(trace_reader_next_call(b, &y), 0);
            assert_null(y);
            trace_reader_close(a);
            trace_reader_close(b);
            sample_file_close(&some);
        }
    sample_file_close(&file);
    buf_fini(&stream);
}

/* Overlapping threads, a call that never returns, and a leave event without an enter event. */
static void test_overlap(void **state)
{
    (void)state;
    static const struct trace_function_sig sig = {.id = 3, .name = "glFlush"};
    static const struct trace_property none;
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct sample_file file;
    struct sample_file some;
    struct trace_reader *reader;
    const struct trace_call *call;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, &none, 0);
    for (uint32_t i = 0; i < 6; ++i) {
        trace_encode_enter(&e, i, &sig, 0);
        trace_encode_end(&e);
    }
    static const uint64_t leaves[] = {4, 0, 77, 2, 3, 5};
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; ++i) {
        trace_encode_leave(&e, leaves[i]);
        trace_encode_end(&e);
    }
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    copy_some(&file, &some, 2, 2); /* calls 2 and 4 */
    assert_int_equal(trace_reader_open(&reader, some.path), 0);
    static const uint32_t threads[] = {4, 2};
    for (unsigned i = 0; i < 2; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_int_equal(call->number, 1 - i);
        assert_int_equal(call->thread, threads[i]);
        assert_string_equal(call->sig->name, "glFlush");
        trace_call_release(reader, call);
    }
    assert_int_equal(trace_reader_next_call(reader, &call), 0);
    assert_null(call);
    trace_reader_close(reader);

    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    struct trace_raw_event rest;
    assert_int_equal(trace_raw_events_open(&events, file.path, false), 0);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL)
        assert_true((event->sig == NULL) == (event->call == 77));
    assert_true(trace_raw_events_next_incomplete(events, &rest));
    assert_int_equal(rest.call, 1);
    assert_int_equal(rest.thread, 1);
    assert_false(trace_raw_events_next_incomplete(events, &rest));
    trace_raw_events_close(events);
    sample_file_close(&some);
    sample_file_close(&file);
    trace_encoder_fini(&e);
    buf_fini(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_stream), cmocka_unit_test(test_small_chunks),
        cmocka_unit_test(test_agreement),    cmocka_unit_test(test_copy_some),
        cmocka_unit_test(test_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
