/* SPDX-License-Identifier: MIT */
#include "sample_batches.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#define CHUNK      9000 /* approximate number of bytes of the stream in each chunk */
#define ONE_STRUCT 100

static const char *const arg_names[] = {"number", "detail"};
static const struct trace_frame frame = {0, "/usr/lib/libm.so", "function()", "file.c", 12, 255, 0};

/* Encodes the arguments of call i other than its number. Enums and flags change between functions, so a lost
 * chunk may contain their tables but not the name of the function. One structure is defined in the first
 * chunk: its calls cannot be read without that definition. */
static void encode_detail(struct trace_encoder *e, uint64_t i)
{
    static const struct trace_enum_name names[] = {{"GL_FOUR", 4}, {"GL_FIVE", 5}};
    static const struct trace_flag_name flags[] = {{"GL_BIT", 4}, {"GL_OTHER_BIT", 8}};
    static const char *const members[] = {"x"};
    const uint32_t id = (uint32_t)((i + SAMPLE_PARTS_CHANGE / 2) / SAMPLE_PARTS_CHANGE);
    const struct trace_enum_sig enumeration = {id, 2, names};
    const struct trace_bitmask_sig bitmask = {id, 2, flags};
    const struct trace_struct_sig structure = {i % SAMPLE_PARTS_CHANGE < 60 ? id : ONE_STRUCT, "Point", 1,
                                               members};
    switch (i % 7) {
    case 0:
        trace_encode_enum(e, &enumeration, (int64_t)(i % 9));
        break;
    case 1:
        trace_encode_bitmask(e, &bitmask, i % 16);
        break;
    case 2:
        trace_encode_string(e, "\0\1\0text", 7);
        break;
    case 3:
        trace_encode_array(e, 3);
        for (unsigned k = 0; k < 3; ++k)
            trace_encode_float(e, (float)k);
        break;
    case 4:
        trace_encode_struct(e, &structure);
        trace_encode_uint(e, 0);
        break;
    default:
        trace_encode_uint(e, i % 3);
    }
}

static void encode_enter(struct trace_encoder *e, uint64_t i)
{
    char name[32];
    snprintf(name, sizeof name, "glFunction%u", (unsigned)(i / SAMPLE_PARTS_CHANGE));
    const struct trace_function_sig sig = {
        .id = (uint32_t)(i / SAMPLE_PARTS_CHANGE + 1), .name = name, .arg_count = 2, .arg_names = arg_names};
    struct trace_frame own = frame;
    own.id = (uint32_t)(i / SAMPLE_PARTS_CHANGE);
    trace_encode_enter(e, (uint32_t)(i % 2), &sig, 0);
    if (i % 11 == 0)
        trace_encode_backtrace(e, &own, 1);
    trace_encode_arg(e, 0);
    trace_encode_uint(e, i);
    trace_encode_arg(e, 1);
    encode_detail(e, i);
    trace_encode_end(e);
}

static void encode_leave(struct trace_encoder *e, uint64_t i)
{
    trace_encode_leave(e, i);
    if (i % 5 == 0) {
        trace_encode_ret(e);
        trace_encode_sint(e, -1);
    }
    trace_encode_end(e);
}

void sample_parts_write(struct sample_batches *p)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct sample_file file;
    struct trace_output *out;
    memset(p, 0, sizeof *p);
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t i = 0; i < SAMPLE_PARTS_CALLS; i += 2) {
        encode_enter(&e, i);
        if (i % 4 != 0)
            encode_leave(&e, i);
        encode_enter(&e, i + 1);
        if (i % 4 == 0)
            encode_leave(&e, i);
        encode_leave(&e, i + 1);
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
    sample_file_open(&file);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_SNAPPY, -1, 0), 0);
    p->at[0] = 2;
    for (size_t done = 0; done < stream.len;) {
        size_t n = stream.len - done < CHUNK ? stream.len - done : CHUNK + p->count % 50;
        n = n < stream.len - done ? n : stream.len - done;
        assert_int_equal(trace_output_write(out, stream.data + done, n), 0);
        assert_int_equal(trace_output_flush(out), 0);
        buf_clear(&p->file);
        sample_file_get(&file, &p->file);
        assert_true(p->count < SAMPLE_PARTS_MAX);
        p->at[++p->count] = p->file.len;
        done += n;
    }
    assert_int_equal(trace_output_close(out), 0);
    sample_file_close(&file);
    buf_fini(&stream);
}

void sample_parts_damage(struct sample_batches *p, unsigned chunk)
{
    memset(p->file.data + p->at[chunk] + 4, 0xff, 3); /* more than the block can expand to */
}
