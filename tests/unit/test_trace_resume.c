/* SPDX-License-Identifier: MIT
 * Reading goes on after a damaged chunk: with calls that were made, under their numbers, and no others.
 */
#include "base/error.h"
#include "trace/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#define CALLS     6000
#define CHUNK     9000 /* bytes of the stream in each chunk, roughly */
#define MAX_PARTS 64
#define CHANGE    650 /* calls after which other signatures are used */

static const char *const arg_names[] = {"number", "detail"};
static const struct trace_frame frame = {0, "/usr/lib/libm.so", "function()", "file.c", 12, 255};

/* What the arguments of call i are beside its number. */
static void encode_detail(struct trace_encoder *e, uint64_t i)
{
    static const struct trace_enum_name names[] = {{"GL_FOUR", 4}, {"GL_FIVE", 5}};
    static const struct trace_flag_name flags[] = {{"GL_BIT", 4}, {"GL_OTHER_BIT", 8}};
    static const char *const members[] = {"x"};
    const uint32_t id = (uint32_t)(i / CHANGE);
    const struct trace_enum_sig enumeration = {id, 2, names};
    const struct trace_bitmask_sig bitmask = {id, 2, flags};
    const struct trace_struct_sig structure = {id, "Point", 1, members};
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
    snprintf(name, sizeof name, "glFunction%u", (unsigned)(i / CHANGE));
    const struct trace_function_sig sig = {(uint32_t)(i / CHANGE + 1), name, 2, arg_names, 0};
    struct trace_frame own = frame;
    own.id = (uint32_t)(i / CHANGE);
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

struct parts {
    struct buf file;
    size_t at[MAX_PARTS + 1]; /* where chunk i begins in the file, its length field included */
    unsigned count;
};

/* A file of many chunks that end anywhere; every fourth call overlaps with the next. */
static void write_parts(struct parts *p)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct sample_file file;
    struct trace_output *out;
    memset(p, 0, sizeof *p);
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t i = 0; i < CALLS; i += 2) {
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
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_SNAPPY, -1), 0);
    p->at[0] = 2;
    for (size_t done = 0; done < stream.len;) {
        size_t n = stream.len - done < CHUNK ? stream.len - done : CHUNK + p->count % 50;
        n = n < stream.len - done ? n : stream.len - done;
        assert_int_equal(trace_output_write(out, stream.data + done, n), 0);
        assert_int_equal(trace_output_flush(out), 0);
        buf_clear(&p->file);
        sample_file_get(&file, &p->file);
        assert_true(p->count < MAX_PARTS);
        p->at[++p->count] = p->file.len;
        done += n;
    }
    assert_int_equal(trace_output_close(out), 0);
    sample_file_close(&file);
    buf_fini(&stream);
}

static void expect_call(const struct trace_call *call)
{
    char name[32];
    snprintf(name, sizeof name, "glFunction%u", (unsigned)(call->number / CHANGE));
    assert_true(call->number < CALLS);
    assert_string_equal(call->sig->name, name);
    assert_int_equal(call->thread, call->number % 2);
    assert_int_equal(trace_value_to_uint(&call->args[0], UINT64_MAX), call->number);
    assert_int_equal(call->frame_count, call->number % 11 == 0 ? 1 : 0);
    const struct trace_value *detail = &call->args[1];
    switch (call->number % 7) {
    case 0:
        assert_int_equal(detail->u.sint, call->number % 9);
        break;
    case 1:
        assert_int_equal(detail->u.uint, call->number % 16);
        break;
    case 2:
        assert_int_equal(detail->count, 7);
        break;
    case 3:
        assert_true(detail->type == TRACE_ARRAY && detail->u.floats[2] == 2.0f);
        break;
    case 4:
        assert_int_equal(detail->type, TRACE_STRUCT);
        break;
    default:
        assert_int_equal(detail->u.uint, call->number % 3);
    }
    if ((call->flags & TRACE_CALL_INCOMPLETE) == 0)
        assert_int_equal(call->ret.type, call->number % 5 == 0 ? TRACE_SINT : TRACE_NONE);
}

/* Reads the file; returns the number of calls, *damages that of the damaged parts. */
static unsigned read_parts(const struct parts *p, unsigned *damages)
{
    struct sample_file file;
    struct trace_reader *reader;
    const struct trace_call *call = NULL;
    unsigned calls = 0;
    int rc;
    *damages = 0;
    sample_file_open(&file);
    sample_file_set(&file, p->file.data, p->file.len);
    assert_int_equal(trace_reader_open(&reader, file.path), 0);
    trace_reader_resume_after_damage(reader);
    do {
        rc = trace_reader_next_call(reader, &call);
        *damages += rc == ERR_DAMAGED;
        if (call != NULL) {
            expect_call(call);
            calls++;
        }
        trace_call_release(reader, call);
    } while (rc == ERR_DAMAGED || call != NULL);
    assert_int_equal(rc, 0);
    trace_reader_close(reader);
    sample_file_close(&file);
    return calls;
}

static void damage(struct parts *p, unsigned chunk)
{
    memset(p->file.data + p->at[chunk] + 4, 0xff, 3); /* more than its Snappy block can have */
}

static void test_one_chunk(void **state)
{
    (void)state;
    struct parts p;
    unsigned damages;
    write_parts(&p);
    assert_true(p.count > 10);
    assert_int_equal(read_parts(&p, &damages), CALLS);
    assert_int_equal(damages, 0);
    for (unsigned chunk = 1; chunk < p.count; ++chunk) {
        uint8_t saved[3];
        memcpy(saved, p.file.data + p.at[chunk] + 4, sizeof saved);
        damage(&p, chunk);
        unsigned calls = read_parts(&p, &damages);
        assert_true(damages >= 1 && damages < 300);
        /* One chunk is lost, and of the calls after it those of a function that was first called in it. */
        assert_true(calls < CALLS && calls + 2 * CHANGE + CALLS / (p.count - 2) > CALLS);
        memcpy(p.file.data + p.at[chunk] + 4, saved, sizeof saved);
    }
    buf_fini(&p.file);
}

static void test_several_chunks(void **state)
{
    (void)state;
    struct parts p;
    unsigned damages;
    write_parts(&p);
    damage(&p, 2);
    damage(&p, 3);
    damage(&p, 7);
    assert_true(read_parts(&p, &damages) > CALLS / 2);
    assert_true(damages >= 2);
    for (unsigned chunk = 1; chunk < p.count; ++chunk)
        damage(&p, chunk);
    assert_true(read_parts(&p, &damages) > 0);
    assert_int_equal(damages, 1);
    assert_non_null(strstr(error_message(), "no call can be found after it"));
    buf_fini(&p.file);
}

/* Bytes that look like the beginnings of calls, and are none. */
static void test_nothing_after(void **state)
{
    (void)state;
    static uint8_t zeros[3 << 20];
    struct parts p;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    unsigned damages;
    static const uint8_t start[] = {6, 6, 0, 7};
    assert_int_equal(buf_append(&stream, start, sizeof start), 0);
    assert_int_equal(buf_append(&stream, zeros, sizeof zeros), 0);
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    memset(&p, 0, sizeof p);
    sample_file_get(&file, &p.file);
    assert_int_equal(read_parts(&p, &damages), 0);
    assert_int_equal(damages, 1);
    sample_file_close(&file);
    buf_fini(&p.file);
    buf_fini(&stream);
}

/* Without being asked to, a reader ends at the damage. */
static void test_not_asked(void **state)
{
    (void)state;
    struct parts p;
    struct sample_file file;
    struct trace_reader *reader;
    const struct trace_call *call;
    int rc;
    write_parts(&p);
    damage(&p, 4);
    sample_file_open(&file);
    sample_file_set(&file, p.file.data, p.file.len);
    assert_int_equal(trace_reader_open(&reader, file.path), 0);
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL)
        trace_call_release(reader, call);
    assert_int_equal(rc, ERR_FORMAT);
    assert_int_equal(trace_reader_next_call(reader, &call), ERR_FORMAT);
    trace_reader_close(reader);
    sample_file_close(&file);
    buf_fini(&p.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_chunk),
        cmocka_unit_test(test_several_chunks),
        cmocka_unit_test(test_nothing_after),
        cmocka_unit_test(test_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
