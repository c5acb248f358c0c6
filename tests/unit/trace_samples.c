/* SPDX-License-Identifier: MIT */
#include "trace_samples.h"

#include "formats/apitrace/read/input.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const value_arg[] = {"v"};
static const char *const two_args[] = {"first", "second"};
static const struct trace_function_sig value_sig = {
    .id = 4, .name = "glValue", .arg_count = 1, .arg_names = value_arg};
static const struct trace_function_sig two_sig = {
    .id = 70000, .name = "glTwo", .arg_count = 2, .arg_names = two_args};
static const struct trace_function_sig none_sig = {.id = 5, .name = "glNone"};
static const struct trace_function_sig swap_sig = {
    .id = 6, .name = "glXSwapBuffers", .arg_count = 2, .arg_names = two_args};

static const struct trace_enum_name enum_names[] = {{"GL_ONE", 1}, {"GL_MINUS", -3}, {"GL_UNO", 1}};
static const struct trace_enum_sig enum_sig = {0, 3, enum_names};
static const struct trace_flag_name flag_names[] = {{"ZERO", 0}, {"A", 1}, {"HIGH", UINT64_C(1) << 63}};
static const struct trace_bitmask_sig bitmask_sig = {0, 3, flag_names};
static const char *const members[] = {"x", "", "y"};
static const struct trace_struct_sig struct_sig = {0, "Point", 3, members};

static const struct trace_frame frames[] = {
    {7, "/usr/lib/libm.so", "function()", "file.c", 12, 255, 0},
    {8, NULL, NULL, NULL, -1, -1, 0},
    {9, "/usr/bin/program", NULL, NULL, -1, 16, 0},
};

static void encode_array_values(struct trace_encoder *e, enum sample_call call)
{
    uint64_t i;
    switch (call) {
    case SAMPLE_FLOATS:
        trace_encode_array(e, 16);
        for (i = 0; i < 16; ++i)
            trace_encode_float(e, (float)i * 0.25f);
        break;
    case SAMPLE_DOUBLES:
        trace_encode_array(e, 3);
        for (i = 0; i < 3; ++i)
            trace_encode_double(e, (double)i / 3);
        break;
    case SAMPLE_UINTS:
        trace_encode_array(e, 400);
        for (i = 0; i < 400; ++i)
            trace_encode_uint(e, i == 5 ? UINT64_MAX : i);
        break;
    case SAMPLE_SINTS:
        trace_encode_array(e, 4);
        trace_encode_sint(e, 5);
        trace_encode_sint(e, -1);
        trace_encode_sint(e, INT64_MIN);
        trace_encode_sint(e, INT64_MAX);
        break;
    case SAMPLE_MIXED:
        trace_encode_array(e, 4);
        trace_encode_float(e, 1.5f);
        trace_encode_uint(e, 2);
        trace_encode_array(e, 1);
        trace_encode_sint(e, -1);
        trace_encode_null(e);
        break;
    case SAMPLE_STRINGS:
        trace_encode_array(e, 300);
        for (i = 0; i < 300; ++i)
            trace_encode_string(e, "abc", i % 4);
        break;
    default:
        trace_encode_array(e, 0);
    }
}

static void encode_compound(struct trace_encoder *e, enum sample_call call)
{
    static const uint32_t wide[] = {'h', 0xe9, 0x20ac, 0};
    switch (call) {
    case SAMPLE_STRUCT:
        trace_encode_struct(e, &struct_sig);
        trace_encode_uint(e, 1);
        trace_encode_null(e);
        trace_encode_struct(e, &struct_sig);
        trace_encode_float(e, NAN);
        trace_encode_bool(e, false);
        trace_encode_string(e, "", 0);
        break;
    case SAMPLE_REPR:
        trace_encode_repr(e);
        trace_encode_string(e, "human", 5);
        trace_encode_uint(e, 99);
        break;
    case SAMPLE_WSTRING:
        trace_encode_wstring(e, wide, 4);
        break;
    default:
        encode_array_values(e, call);
    }
}

static void encode_scalar(struct trace_encoder *e, enum sample_call call)
{
    static uint8_t bytes[SAMPLE_LONG_BLOB_BYTES];
    switch (call) {
    case SAMPLE_NULL:
        trace_encode_null(e);
        break;
    case SAMPLE_FALSE:
    case SAMPLE_TRUE:
        trace_encode_bool(e, call == SAMPLE_TRUE);
        break;
    case SAMPLE_SINT:
        trace_encode_sint(e, INT64_MIN);
        break;
    case SAMPLE_UINT:
        trace_encode_uint(e, UINT64_MAX);
        break;
    case SAMPLE_FLOAT:
        trace_encode_float(e, 0.1f);
        break;
    case SAMPLE_DOUBLE:
        trace_encode_double(e, 0.1);
        break;
    case SAMPLE_STRING:
        trace_encode_string(e, "with\0nul\n", 9);
        break;
    case SAMPLE_BLOB:
        trace_encode_blob(e, "\1\2\3", 3);
        break;
    case SAMPLE_LONG_BLOB:
        for (size_t i = 0; i < sizeof bytes; ++i)
            bytes[i] = (uint8_t)(i * 7);
        trace_encode_blob(e, bytes, sizeof bytes);
        break;
    case SAMPLE_ENUM:
    case SAMPLE_ENUM_NEGATIVE:
        trace_encode_enum(e, &enum_sig, call == SAMPLE_ENUM ? 1 : -3);
        break;
    case SAMPLE_ENUM_HUGE: {
        struct trace_value v = {.type = TRACE_ENUM, .u.uint = UINT64_MAX, .sig.enumeration = &enum_sig};
        trace_encode_value(e, &v);
        break;
    }
    case SAMPLE_BITMASK:
        trace_encode_bitmask(e, &bitmask_sig, (UINT64_C(1) << 63) | 5);
        break;
    case SAMPLE_OPAQUE:
        trace_encode_opaque(e, 0x7fffdeadbeef);
        break;
    default:
        encode_compound(e, call);
    }
}

static void encode_special_call(struct trace_encoder *e, enum sample_call call)
{
    switch (call) {
    case SAMPLE_NO_ARGS:
        trace_encode_enter(e, 0, &none_sig, 0);
        break;
    case SAMPLE_FAKE:
        trace_encode_enter(e, 300, &two_sig, TRACE_CALL_FAKE);
        trace_encode_arg(e, 1); /* the first argument is missing */
        trace_encode_uint(e, 1);
        break;
    case SAMPLE_SWAP:
        trace_encode_enter(e, 0, &swap_sig, 0);
        break;
    default:
        trace_encode_enter(e, 1, &none_sig, 0);
        trace_encode_backtrace(e, frames, call == SAMPLE_BACKTRACE ? 2 : 3);
    }
}

void sample_encode_stream(struct buf *out)
{
    static const struct trace_property properties[SAMPLE_PROPERTIES] = {{"process.name", "/usr/bin/sample"},
                                                                        {"empty", ""}};
    struct trace_encoder e;
    trace_encoder_init(&e, out);
    trace_encode_header(&e, 6, properties, SAMPLE_PROPERTIES);
    for (enum sample_call call = 0; call < SAMPLE_CALLS; ++call) {
        if (call >= SAMPLE_NO_ARGS && call != SAMPLE_RETURNS) {
            encode_special_call(&e, call);
        } else {
            trace_encode_enter(&e, 0, &value_sig, 0);
            trace_encode_arg(&e, 0);
            encode_scalar(&e, call < SAMPLE_NO_ARGS ? call : SAMPLE_UINT);
        }
        trace_encode_end(&e);
        trace_encode_leave(&e, call);
        if (call == SAMPLE_RETURNS) {
            trace_encode_ret(&e);
            trace_encode_sint(&e, -5);
        }
        trace_encode_end(&e);
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
}

/* --- files ----------------------------------------------------------------------------------------- */

uint8_t *sample_bytes(size_t count)
{
    uint8_t *bytes = malloc(count);
    uint32_t noise = 1;
    assert_non_null(bytes);
    for (size_t i = 0; i < count; ++i) {
        noise = noise * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)((i >> 12) % 2 == 0 ? noise >> 24 : i % 50);
    }
    return bytes;
}

void sample_file_open(struct sample_file *f)
{
    f->fd = memfd_create("sample.trace", MFD_CLOEXEC);
    assert_true(f->fd >= 0);
    snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
}

void sample_file_close(struct sample_file *f)
{
    close(f->fd);
}

void sample_file_set(struct sample_file *f, const void *bytes, size_t count)
{
    assert_int_equal(ftruncate(f->fd, 0), 0);
    assert_int_equal(pwrite(f->fd, bytes, count, 0), count);
    lseek(f->fd, 0, SEEK_END);
}

void sample_file_pack(struct sample_file *f, enum trace_container container, const void *stream, size_t count)
{
    struct trace_output *out;
    assert_int_equal(ftruncate(f->fd, 0), 0);
    lseek(f->fd, 0, SEEK_SET);
    assert_int_equal(
        trace_output_open_fd(&out, f->fd, container, container == TRACE_CONTAINER_BROTLI ? 2 : -1, 0), 0);
    assert_int_equal(trace_output_write(out, stream, count), 0);
    assert_int_equal(trace_output_close(out), 0);
}

void sample_file_get(const struct sample_file *f, struct buf *out)
{
    off_t size = lseek(f->fd, 0, SEEK_END);
    assert_int_equal(buf_reserve(out, (size_t)size), 0);
    assert_int_equal(pread(f->fd, out->data + out->len, (size_t)size, 0), size);
    out->len += (size_t)size;
}

void sample_file_expect_stream(const struct sample_file *f, const uint8_t *bytes, size_t count, size_t piece)
{
    struct trace_input *in;
    uint8_t *buffer = malloc(piece);
    size_t done = 0;
    size_t got;
    assert_non_null(buffer);
    assert_int_equal(trace_input_open(&in, f->path), 0);
    do {
        assert_int_equal(trace_input_read(in, buffer, piece, &got), 0);
        assert_true(got <= count - done);
        assert_memory_equal(buffer, bytes + done, got);
        done += got;
    } while (got > 0);
    assert_int_equal(done, count);
    trace_input_close(in);
    free(buffer);
}
