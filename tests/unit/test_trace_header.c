/* SPDX-License-Identifier: MIT
 * Tests the header of a trace, which may be split between chunks, or cut off, anywhere.
 */
#include "base/error.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#define PROPERTIES 20 /* more than the first allocation holds */

static void make_header(struct buf *stream, size_t *size)
{
    static char names[PROPERTIES][16];
    struct trace_property properties[PROPERTIES];
    struct trace_encoder e;
    for (unsigned i = 0; i < PROPERTIES; ++i) {
        snprintf(names[i], sizeof names[i], "name.%u", i);
        properties[i] = (struct trace_property){.name = names[i], .value = names[PROPERTIES - 1 - i]};
    }
    const struct trace_function_sig sig = {.name = "glFlush"};
    trace_encoder_init(&e, stream);
    trace_encode_header(&e, 5, properties, PROPERTIES);
    *size = stream->len;
    trace_encode_enter(&e, 0, &sig, 0);
    trace_encode_end(&e);
    trace_encode_leave(&e, 0);
    trace_encode_end(&e);
    trace_encoder_fini(&e);
}

static void write_chunks(struct sample_file *f, enum trace_container container, const struct buf *stream,
                         size_t first, size_t second)
{
    struct trace_output *out;
    sample_file_open(f);
    assert_int_equal(trace_output_open_fd(&out, f->fd, container, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(out, stream->data, first), 0);
    assert_int_equal(trace_output_flush(out), 0);
    assert_int_equal(trace_output_write(out, stream->data + first, second - first), 0);
    assert_int_equal(trace_output_flush(out), 0);
    assert_int_equal(trace_output_write(out, stream->data + second, stream->len - second), 0);
    assert_int_equal(trace_output_close(out), 0);
}

static void expect_whole(const struct sample_file *f, size_t header_size)
{
    struct trace_reader *r;
    struct trace_raw_events *events;
    const struct trace_property *found;
    const struct trace_call *call;
    size_t size;
    assert_int_equal(trace_reader_open(&r, f->path), 0);
    assert_int_equal(trace_reader_version(r), 6);
    assert_int_equal(trace_reader_semantic_version(r), 5);
    assert_int_equal(trace_reader_properties(r, &found), PROPERTIES);
    for (unsigned i = 0; i < PROPERTIES; ++i) {
        char name[16], value[16];
        snprintf(name, sizeof name, "name.%u", i);
        snprintf(value, sizeof value, "name.%u", PROPERTIES - 1 - i);
        assert_string_equal(found[i].name, name);
        assert_string_equal(found[i].value, value);
    }
    assert_int_equal(trace_reader_next_call(r, &call), 0);
    assert_string_equal(call->sig->name, "glFlush");
    trace_call_release(r, call);
    trace_reader_close(r);
    assert_int_equal(trace_raw_events_open(&events, f->path, false), 0);
    trace_raw_events_header(events, &size);
    assert_int_equal(size, header_size);
    trace_raw_events_close(events);
}

static void test_chunks(void **state)
{
    struct buf stream = BUF_INIT;
    size_t size;
    (void)state;
    make_header(&stream, &size);
    for (size_t first = 1; first < size; ++first)
        for (size_t second = first + 1; second <= size; second += 1 + (second - first) * 2) {
            struct sample_file file;
            write_chunks(&file, TRACE_CONTAINER_SNAPPY, &stream, first, second);
            expect_whole(&file, size);
            sample_file_close(&file);
        }
    buf_fini(&stream);
}

static void test_cut_off(void **state)
{
    struct buf stream = BUF_INIT;
    struct sample_file file;
    struct trace_reader *r;
    size_t size;
    (void)state;
    make_header(&stream, &size);
    sample_file_open(&file);
    for (size_t left = 1; left < size; ++left) {
        sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, left);
        assert_int_equal(trace_reader_open(&r, file.path), TRACE_ERR_TRUNCATED);
        assert_non_null(strstr(trace_error_message(), "ends inside its header"));
    }
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, size);
    assert_int_equal(trace_reader_open(&r, file.path), 0);
    trace_reader_close(r);
    sample_file_close(&file);
    buf_fini(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
