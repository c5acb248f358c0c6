/* SPDX-License-Identifier: MIT
 * Tests that the index of a trace is the same, byte for byte, whether each event is examined or known calls
 * are skipped.
 */
#include "alike_stream.h"
#include "base/error.h"
#include "cmocka_all.h"
#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/copy/index_events.h"
#include "formats/apitrace/index/index_writer.h"
#include "trace_samples.h"

#include <unistd.h>

#define ROUNDS 1500

/* Like trace_index_events(), but adds one event at a time. */
static int index_each(struct trace_raw_events *e, struct trace_index_builder *b)
{
    const struct trace_raw_event *event;
    int rc;
    while ((rc = trace_raw_events_next(e, &event)) == 0 && event != NULL)
        assert_int_equal(trace_index_builder_add(b, event), 0);
    return rc;
}

/* Adds the first `count` events with times. The events after them have none. */
static void add_timed(struct trace_raw_events *e, struct trace_index_builder *b, unsigned count)
{
    const struct trace_raw_event *event;
    for (; count > 0 && trace_raw_events_next(e, &event) == 0 && event != NULL; --count) {
        struct trace_raw_event timed = *event;
        timed.time = 1000 * (int64_t)count;
        assert_int_equal(trace_index_builder_add(b, &timed), 0);
    }
}

struct made {
    int rc;
    struct sample_file index;
};

static void write_index(struct trace_index_builder *b, uint64_t stream_bytes, struct sample_file *out)
{
    uint64_t size;
    struct trace_chunk_entry whole = {.length = 1, .size = stream_bytes};
    struct trace_chunk_list chunks = {.entries = &whole, .count = 1};
    sample_file_open(out);
    assert_int_equal(trace_index_write(b, trace_codec_of(TRACE_CONTAINER_SNAPPY), &chunks, out->fd, 0, &size),
                     0);
}

static struct made make_index(const char *path, bool each, unsigned segment_bytes, unsigned timed)
{
    struct made m = {.rc = 0};
    struct trace_raw_events *e;
    struct trace_index_builder *b;
    assert_int_equal(trace_raw_events_open(&e, path, false), 0);
    assert_int_equal(trace_index_builder_new(&b), 0);
    trace_index_builder_set_segment_bytes(b, segment_bytes);
    add_timed(e, b, timed);
    m.rc = each ? index_each(e, b) : trace_index_events(e, b, NULL);
    if (m.rc == 0)
        write_index(b, trace_raw_events_offset(e), &m.index);
    trace_index_builder_free(b);
    trace_raw_events_close(e);
    return m;
}

static void assert_same_files(int a, int b)
{
    uint8_t bytes[2][4096];
    ssize_t got = 1;
    for (off_t at = 0; got > 0; at += got) {
        got = pread(a, bytes[0], sizeof bytes[0], at);
        assert_int_equal(pread(b, bytes[1], sizeof bytes[1], at), got);
        assert_memory_equal(bytes[0], bytes[1], (size_t)got);
    }
}

/* Returns 1 if there is an index, otherwise 0. */
static uint64_t check(const struct sample_file *file)
{
    unsigned segment_bytes = 1 + alike_random() % 8000, timed = alike_random() % 4 == 0 ? 50 : 0;
    struct made each = make_index(file->path, true, segment_bytes, timed);
    struct made passed = make_index(file->path, false, segment_bytes, timed);
    assert_int_equal(each.rc, passed.rc);
    if (each.rc != 0)
        return 0;
    assert_same_files(each.index.fd, passed.index.fd);
    sample_file_close(&each.index);
    sample_file_close(&passed.index);
    return 1;
}

static void test_sound(void **state)
{
    (void)state;
    assert_int_equal(alike_stream_check(ROUNDS, false, check), ROUNDS);
}

static void test_damaged(void **state)
{
    (void)state;
    assert_true(alike_stream_check(ROUNDS, true, check) > ROUNDS / 4);
}

/* Makes sure that most calls are skipped: otherwise the tests above would prove nothing. */
static void test_passes(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file file;
    struct trace_raw_events *e;
    const struct trace_raw_event *event;
    uint64_t first, passed = 0;
    sample_file_open(&file);
    alike_stream_make(&stream);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    assert_int_equal(trace_raw_events_open(&e, file.path, false), 0);
    while (trace_raw_events_next(e, &event) == 0 && event != NULL) {
        uint64_t before = trace_raw_events_offset(e) + 1000;
        uint64_t count = trace_raw_events_pass_known_before(e, before, &first);
        assert_int_equal(first + count, trace_raw_events_next_number(e));
        assert_true(count == 0 || trace_raw_events_offset(e) <= before);
        passed += count;
    }
    assert_true(passed > ALIKE_CALLS / 4);
    trace_raw_events_close(e);
    sample_file_close(&file);
    buf_fini(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
