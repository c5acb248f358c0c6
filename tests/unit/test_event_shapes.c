/* SPDX-License-Identifier: MIT
 * Tests that events that are skipped by their shape are exactly those that a scan finds, and that rejected
 * events are reported as by the reader, in streams with many calls of the same shape and with almost the same
 * shape.
 */
#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/format.h"
#include "formats/apitrace/read/reader.h"
#include "alike_stream.h"
#include "trace_samples.h"

#include "cmocka_all.h"
#include "next_random.h"

#include <stdio.h>
#include <string.h>

#define CALLS     ALIKE_CALLS
#define MUTATIONS 1000

static const char *const one_name[] = {"a"};

/* --- what is found in it --------------------------------------------------------------------------- */

struct findings {
    int rc;
    char message[512];
    uint64_t calls;  /* number of calls that returned */
    uint64_t digest; /* of the numbers and functions of these calls, in the order in which they return */
    uint64_t passed; /* number of calls that were skipped */
};

static void finish(struct findings *f, int rc)
{
    f->rc = rc;
    snprintf(f->message, sizeof f->message, "%s", rc != 0 ? trace_error_message() : "");
}

/* The digest has functions only of calls that are not skipped. */
static void add_call(struct findings *f, uint64_t number)
{
    f->calls++;
    f->digest = f->digest * 1099511628211u + number;
}

static struct findings read_calls(const char *path)
{
    struct findings f = {0};
    struct trace_reader *reader;
    const struct trace_call *call;
    int rc = trace_reader_open(&reader, path);
    if (rc != 0) {
        finish(&f, rc);
        return f;
    }
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL) {
        add_call(&f, call->number);
        trace_call_release(reader, call);
    }
    finish(&f, rc);
    trace_reader_close(reader);
    return f;
}

static void pass_known(struct trace_raw_events *e, struct findings *f)
{
    uint64_t first;
    uint64_t count = trace_raw_events_pass_known(e, UINT64_MAX, &first);
    for (uint64_t i = 0; i < count; ++i)
        add_call(f, first + i);
    f->passed += count;
}

static struct findings read_events(const char *path, bool marks, bool pass)
{
    struct findings f = {0};
    struct trace_raw_events *e;
    const struct trace_raw_event *event;
    struct trace_raw_event rest;
    int rc = trace_raw_events_open(&e, path, marks);
    if (rc != 0) {
        finish(&f, rc);
        return f;
    }
    while ((rc = trace_raw_events_next(e, &event)) == 0 && event != NULL) {
        if (event->tag == TRACE_RAW_EVENT_LEAVE && event->sig != NULL)
            add_call(&f, event->call);
        if (pass)
            pass_known(e, &f);
    }
    finish(&f, rc);
    while (rc == 0 && trace_raw_events_next_incomplete(e, &rest))
        add_call(&f, rest.call);
    trace_raw_events_close(e);
    return f;
}

static void check_same(const struct findings *a, const struct findings *b)
{
    assert_string_equal(a->message, b->message);
    assert_int_equal(a->rc, b->rc);
    assert_int_equal(a->calls, b->calls);
    assert_int_equal(a->digest, b->digest);
}

/* Returns how many calls were skipped. */
static uint64_t check_file(const struct sample_file *file, bool *sound)
{
    struct findings expected = read_calls(file->path);
    struct findings marked = read_events(file->path, true, true);
    struct findings plain = read_events(file->path, false, false);
    struct findings passed = read_events(file->path, false, true);
    check_same(&marked, &expected);
    check_same(&plain, &expected);
    check_same(&passed, &expected);
    assert_int_equal(marked.passed, 0);
    *sound = expected.rc == 0;
    return passed.passed;
}

static uint64_t check_stream(struct sample_file *file, const struct buf *stream, bool *sound)
{
    sample_file_pack(file, TRACE_CONTAINER_SNAPPY, stream->data, stream->len);
    return check_file(file, sound);
}

/* --- tests ----------------------------------------------------------------------------------------- */

static void test_passes(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    bool sound;
    sample_file_open(&file);
    alike_stream_make(&stream);
    assert_true(check_stream(&file, &stream, &sound) > CALLS / 2);
    assert_true(sound);
    sample_file_close(&file);
    buf_fini(&stream);
}

static size_t function_index(const struct trace_function_sig *sig)
{
    size_t i = 0;
    while (i < ALIKE_FUNCTIONS && strcmp(alike_functions[i].name, sig->name) != 0)
        ++i;
    assert_true(i < ALIKE_FUNCTIONS);
    return i;
}

/* When skipped calls are listed, their functions, threads and sizes are right. */
static void test_list(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    struct trace_reader *reader;
    struct trace_raw_events *e;
    const struct trace_call *call;
    const struct trace_raw_event *event;
    uint64_t expected[ALIKE_FUNCTIONS][2] = {{0}}; /* per thread */
    uint64_t found[ALIKE_FUNCTIONS][2] = {{0}};
    size_t bytes;
    size_t listed = 0;
    sample_file_open(&file);
    alike_stream_make(&stream);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    assert_int_equal(trace_reader_open(&reader, file.path), 0);
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        expected[function_index(call->sig)][call->thread]++;
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    assert_int_equal(trace_raw_events_open(&e, file.path, false), 0);
    trace_raw_events_header(e, &bytes);
    while (trace_raw_events_next(e, &event) == 0 && event != NULL) {
        struct trace_known_call calls[3];
        uint64_t first;
        size_t count;
        bytes += event->size;
        if (event->tag == TRACE_RAW_EVENT_LEAVE)
            found[function_index(event->sig)][event->thread]++;
        while ((count = trace_raw_events_list_known(e, calls, 3, &first)) > 0)
            for (size_t i = 0; i < count; ++i, ++listed) {
                found[function_index(calls[i].sig)][calls[i].thread]++;
                bytes += calls[i].size;
            }
    }
    trace_raw_events_close(e);
    assert_memory_equal(found, expected, sizeof found);
    assert_int_equal(bytes, stream.len);
    assert_true(listed > CALLS / 2);
    sample_file_close(&file);
    buf_fini(&stream);
}

static void test_mutations(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct buf mutated = BUF_INIT;
    struct sample_file file;
    unsigned sound_count = 0;
    uint64_t passed = 0;
    sample_file_open(&file);
    alike_stream_make(&stream);
    for (unsigned i = 0; i < MUTATIONS; ++i) {
        bool sound;
        buf_clear(&mutated);
        assert_int_equal(buf_append(&mutated, stream.data, stream.len), 0);
        alike_stream_mutate(&mutated);
        passed += check_stream(&file, &mutated, &sound);
        sound_count += sound;
    }
    assert_true(sound_count > MUTATIONS / 8 && sound_count < MUTATIONS * 7 / 8);
    assert_true(passed > MUTATIONS * (CALLS / 8));
    sample_file_close(&file);
    buf_fini(&mutated);
    buf_fini(&stream);
}

/* Values of every type, few of which can have a shape. */
static void test_sample_mutations(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct buf mutated = BUF_INIT;
    struct sample_file file;
    sample_file_open(&file);
    sample_encode_stream(&stream);
    for (unsigned i = 0; i < MUTATIONS / 2; ++i) {
        bool sound;
        buf_clear(&mutated);
        assert_int_equal(buf_append(&mutated, stream.data, stream.len), 0);
        alike_stream_mutate(&mutated);
        check_stream(&file, &mutated, &sound);
    }
    sample_file_close(&file);
    buf_fini(&mutated);
    buf_fini(&stream);
}

/* Only one bit of a number's tenth byte is valid. After many valid numbers comes an invalid one. */
static void test_largest_numbers(void **state)
{
    (void)state;
    static const struct trace_property none;
    static const struct trace_function_sig sig = {.name = "glF", .arg_count = 1, .arg_names = one_name};
    struct sample_file file;
    sample_file_open(&file);
    for (int wrong = 0; wrong < 2; ++wrong) {
        struct buf stream = BUF_INIT;
        struct trace_encoder e;
        bool sound;
        trace_encoder_init(&e, &stream);
        trace_encode_header(&e, 6, &none, 0);
        for (uint64_t i = 0; i < CALLS; ++i) {
            trace_encode_enter(&e, 0, &sig, 0);
            trace_encode_arg(&e, 0);
            trace_encode_uint(&e, UINT64_MAX - i);
            if (wrong && i == CALLS - CALLS / 4)
                stream.data[stream.len - 1] = 2;
            trace_encode_end(&e);
            trace_encode_leave(&e, i);
            trace_encode_end(&e);
        }
        check_stream(&file, &stream, &sound);
        assert_int_equal(sound, !wrong);
        trace_encoder_fini(&e);
        buf_fini(&stream);
    }
    sample_file_close(&file);
}

/* The thread's number has two bytes, the second of which looks like the id of another function, and an
 * argument looks like the leave event. The bytes must not be skipped as a call of that function. */
static void test_long_thread(void **state)
{
    (void)state;
    static const struct trace_property none;
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static const struct trace_function_sig with_args = {.name = "glF", .arg_count = 5, .arg_names = names};
    static const struct trace_function_sig without = {.id = 1, .name = "glG"};
    struct sample_file file;
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    bool sound;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, &none, 0);
    for (uint64_t i = 0; i < CALLS; ++i) {
        trace_encode_enter(&e, i == 4 ? 0xc8 : 0, i == 0 || i == 4 ? &with_args : &without, 0);
        if (i == 4) {
            trace_encode_arg(&e, 4);
            trace_encode_null(&e);
        }
        trace_encode_end(&e);
        trace_encode_leave(&e, i);
        trace_encode_end(&e);
    }
    sample_file_open(&file);
    assert_true(check_stream(&file, &stream, &sound) > CALLS / 2);
    assert_true(sound);
    sample_file_close(&file);
    trace_encoder_fini(&e);
    buf_fini(&stream);
}

/* A definition contains bytes that look like another argument, and would end behind its event. A call that
 * does have this argument must not be taken for one with the definition. */
static void test_definition_like_values(void **state)
{
    (void)state;
    static const struct trace_property none;
    static const char *const names[] = {"a", "b", "c"};
    static const struct trace_function_sig sig = {.name = "glF", .arg_count = 3, .arg_names = names};
    static const struct trace_flag_name flag = {"\1", TRACE_DOUBLE};
    static const struct trace_bitmask_sig bits = {0, 1, &flag};
    struct sample_file file;
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    bool sound;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, &none, 0);
    for (uint64_t i = 0; i < CALLS; ++i) {
        trace_encode_enter(&e, 0, &sig, 0);
        trace_encode_arg(&e, 0);
        trace_encode_bitmask(&e, &bits, 1);
        for (unsigned arg = 1; arg < 3 && i > 0; ++arg) {
            trace_encode_arg(&e, arg);
            trace_encode_double(&e, 1.5);
        }
        trace_encode_end(&e);
        trace_encode_leave(&e, i);
        trace_encode_end(&e);
    }
    sample_file_open(&file);
    assert_true(check_stream(&file, &stream, &sound) > CALLS / 2);
    assert_true(sound);
    sample_file_close(&file);
    trace_encoder_fini(&e);
    buf_fini(&stream);
}

static void put_32(uint8_t *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; ++i)
        out[i] = (uint8_t)(value >> (8 * i));
}

/* Packs the stream as one chunk, whose Snappy block is one literal. */
static void pack_whole(struct sample_file *f, const struct buf *stream)
{
    struct buf file = BUF_INIT;
    uint8_t head[32] = {'a', 't'};
    size_t used = 6 + varint_put(head + 6, stream->len);
    head[used] = 63 << 2;
    put_32(head + used + 1, (uint32_t)stream->len - 1);
    used += 5;
    put_32(head + 2, (uint32_t)(used - 6 + stream->len));
    assert_int_equal(buf_append(&file, head, used), 0);
    assert_int_equal(buf_append(&file, stream->data, stream->len), 0);
    sample_file_set(f, file.data, file.len);
    buf_fini(&file);
}

/* More values than an event may have if the parser does not pack them. */
static void test_many_values(void **state)
{
    (void)state;
    static const struct trace_property none;
    static const struct trace_function_sig sig = {.name = "glF", .arg_count = 1, .arg_names = one_name};
    struct sample_file file;
    sample_file_open(&file);
    for (int packed = 0; packed < 2; ++packed) {
        struct buf stream = BUF_INIT;
        struct trace_encoder e;
        bool sound;
        trace_encoder_init(&e, &stream);
        trace_encode_header(&e, 6, &none, 0);
        trace_encode_enter(&e, 0, &sig, 0);
        trace_encode_arg(&e, 0);
        trace_encode_array(&e, TRACE_ITEMS_LIMIT + 1);
        for (uint64_t i = 0; i <= TRACE_ITEMS_LIMIT; ++i)
            packed ? trace_encode_uint(&e, 1) : trace_encode_null(&e);
        trace_encode_end(&e);
        pack_whole(&file, &stream);
        check_file(&file, &sound);
        assert_int_equal(sound, packed);
        trace_encoder_fini(&e);
        buf_fini(&stream);
    }
    sample_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),      cmocka_unit_test(test_list),
        cmocka_unit_test(test_mutations),   cmocka_unit_test(test_sample_mutations),
        cmocka_unit_test(test_many_values), cmocka_unit_test(test_largest_numbers),
        cmocka_unit_test(test_long_thread), cmocka_unit_test(test_definition_like_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
