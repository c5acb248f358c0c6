/* SPDX-License-Identifier: MIT
 * Tests every value type: written, read, and written again.
 */
#include "base/error.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <math.h>
#include <string.h>

static struct trace_reader *open_sample(struct sample_file *f, const struct buf *stream)
{
    struct trace_reader *reader = NULL;
    sample_file_open(f);
    sample_file_pack(f, TRACE_CONTAINER_SNAPPY, stream->data, stream->len);
    assert_int_equal(trace_reader_open(&reader, f->path), 0);
    return reader;
}

static void check_scalar(enum sample_call call, const struct trace_value *v)
{
    switch (call) {
    case SAMPLE_NULL:
        assert_int_equal(v->type, TRACE_NULL);
        break;
    case SAMPLE_FALSE:
        assert_int_equal(v->type, TRACE_FALSE);
        break;
    case SAMPLE_TRUE:
        assert_int_equal(v->type, TRACE_TRUE);
        break;
    case SAMPLE_SINT:
        assert_int_equal(v->type, TRACE_SINT);
        assert_true(v->u.sint == INT64_MIN);
        break;
    case SAMPLE_UINT:
        assert_int_equal(v->type, TRACE_UINT);
        assert_true(v->u.uint == UINT64_MAX);
        break;
    case SAMPLE_FLOAT:
        assert_int_equal(v->type, TRACE_FLOAT);
        assert_true(v->u.f32 == 0.1f);
        break;
    case SAMPLE_DOUBLE:
        assert_int_equal(v->type, TRACE_DOUBLE);
        assert_true(v->u.f64 == 0.1);
        break;
    case SAMPLE_OPAQUE:
        assert_int_equal(v->type, TRACE_OPAQUE);
        assert_true(v->u.uint == 0x7fffdeadbeef);
        break;
    default:
        fail();
    }
}

static void check_bytes(enum sample_call call, const struct trace_value *v)
{
    switch (call) {
    case SAMPLE_STRING:
        assert_int_equal(v->type, TRACE_STRING);
        assert_int_equal(v->count, 9);
        assert_memory_equal(v->u.string, "with\0nul\n", 10);
        break;
    case SAMPLE_BLOB:
        assert_int_equal(v->type, TRACE_BLOB);
        assert_int_equal(v->count, 3);
        assert_memory_equal(v->u.blob, "\1\2\3", 3);
        break;
    case SAMPLE_LONG_BLOB:
        assert_int_equal(v->count, SAMPLE_LONG_BLOB_BYTES);
        for (size_t i = 0; i < SAMPLE_LONG_BLOB_BYTES; ++i)
            assert_int_equal(v->u.blob[i], (uint8_t)(i * 7));
        break;
    case SAMPLE_WSTRING:
        assert_int_equal(v->type, TRACE_WSTRING);
        assert_int_equal(v->count, 4);
        assert_int_equal(v->u.wstring[2], 0x20ac);
        assert_int_equal(v->u.wstring[4], 0);
        break;
    default:
        fail();
    }
}

static void check_array(enum sample_call call, const struct trace_value *v)
{
    struct trace_value element;
    assert_int_equal(v->type, TRACE_ARRAY);
    switch (call) {
    case SAMPLE_EMPTY_ARRAY:
        assert_int_equal(v->count, 0);
        break;
    case SAMPLE_FLOATS:
        assert_int_equal(v->element, TRACE_FLOAT);
        assert_int_equal(v->count, 16);
        assert_true(v->u.floats[15] == 3.75f);
        break;
    case SAMPLE_DOUBLES:
        assert_int_equal(v->element, TRACE_DOUBLE);
        assert_true(v->u.doubles[2] == 2.0 / 3);
        break;
    case SAMPLE_UINTS:
        assert_int_equal(v->element, TRACE_UINT);
        assert_int_equal(v->count, 400);
        assert_true(v->u.uints[5] == UINT64_MAX && v->u.uints[399] == 399);
        break;
    case SAMPLE_SINTS:
        assert_int_equal(v->element, TRACE_SINT);
        assert_true(v->u.sints[0] == 5 && v->u.sints[2] == INT64_MIN && v->u.sints[3] == INT64_MAX);
        trace_array_get(v, 0, &element);
        assert_int_equal(element.type, TRACE_UINT);
        trace_array_get(v, 1, &element);
        assert_int_equal(element.type, TRACE_SINT);
        break;
    case SAMPLE_MIXED:
        assert_int_equal(v->element, TRACE_NONE);
        assert_int_equal(v->u.items[0].type, TRACE_FLOAT);
        assert_int_equal(v->u.items[2].element, TRACE_SINT);
        assert_int_equal(v->u.items[3].type, TRACE_NULL);
        break;
    case SAMPLE_STRINGS:
        assert_int_equal(v->count, 300);
        assert_string_equal(v->u.items[299].u.string, "abc");
        assert_string_equal(v->u.items[298].u.string, "ab");
        break;
    default:
        fail();
    }
}

static void check_signed(enum sample_call call, const struct trace_value *v)
{
    switch (call) {
    case SAMPLE_ENUM:
        assert_int_equal(v->type, TRACE_ENUM);
        assert_int_equal(v->sig.enumeration->count, 3);
        assert_string_equal(v->sig.enumeration->names[1].name, "GL_MINUS");
        assert_true(v->sig.enumeration->names[1].value == -3);
        assert_true(v->u.sint == 1 && !v->negative);
        break;
    case SAMPLE_ENUM_NEGATIVE:
        assert_true(v->u.sint == -3 && v->negative);
        break;
    case SAMPLE_ENUM_HUGE:
        assert_true(v->u.uint == UINT64_MAX && !v->negative);
        break;
    case SAMPLE_BITMASK:
        assert_int_equal(v->type, TRACE_BITMASK);
        assert_string_equal(v->sig.bitmask->flags[2].name, "HIGH");
        assert_true(v->u.uint == ((UINT64_C(1) << 63) | 5));
        break;
    case SAMPLE_STRUCT:
        assert_int_equal(v->type, TRACE_STRUCT);
        assert_string_equal(v->sig.structure->name, "Point");
        assert_int_equal(v->count, 3);
        assert_int_equal(v->u.items[2].type, TRACE_STRUCT);
        assert_true(isnan(v->u.items[2].u.items[0].u.f32));
        break;
    case SAMPLE_REPR:
        assert_int_equal(v->type, TRACE_REPR);
        assert_string_equal(v->u.items[0].u.string, "human");
        assert_int_equal(trace_value_to_uint(v, 0), 99);
        break;
    default:
        fail();
    }
}

static void check_special(const struct trace_call *call)
{
    switch ((enum sample_call)call->number) {
    case SAMPLE_NO_ARGS:
        assert_int_equal(call->arg_count, 0);
        assert_null(call->frames);
        break;
    case SAMPLE_RETURNS:
        assert_true(call->ret.type == TRACE_SINT && call->ret.u.sint == -5);
        break;
    case SAMPLE_FAKE:
        assert_int_equal(call->flags, TRACE_CALL_FAKE);
        assert_int_equal(call->thread, 300);
        assert_int_equal(call->args[0].type, TRACE_NONE);
        assert_int_equal(call->args[1].type, TRACE_UINT);
        break;
    case SAMPLE_BACKTRACE:
        assert_int_equal(call->frame_count, 2);
        assert_string_equal(call->frames[0].function, "function()");
        assert_true(call->frames[0].line == 12 && call->frames[0].offset == 255);
        assert_null(call->frames[1].module);
        assert_true(call->frames[1].line == -1 && call->frames[1].offset == -1);
        break;
    case SAMPLE_BACKTRACE_AGAIN:
        assert_int_equal(call->frame_count, 3);
        assert_string_equal(call->frames[0].file, "file.c");
        assert_string_equal(call->frames[2].module, "/usr/bin/program");
        break;
    case SAMPLE_SWAP:
        assert_int_equal(call->flags, TRACE_CALL_END_FRAME | TRACE_CALL_SWAP_RENDERTARGET);
        break;
    default:
        fail();
    }
}

static void check_call(const struct trace_call *call)
{
    enum sample_call number = (enum sample_call)call->number;
    const struct trace_value *v = call->args;
    if (number >= SAMPLE_NO_ARGS) {
        check_special(call);
        return;
    }
    assert_string_equal(call->sig->name, "glValue");
    assert_int_equal(call->arg_count, 1);
    assert_int_equal(call->ret.type, TRACE_NONE);
    if (number <= SAMPLE_DOUBLE || number == SAMPLE_OPAQUE)
        check_scalar(number, v);
    else if (number <= SAMPLE_LONG_BLOB || number == SAMPLE_WSTRING)
        check_bytes(number, v);
    else if (number >= SAMPLE_EMPTY_ARRAY && number <= SAMPLE_STRINGS)
        check_array(number, v);
    else
        check_signed(number, v);
}

static void test_every_value(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    sample_encode_stream(&stream);
    struct trace_reader *reader = open_sample(&file, &stream);
    assert_string_equal(trace_reader_container(reader), "Snappy");
    assert_int_equal(trace_reader_version(reader), 6);
    assert_int_equal(trace_reader_semantic_version(reader), 6);
    for (uint64_t number = 0; number < SAMPLE_CALLS; ++number) {
        const struct trace_call *call;
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_non_null(call);
        assert_int_equal(call->number, number);
        check_call(call);
        trace_call_release(reader, call);
    }
    const struct trace_call *end;
    assert_int_equal(trace_reader_next_call(reader, &end), 0);
    assert_null(end);
    assert_int_equal(trace_reader_next_call(reader, &end), 0);
    assert_null(end);
    trace_reader_close(reader);
    sample_file_close(&file);
    buf_fini(&stream);
}

static void test_write_read_write(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct buf again = BUF_INIT;
    struct sample_file file;
    struct trace_encoder encoder;
    sample_encode_stream(&stream);
    struct trace_reader *reader = open_sample(&file, &stream);
    trace_encoder_init(&encoder, &again);
    const struct trace_property *properties;
    size_t count = trace_reader_properties(reader, &properties);
    assert_int_equal(count, SAMPLE_PROPERTIES);
    trace_encode_header(&encoder, trace_reader_semantic_version(reader), properties, count);
    for (;;) {
        const struct trace_call *call;
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        if (call == NULL)
            break;
        trace_encode_call_enter(&encoder, call);
        trace_encode_call_leave(&encoder, call->number, call, false);
        trace_call_release(reader, call);
    }
    assert_int_equal(again.len, stream.len);
    assert_memory_equal(again.data, stream.data, stream.len);
    trace_reader_close(reader);
    sample_file_close(&file);
    trace_encoder_fini(&encoder);
    buf_fini(&again);
    buf_fini(&stream);
}

/* A call is valid until it is released, whatever is read in between. */
static void test_calls_live_until_released(void **state)
{
    (void)state;
    const struct trace_call *calls[SAMPLE_CALLS];
    struct buf stream = BUF_INIT;
    struct sample_file file;
    sample_encode_stream(&stream);
    struct trace_reader *reader = open_sample(&file, &stream);
    for (unsigned i = 0; i < SAMPLE_CALLS; ++i)
        assert_int_equal(trace_reader_next_call(reader, &calls[i]), 0);
    for (unsigned i = 0; i < SAMPLE_CALLS; ++i) {
        check_call(calls[i]);
        trace_call_release(reader, calls[i]);
    }
    trace_reader_close(reader);
    sample_file_close(&file);
    buf_fini(&stream);
}

static void test_conversions(void **state)
{
    (void)state;
    struct trace_value real = {.type = TRACE_DOUBLE, .u.f64 = 1e300};
    struct trace_value small = {.type = TRACE_FLOAT, .u.f32 = -2.75f};
    struct trace_value text = {.type = TRACE_STRING, .count = 1, .u.string = "x"};
    struct trace_value yes = {.type = TRACE_TRUE};
    assert_true(trace_value_to_sint(&real, 0) == INT64_MAX);
    assert_true(trace_value_to_uint(&real, 0) == UINT64_MAX);
    assert_int_equal(trace_value_to_sint(&small, 0), -2);
    assert_true(trace_value_to_double(&small, 0) == -2.75);
    assert_int_equal(trace_value_to_sint(&text, -7), -7);
    assert_int_equal(trace_value_to_uint(&yes, 0), 1);
    real.u.f64 = NAN;
    assert_int_equal(trace_value_to_sint(&real, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value),
        cmocka_unit_test(test_write_read_write),
        cmocka_unit_test(test_calls_live_until_released),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
