/* SPDX-License-Identifier: MIT
 * Tests copies of calls: they are the same after the reader has used the memory of the originals again.
 */
#include "formats/apitrace/read/reader.h"
#include "trace/call_copy.h"
#include "trace/text/call_text.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdlib.h>

/* Appends the text of a call with its backtrace, and the bytes of its blobs, which are not in the text. */
static void append_call(struct buf *out, const struct trace_call *call)
{
    static const struct trace_call_text_style style = {.call_nos = true, .thread_ids = true};
    struct trace_call_text *f = calloc(1, sizeof *f);
    assert_non_null(f);
    trace_call_text_init_zeroed(f, &style);
    assert_int_equal(trace_call_text_add(f, call), 0);
    assert_int_equal(buf_append(out, f->out.data, f->out.len), 0);
    for (uint32_t i = 0; i < call->arg_count; ++i)
        if (call->args[i].type == TRACE_BLOB)
            assert_int_equal(buf_append(out, call->args[i].u.blob, call->args[i].count), 0);
    trace_call_text_fini(f);
    free(f);
}

static struct trace_reader *open_sample(struct sample_file *f)
{
    struct trace_reader *reader = NULL;
    struct buf stream = {0};
    sample_encode_stream(&stream);
    sample_file_open(f);
    sample_file_pack(f, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    buf_fini(&stream);
    assert_int_equal(trace_reader_open(&reader, f->path), 0);
    return reader;
}

static void test_copies_of_every_type(void **state)
{
    (void)state;
    struct sample_file file;
    struct arena arena;
    const struct trace_call *call, *copies[SAMPLE_CALLS];
    struct buf before = {0}, after = {0};
    struct trace_reader *reader = open_sample(&file);
    arena_init(&arena);
    for (unsigned i = 0; i < SAMPLE_CALLS; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        append_call(&before, call);
        assert_non_null(copies[i] = trace_call_copy(&arena, call));
        trace_call_release(reader, call);
    }
    for (unsigned i = 0; i < SAMPLE_CALLS; ++i)
        append_call(&after, copies[i]);
    assert_int_equal(after.len, before.len);
    assert_memory_equal(after.data, before.data, before.len);
    assert_int_equal(copies[SAMPLE_BACKTRACE]->frame_count, 2);
    assert_null(copies[SAMPLE_NO_ARGS]->frames);
    buf_fini(&before);
    buf_fini(&after);
    arena_fini(&arena);
    trace_reader_close(reader);
    sample_file_close(&file);
}

/* A value that apitrace does not have: one of several alternatives. */
static void test_copy_of_a_choice(void **state)
{
    (void)state;
    struct arena arena;
    char text[] = "old";
    const struct trace_value item = {.type = TRACE_STRING, .count = 3, .u.string = text};
    const struct trace_value choice = {.type = TRACE_CHOICE, .u.items = &item};
    const struct trace_call call = {.arg_count = 1, .args = &choice, .ret = {.type = TRACE_NONE}};
    arena_init(&arena);
    const struct trace_call *copy = trace_call_copy(&arena, &call);
    assert_non_null(copy);
    memcpy(text, "new", 3);
    assert_string_equal(copy->args[0].u.items[0].u.string, "old");
    arena_fini(&arena);
}

/* What is read one after the other is next to each other in memory. */
static void test_copies_are_adjacent(void **state)
{
    (void)state;
    struct arena arena;
    const struct trace_value number = {.type = TRACE_UINT, .u.uint = 1};
    const struct trace_call call = {.arg_count = 1, .args = &number, .ret = {.type = TRACE_NONE}};
    arena_init(&arena);
    const char *first = (const char *)trace_call_copy(&arena, &call);
    const char *second = (const char *)trace_call_copy(&arena, &call);
    assert_true(second > first);
    assert_true((size_t)(second - first) <= sizeof call + sizeof number + (size_t)2 * ARENA_ALIGNMENT);
    arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_of_every_type),
        cmocka_unit_test(test_copy_of_a_choice),
        cmocka_unit_test(test_copies_are_adjacent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
