/* SPDX-License-Identifier: MIT */
/* Threads append to their rings while a merger takes the records out: none lost, none twice, all in order. */
#include "cmocka_all.h"
#include "record_merger.h"

#include "spec_ids.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 4
#define CALLS   60000 /* of each thread: several times round the ring */

struct producer {
    struct segment *segment;
    pthread_t thread;
    uint32_t number;
    unsigned calls;
    _Atomic unsigned *running;
};

static bool wait_a_little(struct ring_producer *p)
{
    (void)p;
    sched_yield();
    return true;
}

static void append(struct ring_producer *p, uint16_t function, uint8_t kind, const uint64_t *words,
                   unsigned count)
{
    uint32_t size = (uint32_t)(sizeof(struct record) + count * sizeof *words);
    uint8_t *at = ring_reserve(p, size, wait_a_little);
    struct record r = {size, function, kind, 0, 0};
    if (kind == RECORD_ENTER || kind == RECORD_LEAVE)
        r.order = ring_take_order(p);
    memcpy(at, &r, sizeof r);
    if (count > 0)
        memcpy(at + sizeof r, words, count * sizeof *words);
    ring_publish(p, size);
}

static void *produce(void *argument)
{
    struct producer *self = argument;
    struct ring_producer p;
    if (ring_producer_init(&p, self->segment) != 0)
        return NULL;
    append(&p, 0, RECORD_THREAD, &(uint64_t){self->number}, 1);
    for (uint64_t i = 0; i < self->calls; ++i) {
        const uint64_t words[4] = {self->number, i, 0, 0};
        append(&p, SPEC_FN_glViewport, RECORD_ENTER, words, 4);
        append(&p, SPEC_FN_glViewport, RECORD_LEAVE, NULL, 0);
    }
    ring_producer_fini(&p);
    atomic_fetch_sub(self->running, 1);
    return NULL;
}

struct fixture {
    struct segment segment;
    struct record_encoder encoder;
    struct record_merger merger;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    return segment_create(&f->segment, 8) != 0 || record_encoder_init(&f->encoder) != 0 ||
           record_merger_init(&f->merger, &f->segment, &f->encoder) != 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    record_merger_fini(&f->merger);
    record_encoder_fini(&f->encoder);
    segment_fini(&f->segment);
    free(f);
    return 0;
}

static void drain_until_idle(struct fixture *f, const _Atomic unsigned *running)
{
    size_t taken;
    bool last;
    do {
        last = atomic_load(running) == 0;
        assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
        if (taken == 0)
            sched_yield();
        f->encoder.out.len = 0;
    } while (!last || taken > 0);
}

static void run_threads(struct fixture *f, unsigned count, unsigned calls)
{
    struct producer producers[THREADS];
    _Atomic unsigned running = count;
    for (unsigned i = 0; i < count; ++i) {
        producers[i] = (struct producer){&f->segment, 0, i, calls, &running};
        assert_int_equal(pthread_create(&producers[i].thread, NULL, produce, &producers[i]), 0);
    }
    drain_until_idle(f, &running);
    for (unsigned i = 0; i < count; ++i)
        pthread_join(producers[i].thread, NULL);
}

static void test_one_thread(void **state)
{
    struct fixture *f = *state;
    run_threads(f, 1, 3 * CALLS);
    assert_int_equal(f->encoder.next_call, 3 * CALLS);
    assert_int_equal(f->merger.next_order, 6 * CALLS);
    assert_int_equal(atomic_load(&f->segment.control->next_order), 6 * CALLS);
}

static void test_many_threads(void **state)
{
    struct fixture *f = *state;
    run_threads(f, THREADS, CALLS);
    assert_int_equal(f->encoder.next_call, THREADS * CALLS);
    assert_int_equal(f->merger.next_order, 2 * THREADS * CALLS);
    assert_int_equal(f->merger.lost, 0);
}

/* Rings go from thread to thread: more threads one after the other than there are rings. */
static void test_rings_are_used_again(void **state)
{
    struct fixture *f = *state;
    for (unsigned i = 0; i < 20; ++i)
        run_threads(f, 2, 10);
    assert_int_equal(f->encoder.next_call, 400);
    assert_true(atomic_load(&f->segment.control->rings_used) <= 8);
}

static void test_no_ring_left(void **state)
{
    struct fixture *f = *state;
    struct ring_producer p[9];
    for (unsigned i = 0; i < 8; ++i)
        assert_int_equal(ring_producer_init(&p[i], &f->segment), 0);
    assert_true(ring_producer_init(&p[8], &f->segment) < 0);
    for (unsigned i = 0; i < 8; ++i)
        ring_producer_fini(&p[i]);
}

/* A thread that died between taking a number and publishing leaves a gap; what comes after is kept. */
static void test_gap(void **state)
{
    struct fixture *f = *state;
    struct ring_producer p;
    size_t taken;
    assert_int_equal(ring_producer_init(&p, &f->segment), 0);
    append(&p, 0, RECORD_THREAD, &(uint64_t){0}, 1);
    append(&p, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0);
    ring_take_order(&p);
    append(&p, SPEC_FN_glFlush, RECORD_LEAVE, NULL, 0);
    assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
    assert_int_equal(f->merger.next_order, 1);
    assert_true(record_merger_skip_gap(&f->merger));
    assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
    assert_int_equal(f->merger.next_order, 3);
    assert_int_equal(f->merger.lost, 1);
    assert_false(record_merger_skip_gap(&f->merger));
    ring_producer_fini(&p);
}

/* What a program scribbled over its ring ends that ring, not the collector. */
static void test_broken_ring(void **state)
{
    struct fixture *f = *state;
    static const uint32_t bad_sizes[] = {0, 8, 15, 20, RING_SIZE, UINT32_MAX};
    for (unsigned i = 0; i < sizeof bad_sizes / sizeof bad_sizes[0]; ++i) {
        struct ring_producer p;
        size_t taken;
        assert_int_equal(ring_producer_init(&p, &f->segment), 0);
        uint8_t *at = ring_reserve(&p, 64, wait_a_little);
        memset(at, 0xff, 64);
        memcpy(at, &bad_sizes[i], sizeof bad_sizes[i]);
        ring_publish(&p, 64);
        assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
        assert_int_equal(atomic_load(&p.control->tail), atomic_load(&p.control->head));
        ring_producer_fini(&p);
    }
    assert_int_equal(f->encoder.next_call, 0);
}

/* The file behind a descriptor is not trusted to be a segment. */
static void test_attach_rejects(void **state)
{
    (void)state;
    struct segment s;
    FILE *file = tmpfile();
    assert_true(segment_attach(&s, dup(fileno(file))) < 0);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_thread, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rings_are_used_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_ring_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_gap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_broken_ring, set_up, tear_down),
        cmocka_unit_test(test_attach_rejects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
