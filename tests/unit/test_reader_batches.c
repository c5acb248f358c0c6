/* SPDX-License-Identifier: MIT
 * Tests that reading a trace in batches, by several clones in turn, gives the same result as reading it call
 * by call.
 */
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/read/reader_batches.h"
#include "base/error.h"
#include "base/little_endian.h"
#include "trace/text/call_text.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS       30000
#define CLONES      3
#define CHUNK_BYTES 150000 /* approximate number of bytes of the stream */
#define LONG_BLOB   400000 /* number of bytes, more than a chunk has */

static const char *const arg_names[] = {"number", "kind", "data"};

/* Functions, enums, structures and frames are defined throughout the stream. */
static void encode_enter(struct trace_encoder *e, uint64_t i)
{
    static uint8_t blob[LONG_BLOB];
    static const char *const members[] = {"x", "y"};
    char name[32], value_name[32];
    snprintf(name, sizeof name, i % 50 == 49 ? "glXSwapBuffers" : "glFunction%u", (unsigned)(i / 97));
    snprintf(value_name, sizeof value_name, "GL_VALUE_%u", (unsigned)(i / 131));
    const struct trace_function_sig sig = {
        .id = i % 50 == 49 ? 5000 : (uint32_t)(i / 97), .name = name, .arg_count = 3, .arg_names = arg_names};
    const struct trace_enum_name value = {value_name, 7};
    const struct trace_enum_sig kind = {(uint32_t)(i / 131), 1, &value};
    const struct trace_struct_sig point = {(uint32_t)(i / 500), "Point", 2, members};
    const struct trace_frame frame = {(uint32_t)(i / 70), "/usr/lib/libm.so", name, "file.c", 12, 255, 0};
    trace_encode_enter(e, (uint32_t)(i % 3), &sig, 0);
    if (i % 13 == 0)
        trace_encode_backtrace(e, &frame, 1);
    trace_encode_arg(e, 0);
    trace_encode_uint(e, i);
    trace_encode_arg(e, 1);
    trace_encode_enum(e, &kind, 7);
    trace_encode_arg(e, 2);
    if (i % 5 == 0) {
        trace_encode_struct(e, &point);
        trace_encode_float(e, (float)i);
        trace_encode_null(e);
    } else {
        trace_encode_blob(e, blob, i % 9000 == 4501 ? sizeof blob : i % 30);
    }
    trace_encode_end(e);
}

/* Returns how many calls are entered before call i returns. None are in most of the stream, and a few in some
 * parts. In one part there are more than a batch allows, and one call lasts for half of the stream. */
static uint64_t overlap(uint64_t i)
{
    if (i == 2000)
        return CALLS / 2;
    switch (i / 3000) {
    case 1:
        return i % 3 == 1;
    case 3:
        return i % 3;
    case 5:
        return 40;
    default:
        return 0;
    }
}

static void encode_leaves(struct trace_encoder *e, uint64_t entered)
{
    static const struct trace_value ret = {.type = TRACE_UINT, .u.uint = 3};
    for (uint64_t back = CALLS / 2 + 1; back-- > 0;) {
        if (back > 50 && back != CALLS / 2)
            back = 50;
        uint64_t i = entered - back;
        if (back > entered || i >= CALLS || overlap(i) != back || i % 7000 == 6999)
            continue;
        trace_encode_leave(e, i);
        if (i % 4 == 0) {
            trace_encode_ret(e);
            trace_encode_value(e, &ret);
        }
        trace_encode_end(e);
    }
}

static void write_trace(struct sample_file *f)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct trace_output *out;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t i = 0; i < CALLS + 50; ++i) {
        if (i < CALLS)
            encode_enter(&e, i);
        encode_leaves(&e, i);
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
    sample_file_open(f);
    assert_int_equal(trace_output_open_fd(&out, f->fd, TRACE_CONTAINER_SNAPPY, -1, 0), 0);
    for (size_t at = 0, n; at < stream.len; at += n) {
        n = CHUNK_BYTES / 2 + at * 7919 % CHUNK_BYTES;
        n = n < stream.len - at ? n : stream.len - at;
        assert_int_equal(trace_output_write(out, stream.data + at, n), 0);
        assert_int_equal(trace_output_flush(out), 0);
    }
    assert_int_equal(trace_output_close(out), 0);
    buf_fini(&stream);
}

static void print_call(struct trace_reader *r, const struct trace_call *call, struct trace_call_text *text)
{
    char frame[32];
    snprintf(frame, sizeof frame, "frame %llu\n", (unsigned long long)trace_reader_frame(r));
    assert_int_equal(trace_call_text_add(text, call), 0);
    assert_int_equal(buf_append_string(&text->out, frame), 0);
}

/* Prints all remaining calls, or all calls of the current batch. */
static unsigned print_calls(struct trace_reader *r, struct trace_call_text *text)
{
    const struct trace_call *call;
    unsigned count = 0;
    for (;;) {
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        if (call == NULL)
            return count;
        print_call(r, call, text);
        trace_call_release(r, call);
        count++;
    }
}

static struct trace_call_text *new_text(void)
{
    static const struct trace_call_text_style style = {
        .call_nos = true, .thread_ids = true, .arg_names = true, .multiline = true};
    struct trace_call_text *text = malloc(sizeof *text);
    assert_non_null(text);
    trace_call_text_init(text, &style);
    return text;
}

/* Returns how many calls were in batches. */
static unsigned print_batches(const char *path, struct trace_call_text *text)
{
    struct trace_reader *r;
    struct trace_reader *clones[CLONES];
    unsigned in_batches = 0;
    unsigned batches = 0;
    assert_int_equal(trace_reader_open(&r, path), 0);
    for (int i = 0; i < CLONES; ++i)
        assert_int_equal(trace_reader_clone(&clones[i], r), 0);
    for (;;) {
        struct trace_batch batch;
        const struct trace_call *call;
        assert_int_equal(trace_reader_next_batch(r, &batch, &call), 0);
        if (batch.chunk != NULL) {
            struct trace_reader *clone = clones[batches++ % 4 % CLONES];
            assert_null(call);
            assert_int_equal(trace_reader_begin_batch(clone, r, &batch), 0);
            in_batches += print_calls(clone, text);
            continue;
        }
        if (call == NULL)
            break;
        print_call(r, call, text);
        trace_call_release(r, call);
    }
    trace_call_text_forget_signatures(text);
    for (int i = 0; i < CLONES; ++i)
        trace_reader_close(clones[i]);
    trace_reader_close(r);
    return in_batches;
}

static void test_same_calls(void **state)
{
    (void)state;
    struct sample_file file;
    struct trace_reader *r;
    struct trace_call_text *whole = new_text();
    struct trace_call_text *batches = new_text();
    write_trace(&file);
    assert_int_equal(trace_reader_open(&r, file.path), 0);
    assert_int_equal(print_calls(r, whole), CALLS);
    trace_call_text_forget_signatures(whole);
    trace_reader_close(r);
    unsigned in_batches = print_batches(file.path, batches);
    /* the others overlap */
    assert_in_range(in_batches, CALLS * 75 / 100, CALLS * 85 / 100);
    assert_int_equal(whole->out.len, batches->out.len);
    assert_memory_equal(whole->out.data, batches->out.data, whole->out.len);
    trace_call_text_fini(whole);
    trace_call_text_fini(batches);
    free(whole);
    free(batches);
    sample_file_close(&file);
}

/* --- damage ---------------------------------------------------------------------------------------- */

/* Makes it impossible to decompress chunk `index`. */
static void spoil_chunk(struct buf *file, unsigned index)
{
    size_t at = 2;
    uint32_t length = get_u32(file->data + at);
    for (; index > 0; --index) {
        at += 4 + length;
        length = get_u32(file->data + at);
    }
    assert_true(length > 100 && at + 4 + length < file->len);
    memset(file->data + at + 4, 0xff, length);
}

/* Prints all calls and the messages about damage. Returns the number of calls. */
static unsigned print_damaged(struct trace_reader *r, struct trace_call_text *text)
{
    const struct trace_call *call;
    unsigned count = 0;
    int rc;
    while ((rc = trace_reader_next_call(r, &call)) == TRACE_ERR_DAMAGED || call != NULL) {
        if (rc == TRACE_ERR_DAMAGED) {
            assert_int_equal(buf_printf(&text->out, "%s\n", trace_error_message()), 0);
            continue;
        }
        print_call(r, call, text);
        trace_call_release(r, call);
        count++;
    }
    assert_int_equal(rc, 0);
    return count;
}

/* Does the same in batches. Returns how many calls were in batches. */
static unsigned print_damaged_batches(struct trace_reader *r, struct trace_call_text *text)
{
    struct trace_reader *clone;
    struct trace_batch batch;
    const struct trace_call *call;
    unsigned in_batches = 0;
    int rc;
    assert_int_equal(trace_reader_clone(&clone, r), 0);
    for (;;) {
        rc = trace_reader_next_batch(r, &batch, &call);
        if (rc == TRACE_ERR_DAMAGED) {
            assert_int_equal(buf_printf(&text->out, "%s\n", trace_error_message()), 0);
            continue;
        }
        assert_int_equal(rc, 0);
        if (batch.chunk != NULL) {
            assert_int_equal(trace_reader_begin_batch(clone, r, &batch), 0);
            in_batches += print_damaged(clone, text);
        } else if (call != NULL) {
            print_call(r, call, text);
            trace_call_release(r, call);
        } else {
            break;
        }
    }
    trace_call_text_forget_signatures(text);
    trace_reader_close(clone);
    return in_batches;
}

/* A chunk with definitions is lost. Before it, calls come in batches; after it, one at a time, including
 * those of functions whose names are lost. */
static void test_damaged_chunk(void **state)
{
    (void)state;
    for (unsigned chunk = 1; chunk < 6; chunk += 2) {
        struct sample_file file;
        struct buf bytes = BUF_INIT;
        struct trace_reader *r;
        struct trace_call_text *whole = new_text(), *batches = new_text();
        write_trace(&file);
        sample_file_get(&file, &bytes);
        spoil_chunk(&bytes, chunk);
        sample_file_set(&file, bytes.data, bytes.len);
        assert_int_equal(trace_reader_open(&r, file.path), 0);
        trace_reader_resume_after_damage(r);
        unsigned calls = print_damaged(r, whole);
        assert_in_range(calls, CALLS / 2, CALLS - 100);
        trace_call_text_forget_signatures(whole);
        trace_reader_close(r);
        assert_int_equal(trace_reader_open(&r, file.path), 0);
        trace_reader_resume_after_damage(r);
        assert_in_range(print_damaged_batches(r, batches), chunk * 100, calls);
        trace_reader_close(r);
        assert_non_null(memmem(whole->out.data, whole->out.len, "calls are lost; continuing", 26));
        assert_int_equal(whole->out.len, batches->out.len);
        assert_memory_equal(whole->out.data, batches->out.data, whole->out.len);
        trace_call_text_fini(whole);
        trace_call_text_fini(batches);
        free(whole);
        free(batches);
        buf_fini(&bytes);
        sample_file_close(&file);
    }
}

/* Skipping calls does not change the calls around them. */
static void test_pass_calls(void **state)
{
    (void)state;
    static uint64_t numbers[CALLS + 1], frames[CALLS + 1];
    struct sample_file file;
    struct trace_reader *r;
    const struct trace_call *call;
    uint64_t passed = 0;
    write_trace(&file);
    assert_int_equal(trace_reader_open(&r, file.path), 0);
    for (unsigned i = 0; i < CALLS; ++i) {
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        numbers[i] = call->number;
        frames[i] = trace_reader_frame(r);
        trace_call_release(r, call);
    }
    trace_reader_close(r);
    assert_int_equal(trace_reader_open(&r, file.path), 0);
    for (unsigned i = 0, step = 0; i < CALLS; ++i, ++step) {
        uint64_t max = step % 7 * (step % 11) * (step % 5 == 0 ? 300 : 1);
        uint64_t n = trace_reader_pass_calls(r, max < CALLS - 1 - i ? max : CALLS - 1 - i);
        assert_in_range(n, 0, max);
        passed += n;
        i += (unsigned)n;
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        assert_non_null(call);
        assert_int_equal(call->number, numbers[i]);
        assert_int_equal(trace_reader_frame(r), frames[i]);
        trace_call_release(r, call);
    }
    assert_in_range(passed, CALLS / 2, CALLS);
    assert_int_equal(trace_reader_next_call(r, &call), 0);
    assert_null(call);
    trace_reader_close(r);
    sample_file_close(&file);
}

/* After a seek, a reader does not make batches. */
static void test_none_after_seek(void **state)
{
    (void)state;
    struct sample_file file;
    struct trace_reader *r;
    struct trace_batch batch;
    const struct trace_call *call;
    write_trace(&file);
    assert_int_equal(trace_reader_open(&r, file.path), 0);
    assert_int_equal(trace_reader_seek_call(r, 100), 0);
    assert_int_equal(trace_reader_next_batch(r, &batch, &call), 0);
    assert_null(batch.chunk);
    assert_int_equal(call->number, 100);
    trace_call_release(r, call);
    trace_reader_close(r);
    sample_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_calls),
        cmocka_unit_test(test_damaged_chunk),
        cmocka_unit_test(test_pass_calls),
        cmocka_unit_test(test_none_after_seek),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
