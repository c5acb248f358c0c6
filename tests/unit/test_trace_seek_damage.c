/* SPDX-License-Identifier: MIT
 * Tests seeking in a damaged trace, or with a damaged index: no call is wrong, losses are reported, and the
 * index is used as long as it is right.
 */
#include "base/error.h"
#include "base/little_endian.h"
#include "seek_sample.h"
#include "formats/apitrace/container/chunk.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

/* Seeks to the call and the frame. Returns whether the index is still used. */
static bool is_index_used(const struct seek_sample *s)
{
    struct trace_reader *r = seek_sample_read(&s->indexed, false);
    struct trace_raw_events *e;
    uint64_t before;
    seek_sample_expect(s, r, 0, 0, 1, false);
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    seek_sample_expect(s, r, 1000, 0, 5, false);
    trace_reader_close(r);
    r = seek_sample_read(&s->indexed, false);
    assert_int_equal(trace_reader_seek_frame(r, 20), 0);
    seek_sample_expect(s, r, 0, 20, 5, false);
    trace_reader_close(r);
    assert_int_equal(trace_raw_events_open(&e, s->indexed.path, false), 0);
    assert_int_equal(trace_raw_events_seek_frame(e, 20, &before), 0);
    bool is_used = trace_raw_events_index(e) != NULL;
    assert_true(is_used ? before > 0 : before == 0);
    const struct trace_raw_event *event;
    assert_int_equal(trace_raw_events_next(e, &event), 0);
    assert_non_null(event);
    assert_true(is_used ? event->call > 0 : event->call == 0);
    trace_raw_events_close(e);
    return is_used;
}

/* A table is not where the index says: the trace is read without the index. */
static void test_wrong_references(void **state)
{
    (void)state;
    static const struct seek_change changes[] = {{.at = 0},
                                                 {.at = 1},
                                                 {.at = 100},
                                                 {.size = 1},
                                                 {.size = (size_t)-1},
                                                 {.size = (size_t)1 << 40},
                                                 {.is_the_next = true}};
    static const enum trace_container containers[] = {TRACE_CONTAINER_SNAPPY, TRACE_CONTAINER_ZLIB,
                                                      TRACE_CONTAINER_BROTLI, TRACE_CONTAINER_ZSTD};
    for (size_t c = 0; c < 4; ++c)
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
            struct seek_sample *s = seek_sample_new_changed(containers[c], true, &changes[i]);
            assert_int_equal(is_index_used(s), i == 0);
            seek_sample_free(s);
        }
}

/* Makes it impossible to decompress chunk `index` of a Snappy file. */
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

/* Returns the number of the last call whose enter event ends in this chunk. */
static uint64_t last_call_in(const struct seek_sample *s, uint64_t chunk)
{
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    uint64_t offset;
    uint64_t call = 0;
    assert_int_equal(trace_raw_events_open(&events, s->plain.path, false), 0);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL)
        if (event->tag == TRACE_RAW_EVENT_ENTER && trace_raw_events_chunk(events, &offset)->number == chunk)
            call = event->call;
    trace_raw_events_close(events);
    return call;
}

/* Reads to the end. Returns the number of damaged parts, and leaves the last one's message. *first gets the
 * number of the first call, and *count the number of calls, which must be in the sample. */
static unsigned read_damaged(const struct seek_sample *s, struct trace_reader *r, uint64_t *first,
                             unsigned *count, char message[256])
{
    const struct trace_call *call;
    unsigned damages = 0;
    int rc;
    *count = 0;
    while ((rc = trace_reader_next_call(r, &call)) == TRACE_ERR_DAMAGED || call != NULL) {
        if (rc == TRACE_ERR_DAMAGED) {
            snprintf(message, 256, "%s", trace_error_message());
            damages++;
            continue;
        }
        unsigned i = 0;
        while (s->calls[i].number != call->number)
            i++;
        assert_string_equal(call->sig->name, s->calls[i].name);
        assert_int_equal(trace_value_to_uint(&call->args[0], UINT64_MAX), call->number);
        *first = (*count)++ == 0 ? call->number : *first;
        trace_call_release(r, call);
    }
    assert_int_equal(rc, 0);
    return damages;
}

/* The target is in a chunk that cannot be read. The index remains in use, no other chunk is read, the loss is
 * reported, and reading can go on. */
static void test_damaged_chunk(void **state)
{
    (void)state;
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_SNAPPY);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    char message[256];
    uint64_t first = 0;
    unsigned count;
    const uint64_t number = last_call_in(s, 10);
    sample_file_get(&s->indexed, &bytes);
    spoil_chunk(&bytes, 3);
    spoil_chunk(&bytes, 10);
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = seek_sample_read(&s->indexed, true);
    trace_reader_resume_after_damage(r);
    assert_int_equal(trace_reader_seek_call(r, number), 0);
    assert_int_equal(read_damaged(s, r, &first, &count, message), 1);
    assert_non_null(strstr(message, "chunk 10 "));
    assert_true(first > number && first < number + 60 && count > SEEK_CALLS - first - 20);
    assert_int_equal(trace_reader_seek_call(r, SEEK_CALLS - 200), 0);
    seek_sample_expect(s, r, SEEK_CALLS - 200, 0, UINT32_MAX, true);
    trace_reader_close(r);

    r = seek_sample_read(&s->indexed, true); /* does not go on after damage */
    assert_int_equal(trace_reader_seek_call(r, number), 0);
    assert_int_equal(trace_reader_next_call(r, &call), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "chunk 10 "));
    assert_int_equal(trace_reader_seek_call(r, SEEK_CALLS - 200), 0);
    seek_sample_expect(s, r, SEEK_CALLS - 200, 0, UINT32_MAX, true);
    trace_reader_close(r);
    buf_fini(&bytes);
    seek_sample_free(s);
}

/* A large name is in a damaged chunk. This is reported once, its enumeration has no names, and the index
 * remains in use: the other damaged chunk is not read. */
static void test_damaged_reference(void **state)
{
    (void)state;
    struct seek_sample *s = seek_sample_new_changed(TRACE_CONTAINER_SNAPPY, true, NULL);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    char message[256];
    uint64_t first = 0;
    unsigned count;
    unsigned chunk = 0;
    while (last_call_in(s, chunk) < 300)
        chunk++;
    sample_file_get(&s->indexed, &bytes);
    uint8_t *at = memmem(bytes.data, bytes.len, "GL_VALUE_4", 10);
    assert_non_null(at);
    memset(at, 0xff, 30);
    spoil_chunk(&bytes, chunk);
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = seek_sample_read(&s->indexed, false);
    trace_reader_resume_after_damage(r);
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    assert_int_equal(read_damaged(s, r, &first, &count, message), 1);
    assert_non_null(strstr(message, "names that are defined there are lost"));
    assert_int_equal(first, 1000);
    assert_int_equal(count, SEEK_CALLS - 1000);
    assert_int_equal(trace_reader_seek_call(r, 900), 0);
    assert_int_equal(read_damaged(s, r, &first, &count, message), 0);
    assert_int_equal(count, SEEK_CALLS - 900);
    trace_reader_close(r);

    r = seek_sample_read(&s->indexed, false); /* does not go on after damage */
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    assert_int_equal(trace_reader_next_call(r, &call), TRACE_ERR_FORMAT);
    trace_reader_close(r);
    buf_fini(&bytes);
    seek_sample_free(s);
}

/* A byte of a chunk changes so that it can still be decompressed. The checksum reveals it, and reading goes
 * on behind the chunk. */
static void test_checksums(void **state)
{
    (void)state;
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_SNAPPY);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    sample_file_get(&s->indexed, &bytes);
    uint8_t *at = memmem(bytes.data, bytes.len, "glFunction9", 11);
    assert_non_null(at);
    at[2] = 'G';
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = seek_sample_read(&s->indexed, false);
    trace_reader_resume_after_damage(r);
    int rc;
    unsigned damages = 0;
    unsigned count = 0;
    unsigned with_name = 0; /* calls of the function whose first call is in the damaged chunk */
    do {
        rc = trace_reader_next_call(r, &call);
        count += rc == 0 && call != NULL;
        with_name += rc == 0 && call != NULL && call->number / SEEK_FUNCTIONS == 9;
        if (rc == TRACE_ERR_DAMAGED) {
            assert_non_null(strstr(trace_error_message(), "wrong checksum"));
            damages++;
        }
        assert_true(rc == 0 || rc == TRACE_ERR_DAMAGED);
        if (rc == 0)
            trace_call_release(r, call);
    } while (rc != 0 || call != NULL);
    assert_int_equal(damages, 1);
    assert_true(count > SEEK_CALLS - 200 && count < SEEK_CALLS);
    assert_true(with_name > 0);
    trace_reader_close(r);
    buf_fini(&bytes);
    seek_sample_free(s);
}

/* Reads to the end. Counts the calls from that number on. */
static unsigned count_calls(struct trace_reader *r, uint64_t from)
{
    const struct trace_call *call;
    unsigned count = 0;
    while (trace_reader_next_call(r, &call) == 0 && call != NULL) {
        count += call->number >= from;
        trace_call_release(r, call);
    }
    return count;
}

/* The index is damaged anywhere: it is not used then, and no call is missing or wrong. */
static void test_damaged_index(void **state)
{
    (void)state;
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_SNAPPY);
    struct buf bytes = BUF_INIT;
    struct trace_call_set last = {0};
    assert_int_equal(trace_call_set_parse(&last, "1195-"), 0);
    sample_file_get(&s->indexed, &bytes);
    uint8_t *head = memmem(bytes.data, bytes.len, "TRAILER", 7);
    assert_non_null(head);
    for (size_t at = (size_t)(head - bytes.data), i = 0; at < bytes.len; at += 3, ++i) {
        const uint64_t number = i * 37 % SEEK_CALLS;
        struct trace_reader *r;
        bytes.data[at] ^= 0x10;
        sample_file_set(&s->indexed, bytes.data, bytes.len);
        assert_int_equal(trace_reader_open(&r, s->indexed.path), 0);
        assert_int_equal(trace_reader_seek_call(r, number), 0);
        seek_sample_expect(s, r, number, 0, 3, false);
        assert_int_equal(trace_reader_seek_frame(r, i % s->frames), 0);
        seek_sample_expect(s, r, 0, i % s->frames, 3, false);
        trace_reader_close(r);
        r = seek_sample_read(&s->indexed, false);
        trace_reader_want_calls(r, &last);
        assert_int_equal(trace_reader_seek_frame(r, i % 10), 0);
        assert_int_equal(count_calls(r, SEEK_CALLS - 5), 5);
        trace_reader_close(r);
        bytes.data[at] ^= 0x10;
    }
    trace_call_set_fini(&last);
    buf_fini(&bytes);
    seek_sample_free(s);
}

/* --- jumps by a damaged index ------------------------------------------------------------------------ */

/* How often each call was returned. */
struct seen {
    unsigned enters[SEEK_CALLS], leaves[SEEK_CALLS];
    unsigned calls; /* number of calls of which at least a part was returned */
};

static void see(struct seen *s, uint64_t number, bool enter, bool leave)
{
    assert_in_range(number, 0, SEEK_CALLS - 1);
    s->calls += s->enters[number] + s->leaves[number] == 0;
    s->enters[number] += enter;
    s->leaves[number] += leave;
}

static void see_calls(const struct sample_file *f, const struct trace_call_set *set, struct seen *seen)
{
    struct trace_reader *r;
    const struct trace_call *call;
    assert_int_equal(trace_reader_open(&r, f->path), 0);
    trace_reader_want_calls(r, set);
    for (;;) {
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        if (call == NULL)
            break;
        see(seen, call->number, true, true);
        trace_call_release(r, call);
    }
    trace_reader_close(r);
}

/* Calls that never return are counted as if they did. */
static void see_events(const struct sample_file *f, const struct trace_call_set *set, struct seen *seen)
{
    struct trace_raw_events *e;
    const struct trace_raw_event *event;
    struct trace_raw_event rest;
    assert_int_equal(trace_raw_events_open(&e, f->path, false), 0);
    trace_raw_events_want_calls(e, set);
    for (;;) {
        assert_int_equal(trace_raw_events_next(e, &event), 0);
        if (event == NULL)
            break;
        see(seen, event->call, event->tag == TRACE_RAW_EVENT_ENTER, event->tag == TRACE_RAW_EVENT_LEAVE);
    }
    while (trace_raw_events_next_incomplete(e, &rest))
        see(seen, rest.call, false, true);
    trace_raw_events_close(e);
}

/* Reads some calls, then seeks to others. Wherever the index is damaged, no wanted call is missing and no
 * call comes twice, not even if reading starts again. */
static void check_jumps(void (*read)(const struct sample_file *, const struct trace_call_set *,
                                     struct seen *))
{
    static struct seen seen;
    struct seek_sample *s = seek_sample_new(TRACE_CONTAINER_SNAPPY);
    struct buf bytes = BUF_INIT;
    struct trace_call_set set = {0};
    unsigned jumped = 0, read_all = 0;
    assert_int_equal(trace_call_set_parse(&set, "0-3,1195-"), 0);
    sample_file_get(&s->indexed, &bytes);
    uint8_t *head = memmem(bytes.data, bytes.len, "TRAILER", 7);
    assert_non_null(head);
    for (size_t at = (size_t)(head - bytes.data); at < bytes.len; at += 5) {
        bytes.data[at] ^= 0x10;
        sample_file_set(&s->indexed, bytes.data, bytes.len);
        memset(&seen, 0, sizeof seen);
        read(&s->indexed, &set, &seen);
        for (uint64_t n = 0; n < SEEK_CALLS; ++n) {
            bool is_wanted = n < 4 || n >= 1195;
            assert_in_range(seen.enters[n], is_wanted, 1);
            assert_in_range(seen.leaves[n], is_wanted, 1);
        }
        jumped += seen.calls < 700;
        read_all += seen.calls == SEEK_CALLS;
        bytes.data[at] ^= 0x10;
    }
    assert_true(jumped > 20 && read_all > 20);
    trace_call_set_fini(&set);
    buf_fini(&bytes);
    seek_sample_free(s);
}

static void test_jumping_calls(void **state)
{
    (void)state;
    check_jumps(see_calls);
}

static void test_jumping_events(void **state)
{
    (void)state;
    check_jumps(see_events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_references),  cmocka_unit_test(test_damaged_chunk),
        cmocka_unit_test(test_damaged_reference), cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_damaged_index),     cmocka_unit_test(test_jumping_calls),
        cmocka_unit_test(test_jumping_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
