/* SPDX-License-Identifier: MIT */
#include "alike_stream.h"

#include "cmocka_all.h"
#include "formats/apitrace/encoder.h"
#include "next_random.h"

uint32_t alike_random(void)
{
    return (uint32_t)(next_random() >> 32);
}

static const char *const arg_names[] = {"a", "b", "c", "d"};
const struct trace_function_sig alike_functions[ALIKE_FUNCTIONS] = {
    {.id = 0, .name = "glVertex3f", .arg_count = 3, .arg_names = arg_names},
    {.id = 1, .name = "glDrawArrays", .arg_count = 3, .arg_names = arg_names},
    {.id = 300, .name = "glVertexAttrib4dv", .arg_count = 2, .arg_names = arg_names},
    {.id = 7, .name = "glMapBufferRange", .arg_count = 4, .arg_names = arg_names},
    {.id = 8, .name = "glLoadMatrixf", .arg_count = 1, .arg_names = arg_names},
    {.id = 9, .name = "glObjectLabel", .arg_count = 2, .arg_names = arg_names},
    {.id = 10, .name = "glXSwapBuffers", .arg_count = 1, .arg_names = arg_names},
};

static const struct trace_enum_name modes[] = {{"GL_POINTS", 0}, {"GL_LINES", 1}, {"GL_LOW", -5}};
static const struct trace_enum_sig mode = {3, 3, modes};
static const struct trace_flag_name accesses[] = {{"GL_MAP_READ_BIT", 1}, {"GL_MAP_WRITE_BIT", 2}};
static const struct trace_bitmask_sig access_bits = {5, 2, accesses};

/* Mostly numbers of one byte. */
static uint64_t some_number(void)
{
    return alike_random() % 8 == 0 ? alike_random() : alike_random() % 128;
}

static void put_floats(struct trace_encoder *e, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        trace_encode_arg(e, i);
        trace_encode_float(e, (float)(alike_random() % 100) / 4);
    }
}

static void put_draw(struct trace_encoder *e)
{
    trace_encode_arg(e, 0);
    trace_encode_enum(e, &mode, alike_random() % 4 == 0 ? -5 : 1);
    trace_encode_arg(e, 1);
    trace_encode_sint(e, -(int64_t)some_number());
    trace_encode_arg(e, 2);
    trace_encode_uint(e, some_number());
}

static void put_map(struct trace_encoder *e)
{
    trace_encode_arg(e, 0);
    trace_encode_enum(e, &mode, 1);
    trace_encode_arg(e, 1);
    trace_encode_opaque(e, some_number());
    trace_encode_arg(e, 2);
    trace_encode_null(e);
    trace_encode_arg(e, 3);
    trace_encode_bitmask(e, &access_bits, alike_random() % 4);
}

static void put_doubles(struct trace_encoder *e)
{
    trace_encode_arg(e, 0);
    trace_encode_bool(e, alike_random() % 2 == 0);
    trace_encode_arg(e, 1);
    trace_encode_array(e, 4);
    for (unsigned i = 0; i < 4; ++i)
        trace_encode_double(e, i);
}

static void put_matrix(struct trace_encoder *e)
{
    trace_encode_arg(e, 0);
    trace_encode_array(e, 8);
    for (unsigned i = 0; i < 8; ++i)
        trace_encode_float(e, (float)i);
}

static void put_label(struct trace_encoder *e)
{
    static const char text[] = "label of any length";
    trace_encode_arg(e, 0);
    trace_encode_string(e, text, alike_random() % sizeof text);
    trace_encode_arg(e, 1);
    trace_encode_blob(e, text, alike_random() % sizeof text);
}

static void put_args(struct trace_encoder *e, size_t function)
{
    static void (*const others[])(struct trace_encoder *) = {put_draw, put_doubles, put_map, put_matrix,
                                                             put_label};
    if (function == 0 || function == ALIKE_FUNCTIONS - 1)
        put_floats(e, alike_functions[function].arg_count);
    else
        others[function - 1](e);
}

void alike_stream_make(struct buf *out)
{
    struct trace_encoder e;
    static const struct trace_property none;
    trace_encoder_init(&e, out);
    trace_encode_header(&e, 6, &none, 0);
    for (uint64_t i = 0; i < ALIKE_CALLS; ++i) {
        size_t function = i % 3 == 0 ? 0 : alike_random() % ALIKE_FUNCTIONS;
        bool overlaps = i % 40 == 11;
        trace_encode_enter(&e, alike_random() % 16 == 0, &alike_functions[function], i % 50 == 5);
        put_args(&e, function);
        trace_encode_end(&e);
        if (overlaps)
            continue;
        for (uint64_t j = i % 40 == 12 ? 2 : 1; j-- > 0;) {
            trace_encode_leave(&e, i - j);
            if (function == 3) {
                trace_encode_ret(&e);
                trace_encode_uint(&e, some_number());
            }
            trace_encode_end(&e);
        }
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
}

void alike_stream_mutate(struct buf *stream)
{
    size_t at = alike_random() % stream->len;
    unsigned count = 1 + alike_random() % 2;
    for (unsigned i = 0; i < count && at + i < stream->len; ++i)
        stream->data[at + i] = alike_random() % 2 == 0
                                   ? (uint8_t)(stream->data[at + i] ^ 1u << alike_random() % 8)
                                   : (uint8_t)(alike_random() % 16);
    if (alike_random() % 8 == 0)
        stream->len = at + 1;
}

uint64_t alike_stream_check(unsigned count, bool mutated, uint64_t (*check)(const struct sample_file *file))
{
    struct buf stream = BUF_INIT;
    struct sample_file file;
    uint64_t sum = 0;
    sample_file_open(&file);
    for (unsigned i = 0; i < count; ++i) {
        buf_clear(&stream);
        alike_stream_make(&stream);
        if (mutated)
            alike_stream_mutate(&stream);
        sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
        sum += check(&file);
    }
    sample_file_close(&file);
    buf_fini(&stream);
    return sum;
}
