/* SPDX-License-Identifier: MIT */
/* One producer and one consumer, step by step; test_ring_merging.c has the threads. */
#include "cmocka_all.h"
#include "record_merger.h"
#include "ring_pool.h"

#include "base/error.h"
#include "spec_ids.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
    struct record r = {.size = size, .function = function, .kind = kind};
    if (kind == RECORD_ENTER || kind == RECORD_LEAVE)
        r.order = (uint32_t)ring_take_order(p);
    memcpy(at, &r, sizeof r);
    if (count > 0)
        memcpy(at + sizeof r, words, count * sizeof *words);
    ring_publish(p, size);
}

struct fixture {
    struct segment segment;
    struct ring_pool pool;
    struct record_encoder encoder;
    struct record_merger merger;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    return segment_create(&f->segment, 8) != 0 || ring_pool_init(&f->pool, &f->segment, NULL) != 0 ||
           record_encoder_init(&f->encoder) != 0 ||
           record_merger_init(&f->merger, &f->segment, &f->encoder) != 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    record_merger_fini(&f->merger);
    record_encoder_fini(&f->encoder);
    ring_pool_fini(&f->pool);
    segment_fini(&f->segment);
    free(f);
    return 0;
}

/* A thread that died between taking a number and publishing leaves a gap; what comes after is kept. */
static void test_gap(void **state)
{
    struct fixture *f = *state;
    struct ring_producer p;
    size_t taken;
    assert_int_equal(ring_pool_take(&f->pool, &p), 0);
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

static void note_ticks(void *context, struct trace_event *event, uint64_t ticks)
{
    (void)event;
    *(uint64_t *)context = ticks;
}

static void append_flush(struct ring_producer *p, uint64_t ticks)
{
    uint8_t *at = ring_reserve(p, sizeof(struct record) + RECORD_TIME_SIZE, wait_a_little);
    struct record *r = (struct record *)(void *)at;
    *r = (struct record){.size = sizeof *r, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER};
    ring_put_time(p, r, ticks);
    r->order = (uint32_t)ring_take_order(p);
    ring_publish(p, r->size);
}

/* A ring's next thread starts with times of its own. */
static void test_times_of_a_ring_used_again(void **state)
{
    struct fixture *f = *state;
    static const uint64_t times[] = {(uint64_t)1 << 60, 5};
    uint64_t seen = 0;
    record_encoder_set_hook(&f->encoder, note_ticks, &seen);
    for (unsigned i = 0; i < 2; ++i) {
        struct ring_producer p;
        size_t taken;
        assert_int_equal(ring_pool_take(&f->pool, &p), 0);
        assert_ptr_equal(p.control, &f->segment.control->rings[0]);
        append(&p, 0, RECORD_THREAD, &(uint64_t){i}, 1);
        append_flush(&p, times[i]);
        ring_producer_fini(&p);
        assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
        assert_int_equal(seen, times[i]);
    }
}

/* Records hold the low half of their order number. */
static void test_order_beyond_32_bits(void **state)
{
    struct fixture *f = *state;
    struct ring_producer p;
    size_t taken;
    f->segment.control->next_order = f->merger.next_order = UINT32_MAX;
    assert_int_equal(ring_pool_take(&f->pool, &p), 0);
    append(&p, 0, RECORD_THREAD, &(uint64_t){0}, 1);
    for (unsigned i = 0; i < 3; ++i)
        append(&p, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0);
    assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
    assert_int_equal(f->merger.next_order, (uint64_t)UINT32_MAX + 3);
    assert_int_equal(f->encoder.next_call, 3);
    ring_producer_fini(&p);
}

/* A memory file that claims to be a segment with one ring. */
struct claim {
    uint32_t magic, ring_count, ring_size;
    off_t size;
    int seals;
};

static int attach_claim(const struct claim *claim)
{
    struct segment_control head = {
        .magic = claim->magic, .ring_count = claim->ring_count, .ring_size = claim->ring_size};
    int fd = memfd_create("claim", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(fd, claim->size), 0);
    if (claim->size > 0)
        assert_int_equal(pwrite(fd, &head, sizeof head, 0), sizeof head);
    if (claim->seals != 0)
        assert_int_equal(fcntl(fd, F_ADD_SEALS, claim->seals), 0);
    struct segment s;
    int rc = segment_attach(&s, fd);
    if (rc == 0)
        segment_fini(&s);
    return rc;
}

/* The file behind a descriptor is not trusted to be a segment; each check is needed. */
static void test_attach_rejects(void **state)
{
    (void)state;
    struct segment sample;
    struct stat st;
    assert_int_equal(segment_create(&sample, 1), 0);
    assert_int_equal(fstat(sample.fd, &st), 0);
    segment_fini(&sample);
    const struct claim good = {SEGMENT_MAGIC, 1, RING_SIZE, st.st_size, F_SEAL_SHRINK};
    assert_int_equal(attach_claim(&good), 0);
    struct claim bad[7];
    for (unsigned i = 0; i < 7; ++i)
        bad[i] = good;
    bad[0].magic ^= 1;
    bad[1].ring_count = 0;
    bad[2].ring_count = 2; /* more than it has room for */
    bad[3].ring_count = RING_LIMIT + 1;
    bad[3].size = (off_t)1 << 40;
    bad[4].ring_size = RING_SIZE / 2;
    bad[5].size = 0;
    bad[6].seals = 0; /* it could be cut off while it is mapped */
    for (unsigned i = 0; i < 7; ++i)
        assert_int_equal(attach_claim(&bad[i]), ERR_FORMAT);
    FILE *file = tmpfile(); /* no memory file at all */
    struct segment s;
    assert_int_equal(segment_attach(&s, dup(fileno(file))), ERR_FORMAT);
    fclose(file);
}

/* A segment that another process made is taken once; a file that is none is not believed to be one. */
static void test_claim(void **state)
{
    (void)state;
    struct segment made, first, second;
    char path[64];
    assert_int_equal(segment_create(&made, 4), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", made.fd);
    assert_int_equal(segment_claim(&first, path, 77), 0);
    assert_int_equal(made.control->claimed, 77);
    assert_int_equal(first.ring_count, 4);
    assert_int_equal(segment_claim(&second, path, 78), 1);
    assert_int_equal(made.control->claimed, 77);
    segment_fini(&first);
    segment_fini(&made);
    FILE *file = tmpfile();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    assert_int_equal(segment_claim(&first, path, 77), ERR_FORMAT);
    assert_int_equal(ftruncate(fileno(file), 1 << 20), 0);
    assert_int_equal(segment_claim(&first, path, 77), ERR_FORMAT);
    fclose(file);
    assert_int_equal(segment_claim(&first, "/nowhere/at/all", 77), ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_times_of_a_ring_used_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order_beyond_32_bits, set_up, tear_down),
        cmocka_unit_test(test_attach_rejects),
        cmocka_unit_test(test_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
