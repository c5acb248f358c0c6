/* SPDX-License-Identifier: MIT
 * Tests seeking to frames of a trace in which each call ends one, and of a trace without frames.
 */
#include "formats/apitrace/index/index_format.h"
#include "seek_sample.h"

#include "cmocka_all.h"

#include <string.h>

#define CALLS         400
#define SEGMENT_BYTES 100
#define SEGMENT_CALLS 40 /* it has fewer */

/* Encodes consecutive calls of one function. */
static void encode_calls(struct buf *stream, const char *name)
{
    const struct trace_function_sig sig = {.name = name};
    struct trace_encoder e;
    trace_encoder_init(&e, stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t n = 0; n < CALLS; ++n) {
        trace_encode_enter(&e, 0, &sig, 0);
        trace_encode_end(&e);
        trace_encode_leave(&e, n);
        trace_encode_end(&e);
    }
    trace_encoder_fini(&e);
}

static void write_indexed(struct sample_file *indexed, const char *name)
{
    struct buf stream = BUF_INIT;
    struct sample_file plain;
    struct trace_index_builder *b;
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    encode_calls(&stream, name);
    seek_sample_write(&plain, &stream, TRACE_CONTAINER_SNAPPY, NULL);
    assert_int_equal(trace_index_builder_new(&b), 0);
    trace_index_builder_set_segment_bytes(b, SEGMENT_BYTES);
    assert_int_equal(trace_raw_events_open(&events, plain.path, false), 0);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL)
        assert_int_equal(trace_index_builder_add(b, event), 0);
    trace_raw_events_close(events);
    seek_sample_write(indexed, &stream, TRACE_CONTAINER_SNAPPY, b);
    trace_index_builder_free(b);
    sample_file_close(&plain);
    buf_fini(&stream);
}

/* Events begin at the frame's segment, not at the start of the file. */
static void test_events(void **state)
{
    (void)state;
    struct sample_file file;
    write_indexed(&file, "glXSwapBuffers");
    for (uint64_t frame = 0; frame < CALLS; ++frame) {
        struct trace_raw_events *events;
        const struct trace_raw_event *event;
        uint64_t before;
        assert_int_equal(trace_raw_events_open(&events, file.path, false), 0);
        assert_int_equal(trace_raw_events_seek_frame(events, frame, &before), 0);
        assert_in_range(before, frame > SEGMENT_CALLS ? frame - SEGMENT_CALLS : 0, frame);
        assert_int_equal(trace_raw_events_next(events, &event), 0);
        assert_int_equal(event->tag, TRACE_RAW_EVENT_ENTER);
        assert_int_equal(event->call, before);
        trace_raw_events_close(events);
    }
    sample_file_close(&file);
}

static void expect_call(struct trace_reader *r, uint64_t number, uint64_t frame)
{
    const struct trace_call *call;
    assert_int_equal(trace_reader_next_call(r, &call), 0);
    assert_non_null(call);
    assert_int_equal(call->number, number);
    assert_int_equal(trace_reader_frame(r), frame);
    trace_call_release(r, call);
}

static void test_calls(void **state)
{
    (void)state;
    struct sample_file file;
    write_indexed(&file, "glXSwapBuffers");
    struct trace_reader *r = seek_sample_read(&file, false);
    for (uint64_t i = 0, frame = 0; i < CALLS; ++i, frame = (frame * 31 + 11) % CALLS) {
        assert_int_equal(trace_reader_seek_frame(r, frame), 0);
        for (uint64_t n = frame; n < frame + i % 7 && n < CALLS; ++n)
            expect_call(r, n, n);
    }
    trace_reader_close(r);
    sample_file_close(&file);
}

/* All calls are in frame 0. Wherever the index is damaged, a seek to the frame goes to its first call, also
 * from the middle of the frame. */
static void test_damaged_index(void **state)
{
    (void)state;
    struct sample_file file;
    struct buf bytes = BUF_INIT;
    write_indexed(&file, "glFlush");
    sample_file_get(&file, &bytes);
    const uint8_t *head = memmem(bytes.data, bytes.len, trace_index_head, sizeof trace_index_head);
    assert_non_null(head);
    for (size_t at = (size_t)(head - bytes.data); at < bytes.len; ++at) {
        bytes.data[at] ^= 0x10;
        sample_file_set(&file, bytes.data, bytes.len);
        bytes.data[at] ^= 0x10;
        struct trace_reader *r = seek_sample_read(&file, false);
        for (uint64_t read = 0; read < 3; ++read) {
            assert_int_equal(trace_reader_seek_call(r, CALLS - 50), 0);
            for (uint64_t n = 0; n < read; ++n)
                expect_call(r, CALLS - 50 + n, 0);
            assert_int_equal(trace_reader_seek_frame(r, 0), 0);
            expect_call(r, 0, 0);
        }
        trace_reader_close(r);
    }
    sample_file_close(&file);
    buf_fini(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_damaged_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
