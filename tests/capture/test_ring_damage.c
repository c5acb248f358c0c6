/* SPDX-License-Identifier: MIT
 * What no producer writes, in the rings: it costs what was hit, and nothing before or behind it.
 */
#include "cmocka_all.h"
#include "records/record_check.h"
#include "sample_records.h"
#include "sample_ring.h"

#include "next_random.h"
#include "spec_ids.h"
#include "formats/apitrace/read/reader.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CALLS 100

static int set_up(void **state)
{
    struct sample_ring *f = calloc(1, sizeof *f);
    *state = f;
    return sample_ring_open(f);
}

static int tear_down(void **state)
{
    sample_ring_close(*state);
    free(*state);
    return 0;
}

/* Appends the enter and the leave of a call. Returns the position of the enter. */
static uint8_t *append_call(struct sample_ring *f, uint64_t number)
{
    uint8_t *at = sample_ring_append(f, SPEC_FN_glClearStencil, RECORD_ENTER, &number, 1);
    sample_ring_append(f, SPEC_FN_glClearStencil, RECORD_LEAVE, NULL, 0);
    return at;
}

/* Checks that each of the calls 0 to CALLS - 1 is in the trace once, and complete, except the one numbered
 * `without`. */
static void check_calls(struct sample_ring *f, uint64_t without)
{
    uint8_t seen[CALLS] = {0};
    struct trace_reader *reader = open_encoded(&f->encoder);
    const struct trace_call *call;
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        uint64_t number = trace_value_to_uint(&call->args[0], UINT64_MAX);
        if (strcmp(call->sig->name, "glClearStencil") == 0 && number < CALLS && call->thread == 0)
            seen[number] += (call->flags & TRACE_CALL_INCOMPLETE) == 0;
        trace_call_release(reader, call);
    }
    assert_null(call);
    trace_reader_close(reader);
    for (uint64_t i = 0; i < CALLS; ++i)
        if (i != without)
            assert_int_equal(seen[i], 1);
}

/* Bytes that overwrite an enter of 24 bytes. */
static const struct damage {
    const char *what;
    struct record header;
    uint8_t bytes; /* number of bytes that are written */
} damages[] = {
    {"no size", {.size = 0}, 4},
    {"a size less than a header", {.size = 8}, 4},
    {"an odd size", {.size = 25}, 4},
    {"a size into the next record", {.size = 32}, 4},
    {"a size beyond what is published", {.size = 1 << 20}, 4},
    {"a size beyond the ring", {.size = UINT32_MAX & ~7u}, 4},
    {"no kind", {.size = 24, .function = SPEC_FN_glClearStencil, .kind = 0}, 8},
    {"an unknown kind", {.size = 24, .function = SPEC_FN_glClearStencil, .kind = 77}, 8},
    {"unknown flags",
     {.size = 24, .function = SPEC_FN_glClearStencil, .kind = RECORD_ENTER, .flags = 0x80},
     8},
    {"an unknown function", {.size = 24, .function = UINT16_MAX, .kind = RECORD_ENTER}, 8},
    {"another function's body", {.size = 24, .function = SPEC_FN_glTexImage2D, .kind = RECORD_ENTER}, 8},
    {"a piece of something", {.size = 24, .function = SPEC_FN_glClearStencil, .kind = RECORD_DATA}, 8},
    {"a leave", {.size = 24, .function = SPEC_FN_glFinish, .kind = RECORD_LEAVE}, 8},
    {"zeros", {.size = 0}, 16},
};

static void test_a_damaged_record_costs_itself(void **state)
{
    for (unsigned i = 0; i < sizeof damages / sizeof damages[0]; ++i) {
        const struct damage *d = &damages[i];
        assert_int_equal(set_up(state), 0);
        struct sample_ring *f = *state;
        for (uint64_t n = 0; n < CALLS; ++n) {
            uint8_t *at = append_call(f, n);
            if (n == 50)
                memcpy(at, &d->header, d->bytes);
        }
        print_message("%s\n", d->what);
        sample_ring_drain(f);
        check_calls(f, 50);
        assert_in_range(f->merger.lost + f->merger.damaged, 1, 4);
        tear_down(state);
    }
}

/* The same for the last record before a drain: later records are read. */
static void test_damage_at_the_end(void **state)
{
    for (unsigned i = 0; i < sizeof damages / sizeof damages[0]; ++i) {
        assert_int_equal(set_up(state), 0);
        struct sample_ring *f = *state;
        for (uint64_t n = 0; n < CALLS; ++n) {
            uint8_t *at = append_call(f, n);
            if (n == 50)
                memcpy(at, &damages[i].header, damages[i].bytes);
            if (n == 50 || n == 60)
                sample_ring_drain(f);
        }
        sample_ring_drain(f);
        check_calls(f, 50);
        tear_down(state);
    }
}

/* An order number that was never assigned is not waited for, and the one that it replaced is not lost. */
static void test_wrong_order(void **state)
{
    struct sample_ring *f = *state;
    for (uint64_t n = 0; n < CALLS; ++n) {
        struct record *r = (struct record *)(void *)append_call(f, n);
        if (n == 50)
            r->order += 1 << 30;
    }
    size_t taken;
    assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
    sample_ring_drain(f);
    check_calls(f, CALLS);
    assert_int_equal(f->merger.lost, 0);
    assert_int_equal(f->merger.next_order, 2 * CALLS);
}

/* An impossible head: the ring's contents are skipped, and later records are read. */
static void test_wrong_head(void **state)
{
    struct sample_ring *f = *state;
    append_call(f, 1000);
    atomic_store(&f->ring.control->head, (uint64_t)1 << 40);
    sample_ring_drain(f);
    f->ring.head = f->ring.tail_seen = (uint64_t)1 << 40;
    sample_ring_append(f, 0, RECORD_THREAD, &(uint64_t){0}, 1);
    for (uint64_t n = 0; n < CALLS; ++n)
        append_call(f, n);
    sample_ring_drain(f);
    check_calls(f, CALLS);
}

/* Each number of the control block is overwritten. Nothing outside of the rings is touched, and records are
 * read again once the producer has published some. */
static void test_wild_control_block(void **state)
{
    struct sample_ring *f = *state;
    struct segment_control *s = f->segment.control;
    struct segment_control before = *s;
    static const uint64_t numbers[] = {UINT64_MAX, 0, 1, 0x1234567, (uint64_t)1 << 63};
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        s->magic = s->ring_count = s->ring_size = (uint32_t)numbers[i];
        atomic_store(&s->rings_used, (uint32_t)numbers[i]);
        atomic_store(&s->next_order, numbers[i]);
        for (unsigned ring = 0; ring < 2; ++ring) {
            atomic_store(&s->rings[ring].head, numbers[i]);
            atomic_store(&s->rings[ring].tail, numbers[i]);
            atomic_store(&s->rings[ring].state, i % 2 == 0 ? (uint32_t)numbers[i] : RING_RELEASED);
        }
        sample_ring_drain(f);
    }
    memcpy(s, &before, offsetof(struct segment_control, rings));
    f->ring.head = f->ring.tail_seen = 1 << 20;
    sample_ring_append(f, 0, RECORD_THREAD, &(uint64_t){0}, 1);
    sample_ring_drain(f); /* skips what was published before */
    sample_ring_append(f, 0, RECORD_THREAD, &(uint64_t){0}, 1);
    for (uint64_t n = 0; n < CALLS; ++n)
        append_call(f, n);
    sample_ring_drain(f);
    check_calls(f, CALLS);
}

/* A piece of a body is lost: the rest of the body is zeros. */
static void test_lost_piece(void **state)
{
    struct sample_ring *f = *state;
    /* The size of the body, its words, then the count of a blob, and the blob. */
    const uint64_t half[6] = {6 * 8, 0x8892, 8, 0x1000, 0x88E4, 8}, rest[1] = {0x1111};
    for (uint64_t n = 0; n < 50; ++n)
        append_call(f, n);
    struct record *r =
        (struct record *)(void *)sample_ring_append(f, SPEC_FN_glBufferData, RECORD_ENTER, half, 6);
    r->flags = RECORD_OPEN;
    r->time = record_open_check(half[0]);
    r = (struct record *)(void *)sample_ring_append(f, SPEC_FN_glBufferData, RECORD_DATA, rest, 1);
    r->kind = 99;
    sample_ring_append(f, SPEC_FN_glBufferData, RECORD_END, NULL, 0);
    sample_ring_append(f, SPEC_FN_glBufferData, RECORD_LEAVE, NULL, 0);
    /* A piece with another size than the thread has written. */
    r = (struct record *)(void *)sample_ring_append(f, SPEC_FN_glBufferData, RECORD_ENTER, half, 6);
    r->flags = RECORD_OPEN;
    r->time = record_open_check(half[0]) + 1;
    sample_ring_append(f, SPEC_FN_glBufferData, RECORD_DATA, rest, 1);
    sample_ring_append(f, SPEC_FN_glBufferData, RECORD_END, NULL, 0);
    sample_ring_append(f, SPEC_FN_glBufferData, RECORD_LEAVE, NULL, 0);
    for (uint64_t n = 50; n < CALLS; ++n)
        append_call(f, n);
    sample_ring_drain(f);
    check_calls(f, CALLS);
    assert_int_equal(f->merger.cut, 1);
    assert_int_equal(f->merger.passed_over, 1);
    assert_int_equal(f->merger.damaged, 2); /* the second enter, and a leave without an enter */
    assert_int_equal(f->encoder.next_call, CALLS + 1);
}

/* The program left a call by siglongjmp() while its body was being recorded. Nothing is missing. */
static void test_abandoned_body(void **state)
{
    struct sample_ring *f = *state;
    const uint64_t half[6] = {6 * 8, 0x8892, 8, 0x1000, 0x88E4, 8}, thread = 0;
    struct record *r =
        (struct record *)(void *)sample_ring_append(f, SPEC_FN_glBufferData, RECORD_ENTER, half, 6);
    r->flags = RECORD_OPEN;
    r->time = record_open_check(half[0]);
    sample_ring_append(f, 0, RECORD_SWITCH, &thread, 1);
    for (uint64_t n = 0; n < CALLS; ++n)
        append_call(f, n);
    sample_ring_drain(f);
    check_calls(f, CALLS);
    assert_int_equal(f->merger.cut, 0);
    assert_int_equal(f->merger.damaged + f->merger.passed_over + f->merger.lost, 0);
    assert_int_equal(f->encoder.next_call, CALLS + 1);
}

/* Endless records, which a broken or malicious program could write, leave time for the merger's other
 * work. */
static void test_bytes_without_end(void **state)
{
    struct sample_ring *f = *state;
    size_t taken;
    for (unsigned i = 0; i < 100; ++i) {
        uint8_t *at = f->ring.data;
        for (unsigned k = 0; k < RING_SIZE / 8 / 64; ++k) {
            uint64_t word = next_random();
            memcpy(at + (next_random() % RING_SIZE & ~(uint64_t)7), &word, sizeof word);
        }
        atomic_store(&f->ring.control->head, atomic_load(&f->ring.control->tail) + RING_SIZE);
        assert_int_equal(record_merger_drain(&f->merger, 1 << 16, &taken), 0);
    }
    sample_ring_drain(f);
    trace_reader_close(open_encoded(&f->encoder));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_damaged_record_costs_itself),
        cmocka_unit_test(test_damage_at_the_end),
        cmocka_unit_test_setup_teardown(test_wrong_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_head, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wild_control_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lost_piece, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_abandoned_body, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bytes_without_end, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
