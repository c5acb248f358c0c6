/* SPDX-License-Identifier: MIT
 * Tests the memory of a flight recorder: what stays, what leaves, and what a snapshot holds.
 */
#include "cmocka_all.h"
#include "collector/flight/flight_store.h"

#include "base/error.h"
#include "trace/model.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
    struct flight_store *store;
    uint64_t end, calls, frames;
    uint64_t left; /* the first call that is still stored */
    unsigned gone; /* number of chunks that were removed */
};

static void note_leaving(void *context, const struct flight_chunk *chunk)
{
    struct fixture *f = context;
    assert_true(chunk->next->first_call >= f->left); /* the oldest chunk is removed first */
    f->left = chunk->next->first_call;
    f->gone++;
}

static void open_store(struct fixture *f, uint64_t bytes)
{
    const struct flight_limits limits = {.bytes = bytes};
    *f = (struct fixture){.end = 0};
    assert_int_equal(
        flight_store_new(&f->store, &limits, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, note_leaving, f),
        0);
}

/* Adds an event of this many incompressible bytes. */
static void add_event(struct fixture *f, size_t size, bool ends_frame)
{
    uint8_t *bytes = malloc(size);
    static uint64_t x = 1;
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (uint8_t)((x = x * UINT64_C(6364136223846793005) + 1) >> 56);
    f->end += size;
    f->calls++;
    f->frames += ends_frame;
    assert_int_equal(flight_store_add_time(f->store, (int64_t)f->calls * 1000), 0);
    assert_int_equal(flight_store_cut(f->store, f->end, ends_frame, f->calls, f->frames), 0);
    assert_int_equal(flight_store_append(f->store, bytes, size), 0);
    free(bytes);
}

static void test_the_newest_bytes_stay(void **state)
{
    struct fixture f;
    (void)state;
    open_store(&f, 1 << 20);
    for (unsigned i = 0; i < 20000; ++i) {
        add_event(&f, 500, i % 5 == 4);
        assert_true(flight_store_bytes(f.store) <= (1 << 20) + (1 << 18));
    }
    assert_true(f.gone > 50);
    struct flight_chunk **chunks;
    size_t count;
    assert_int_equal(flight_store_snapshot(f.store, true, f.calls, f.frames, &chunks, &count), 0);
    assert_true(count > 0);
    assert_int_equal(chunks[0]->first_call, f.left);
    assert_int_equal(chunks[0]->first_call % 5, 0); /* the start of a frame */
    assert_int_equal(chunks[0]->first_frame, chunks[0]->first_call / 5);
    assert_int_equal(chunks[0]->first_time, (int64_t)(chunks[0]->first_call + 1) * 1000);
    assert_int_equal(chunks[count - 1]->last_time, (int64_t)f.calls * 1000);
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; ++i) {
        assert_true(chunks[i]->starts_frame);
        bytes += chunks[i]->blocks.len;
    }
    assert_true(bytes > (1 << 20) / 2 && bytes <= 1 << 20);

    /* The snapshot outlives the removed chunks. */
    uint64_t first = chunks[0]->first_call;
    for (unsigned i = 0; i < 20000; ++i)
        add_event(&f, 500, false);
    assert_int_equal(chunks[0]->first_call, first);
    flight_chunks_unref(chunks, count);
    flight_store_free(f.store);
}

static void test_what_is_larger_than_the_memory_leaves(void **state)
{
    struct fixture f;
    struct flight_chunk **chunks;
    size_t count;
    (void)state;
    open_store(&f, FLIGHT_MIN_BYTES);
    add_event(&f, 100, true);
    add_event(&f, 20 << 20, false);
    add_event(&f, 100, true);
    add_event(&f, 100, true);
    assert_int_equal(flight_store_snapshot(f.store, true, f.calls, f.frames, &chunks, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(chunks[0]->first_call, 2);
    assert_true(flight_store_bytes(f.store) < 2 * FLIGHT_MIN_BYTES);
    flight_chunks_unref(chunks, count);
    flight_store_free(f.store);
}

static void test_an_empty_memory_has_an_empty_snapshot(void **state)
{
    struct fixture f;
    struct flight_chunk **chunks;
    size_t count;
    (void)state;
    open_store(&f, FLIGHT_MIN_BYTES);
    assert_int_equal(flight_store_snapshot(f.store, false, 0, 0, &chunks, &count), 0);
    assert_int_equal(count, 0);
    flight_chunks_unref(chunks, count);
    flight_store_free(f.store);
}

static void test_frames_longer_than_the_memory_leave_in_parts(void **state)
{
    struct fixture f;
    struct flight_chunk **chunks;
    size_t count;
    (void)state;
    open_store(&f, FLIGHT_MIN_BYTES);
    for (unsigned i = 0; i < 1000; ++i)
        add_event(&f, 500, false);
    assert_int_equal(flight_store_snapshot(f.store, false, f.calls, f.frames, &chunks, &count), 0);
    assert_true(count > 3);
    assert_false(chunks[0]->starts_frame);
    flight_chunks_unref(chunks, count);
    flight_store_free(f.store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_newest_bytes_stay),
        cmocka_unit_test(test_what_is_larger_than_the_memory_leaves),
        cmocka_unit_test(test_an_empty_memory_has_an_empty_snapshot),
        cmocka_unit_test(test_frames_longer_than_the_memory_leave_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
