/* SPDX-License-Identifier: MIT
 * Tests that reading continues after a damaged chunk: only with calls that were made, with the right numbers.
 */
#include "base/error.h"
#include "sample_batches.h"
#include "formats/apitrace/copy/raw_event_copier.h"
#include "formats/apitrace/read/reader.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

static void expect_call(const struct trace_call *call)
{
    char name[32];
    snprintf(name, sizeof name, "glFunction%u", (unsigned)(call->number / SAMPLE_PARTS_CHANGE));
    assert_true(call->number < SAMPLE_PARTS_CALLS);
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

/* Reads the file. Returns the number of calls; *damages gets the number of damaged parts. */
static unsigned read_parts(const struct sample_batches *p, unsigned *damages)
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
        *damages += rc == TRACE_ERR_DAMAGED;
        if (call != NULL) {
            expect_call(call);
            calls++;
        }
        trace_call_release(reader, call);
    } while (rc == TRACE_ERR_DAMAGED || call != NULL);
    assert_int_equal(rc, 0);
    trace_reader_close(reader);
    sample_file_close(&file);
    return calls;
}

static void test_one_chunk(void **state)
{
    (void)state;
    struct sample_batches p;
    unsigned damages;
    sample_parts_write(&p);
    assert_true(p.count > 10);
    assert_int_equal(read_parts(&p, &damages), SAMPLE_PARTS_CALLS);
    assert_int_equal(damages, 0);
    for (unsigned chunk = 1; chunk < p.count; ++chunk) {
        uint8_t saved[3];
        memcpy(saved, p.file.data + p.at[chunk] + 4, sizeof saved);
        sample_parts_damage(&p, chunk);
        unsigned calls = read_parts(&p, &damages);
        assert_true(damages >= 1 && damages < 300);
        /* One chunk is lost, and the later calls of a function whose first call was in it. */
        assert_true(calls < SAMPLE_PARTS_CALLS &&
                    calls + 2 * SAMPLE_PARTS_CHANGE + SAMPLE_PARTS_CALLS / (p.count - 2) >
                        SAMPLE_PARTS_CALLS);
        memcpy(p.file.data + p.at[chunk] + 4, saved, sizeof saved);
    }
    buf_fini(&p.file);
}

static void test_several_chunks(void **state)
{
    (void)state;
    struct sample_batches p;
    unsigned damages;
    sample_parts_write(&p);
    sample_parts_damage(&p, 2);
    sample_parts_damage(&p, 3);
    sample_parts_damage(&p, 7);
    assert_true(read_parts(&p, &damages) > SAMPLE_PARTS_CALLS / 2);
    assert_true(damages >= 2);
    for (unsigned chunk = 1; chunk < p.count; ++chunk)
        sample_parts_damage(&p, chunk);
    assert_true(read_parts(&p, &damages) > 0);
    assert_int_equal(damages, 1);
    assert_non_null(strstr(trace_error_message(), "no call can be found after it"));
    buf_fini(&p.file);
}

/* Bytes that look like the starts of calls, but are not. */
static void test_nothing_after(void **state)
{
    (void)state;
    static uint8_t zeros[3 << 20];
    struct sample_batches p;
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

/* --- raw events ------------------------------------------------------------------------------------ */

/* Copies every step-th call that can be read. */
static void copy_parts(const struct sample_file *in, struct sample_file *out, uint64_t step)
{
    struct trace_raw_events *e;
    struct trace_output *o;
    struct trace_copier *c;
    const struct trace_raw_event *event;
    int rc;
    sample_file_open(out);
    assert_int_equal(trace_raw_events_open(&e, in->path, step > 1), 0);
    trace_raw_events_resume_after_damage(e);
    assert_int_equal(trace_output_open_fd(&o, out->fd, TRACE_CONTAINER_SNAPPY, -1, 0), 0);
    assert_int_equal(trace_copier_open(&c, e, o), 0);
    assert_int_equal(trace_copier_header(c), 0);
    while ((rc = trace_raw_events_next(e, &event)) == TRACE_ERR_DAMAGED || event != NULL)
        if (rc == 0)
            assert_int_equal(trace_copier_event(c, event, event->call % step == 0, NULL, 0), 0);
    assert_int_equal(rc, 0);
    assert_int_equal(trace_copier_flush(c), 0);
    trace_copier_close(c);
    assert_int_equal(trace_output_close(o), 0);
    trace_raw_events_close(e);
}

static void expect_same_value(const struct trace_value *a, const struct trace_value *b)
{
    assert_int_equal(a->type, b->type);
    if (a->type == TRACE_ENUM)
        assert_int_equal(a->sig.enumeration->count, b->sig.enumeration->count);
    if (a->type == TRACE_ENUM || a->type == TRACE_BITMASK || a->type == TRACE_UINT)
        assert_int_equal(a->u.uint, b->u.uint);
}

/* The copy of a damaged trace is sound, and has the calls that a reader finds in the damaged trace. */
static void expect_same_calls(const struct sample_file *damaged, const struct sample_file *copy,
                              uint64_t step)
{
    struct trace_reader *reader;
    struct trace_reader *strict;
    const struct trace_call *a;
    const struct trace_call *b;
    int rc;
    assert_int_equal(trace_reader_open(&reader, damaged->path), 0);
    trace_reader_resume_after_damage(reader);
    assert_int_equal(trace_reader_open(&strict, copy->path), 0);
    while ((rc = trace_reader_next_call(reader, &a)) == TRACE_ERR_DAMAGED || a != NULL) {
        if (rc == 0 && a->number % step == 0) {
            if (trace_reader_next_call(strict, &b) != 0)
                fail_msg("%s", trace_error_message());
            assert_non_null(b);
            assert_string_equal(a->sig->name, b->sig->name);
            assert_int_equal(a->thread, b->thread);
            assert_int_equal(a->flags, b->flags);
            assert_int_equal(a->frame_count, b->frame_count);
            if ((a->flags & TRACE_CALL_INCOMPLETE) == 0) /* the reader has a part of a cut call */
                assert_int_equal(a->ret.type, b->ret.type);
            expect_same_value(&a->args[0], &b->args[0]);
            expect_same_value(&a->args[1], &b->args[1]);
            trace_call_release(strict, b);
        }
        trace_call_release(reader, a);
    }
    assert_int_equal(trace_reader_next_call(strict, &b), 0);
    assert_null(b);
    trace_reader_close(reader);
    trace_reader_close(strict);
}

static void test_copies(void **state)
{
    (void)state;
    struct sample_batches p;
    struct sample_file file;
    struct sample_file copy;
    sample_parts_write(&p);
    for (unsigned chunk = 1; chunk < p.count; chunk += 1) {
        uint8_t saved[3];
        memcpy(saved, p.file.data + p.at[chunk] + 4, sizeof saved);
        sample_parts_damage(&p, chunk);
        sample_file_open(&file);
        sample_file_set(&file, p.file.data, p.file.len);
        for (uint64_t step = 1; step < 4; ++step) {
            copy_parts(&file, &copy, step);
            expect_same_calls(&file, &copy, step);
            sample_file_close(&copy);
        }
        sample_file_close(&file);
        memcpy(p.file.data + p.at[chunk] + 4, saved, sizeof saved);
    }
    buf_fini(&p.file);
}

/* --- without being asked to ------------------------------------------------------------------------ */

/* A reader stops at damage unless it was told to go on. */
static void test_not_asked(void **state)
{
    (void)state;
    struct sample_batches p;
    struct sample_file file;
    struct trace_reader *reader;
    const struct trace_call *call;
    int rc;
    sample_parts_write(&p);
    sample_parts_damage(&p, 4);
    sample_file_open(&file);
    sample_file_set(&file, p.file.data, p.file.len);
    assert_int_equal(trace_reader_open(&reader, file.path), 0);
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL)
        trace_call_release(reader, call);
    assert_int_equal(rc, TRACE_ERR_FORMAT);
    assert_int_equal(trace_reader_next_call(reader, &call), TRACE_ERR_FORMAT);
    trace_reader_close(reader);
    sample_file_close(&file);
    buf_fini(&p.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_chunk),     cmocka_unit_test(test_several_chunks),
        cmocka_unit_test(test_nothing_after), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
