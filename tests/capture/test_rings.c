/* SPDX-License-Identifier: MIT */
/* Tests one producer and one consumer, step by step. test_ring_merging.c tests threads. */
#include "cmocka_all.h"
#include "records/record_check.h"
#include "records/record_merger.h"
#include "records/ring_pool.h"
#include "sample_records.h"

#include "base/error.h"
#include "spec_ids.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
    append_record(p, function, kind, words, count, wait_a_little);
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

/* A thread that ends after it has taken a number, and before it publishes, leaves a gap. Later records are
 * kept. */
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

static void append_with_order(struct ring_producer *p, uint64_t order)
{
    const struct record r = {
        .size = sizeof r, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER, .order = (uint32_t)order};
    memcpy(ring_reserve(p, sizeof r, wait_a_little), &r, sizeof r);
    ring_publish(p, sizeof r);
}

static void drain(struct fixture *f)
{
    size_t taken;
    do
        assert_int_equal(record_merger_drain(&f->merger, 1 << 20, &taken), 0);
    while (taken > 0);
}

/* A record that was counted as lost, but is published later, is not lost. */
static void test_late_record(void **state)
{
    struct fixture *f = *state;
    struct ring_producer a, b;
    assert_int_equal(ring_pool_take(&f->pool, &a), 0);
    assert_int_equal(ring_pool_take(&f->pool, &b), 0);
    uint64_t late = ring_take_order(&a);
    append(&b, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0);
    drain(f);
    assert_int_equal(f->encoder.next_call, 0); /* its call is waited for */
    assert_true(record_merger_skip_gap(&f->merger));
    drain(f);
    assert_int_equal(f->encoder.next_call, 1);
    assert_int_equal(f->merger.lost, 1);
    append_with_order(&a, late);
    drain(f);
    assert_int_equal(f->encoder.next_call, 2);
    assert_int_equal(f->merger.lost, 0);
    append_with_order(&a, late); /* twice: the loss cannot be taken back again */
    drain(f);
    assert_int_equal(f->merger.lost, 0);
    assert_int_equal(f->merger.next_order, 2);
    ring_producer_fini(&a);
    ring_producer_fini(&b);
}

/* A number that was never assigned is not waited for. The record with it is not lost; others are counted. */
static void test_numbers_that_were_not_given(void **state)
{
    struct fixture *f = *state;
    struct ring_producer a, b;
    assert_int_equal(ring_pool_take(&f->pool, &a), 0);
    assert_int_equal(ring_pool_take(&f->pool, &b), 0);
    uint64_t first = ring_take_order(&a);
    ring_take_order(&b);
    append_with_order(&b, 2); /* the next number to be assigned */
    drain(f);
    assert_int_equal(f->encoder.next_call, 1);
    append_with_order(&a, first);
    append(&a, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0);
    drain(f);
    assert_int_equal(f->encoder.next_call, 2);
    assert_true(record_merger_skip_gap(&f->merger));
    drain(f);
    assert_int_equal(f->encoder.next_call, 3);
    assert_int_equal(f->merger.lost, 0);
    ring_take_order(&a);
    append(&a, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0);
    assert_true(record_merger_skip_gap(&f->merger));
    drain(f);
    assert_int_equal(f->encoder.next_call, 4);
    assert_int_equal(f->merger.lost, 1);
    ring_producer_fini(&a);
    ring_producer_fini(&b);
}

/* A drain takes at least the requested number of bytes, and stops after the record that reaches it. */
static void test_drained_bytes(void **state)
{
    struct fixture *f = *state;
    struct ring_producer p;
    size_t taken;
    assert_int_equal(ring_pool_take(&f->pool, &p), 0);
    for (unsigned i = 0; i < 1000; ++i)
        append(&p, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0);
    for (size_t bytes = 1; bytes < 2000; bytes = bytes * 3 + 7) {
        assert_int_equal(record_merger_drain(&f->merger, bytes, &taken), 0);
        assert_in_range(taken, bytes, bytes + sizeof(struct record) - 1);
    }
    ring_producer_fini(&p);
}

static void note_ticks(void *context, struct trace_raw_event *event, uint64_t ticks)
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

/* The times of a ring's next thread do not depend on the previous one's. */
static void test_times_of_a_ring_used_again(void **state)
{
    struct fixture *f = *state;
    static const uint64_t times[] = {(uint64_t)1 << 60, 5};
    uint64_t seen = 0;
    record_encoder_set_hooks(&f->encoder, note_ticks, NULL, &seen);
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

/* Records have the lower half of their order number. */
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

/* A malformed record costs as little as possible. The next sound one is found, if all records up to the end
 * are sound, or four of them. */
static void test_next_sound_record(void **state)
{
    (void)state;
    enum { LONG = 1, LEAVE, JUNK, CUT /* the head of a longer record */ };
    static const struct {
        uint8_t bytes[16]; /* the sequence of records, up to 0; JUNK: eight bytes */
        uint64_t expected;
    } rows[] = {
        {{JUNK, LEAVE, 0}, 8},
        {{JUNK, JUNK, JUNK, LEAVE, 0}, 24},
        {{JUNK, JUNK, JUNK, LONG, LEAVE, 0}, 24},
        {{JUNK, JUNK, LEAVE, LEAVE, LEAVE, LEAVE, JUNK, JUNK, 0}, 16},
        {{JUNK, JUNK, LEAVE, LEAVE, LEAVE, JUNK, JUNK, 0}, 16 + 48 + 16},
        {{JUNK, JUNK, LEAVE, LEAVE, LEAVE, JUNK, LONG, 0}, 16 + 48 + 8},
        {{JUNK, JUNK, LEAVE, JUNK, 0}, 40},
        {{JUNK, JUNK, 0}, 16},
        {{JUNK, LEAVE, CUT, 0}, 40}, /* not accepted: CUT would end behind the end */
        {{JUNK, CUT, 0}, 24},
        {{JUNK, JUNK, JUNK, 0}, 24},
        {{JUNK, 0}, 8},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint8_t data[512];
        uint64_t size = 0;
        for (unsigned k = 0; rows[i].bytes[k] != 0; ++k) {
            uint8_t what = rows[i].bytes[k];
            const struct record r = {.size = what == LONG || what == CUT ? 40 : 16,
                                     .function = SPEC_FN_glFlush,
                                     .kind = what == LONG ? RECORD_ENTER : RECORD_LEAVE};
            memset(data + size, 0xff, 40);
            if (what != JUNK)
                memcpy(data + size, &r, sizeof r);
            size += what == JUNK ? 8 : what == CUT ? 16 : r.size;
        }
        uint8_t *end = malloc(size); /* a sanitizer notices reads behind it */
        memcpy(end, data, size);
        assert_int_equal(record_next_sound(end, size), rows[i].expected);
        free(end);
    }
    /* A record of plausible size is skipped as a whole, whatever is in it. */
    uint8_t inner[72];
    struct record outer = {.size = 56, .kind = 99}, within = {.size = 16, .kind = RECORD_LEAVE};
    memset(inner, 0, sizeof inner);
    memcpy(inner, &outer, sizeof outer);
    for (unsigned at = 16; at < 72; at += 16)
        memcpy(inner + at, &within, at + 16 <= 72 ? 16 : 8);
    memcpy(inner + 56, &within, 16);
    assert_int_equal(record_next_sound(inner, 72), 56);
}

/* Returns whether core dumps leave out the mapping of this address. */
static bool is_left_out(const void *address)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool here = false, out = false;
    unsigned long start, end, at = (unsigned long)(uintptr_t)address;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
            here = at >= start && at < end;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            out = strstr(line, " dd") != NULL;
    }
    fclose(file);
    return out;
}

/* A program's core dump has the program's memory, but not the recorder's. */
static void test_core_dumps(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 3; ++kind) {
        struct segment s, claimed;
        char path[64];
        if (kind == 0)
            assert_int_equal(segment_create_private(&s, 4), 0);
        else
            assert_int_equal(segment_create(&s, 4), 0);
        const struct segment *used = &s;
        if (kind == 2) {
            snprintf(path, sizeof path, "/proc/self/fd/%d", s.fd);
            assert_int_equal(segment_claim(&claimed, path, 7), 0);
            used = &claimed;
        }
        int fd = used->fd;
        ((struct segment *)(uintptr_t)used)->fd = -1; /* as in a traced program */
        uint8_t *data = segment_map_ring(used, 2, (struct ring_place){NULL, 0});
        assert_non_null(data);
        assert_true(is_left_out(used->control));
        assert_true(is_left_out(data));
        assert_true(is_left_out(data + RING_SIZE));
        segment_unmap_ring(data);
        ((struct segment *)(uintptr_t)used)->fd = fd;
        if (kind == 2)
            segment_fini(&claimed);
        segment_fini(&s);
    }
}

/* The limit for file sizes is obeyed exactly. Returns how many rings a child process gets. */
static int rings_under_limit(rlim_t bytes, uint32_t wanted)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct segment s;
        const struct rlimit limit = {bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(segment_create(&s, wanted) == 0 ? (int)s.ring_count : 0);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_file_size_limit(void **state)
{
    (void)state;
    struct segment s;
    struct stat st;
    for (uint32_t rings = 1; rings <= 16; rings *= 4) {
        assert_int_equal(segment_create(&s, rings), 0);
        assert_int_equal(fstat(s.fd, &st), 0);
        segment_fini(&s);
        assert_int_equal(rings_under_limit((rlim_t)st.st_size, rings), rings);
        assert_int_equal(rings_under_limit((rlim_t)st.st_size - 1, rings), rings / 2);
        assert_int_equal(rings_under_limit((rlim_t)st.st_size + 100, 2 * rings), rings);
    }
}

/* The last ring belongs to a thread, and is not shared. */
static void test_one_ring_is_not_shared(void **state)
{
    (void)state;
    for (uint32_t rings = 1; rings <= 2; ++rings) {
        struct segment segment;
        struct ring_pool pool;
        struct ring_producer p;
        assert_int_equal(segment_create(&segment, rings), 0);
        assert_int_equal(ring_pool_init(&pool, &segment, NULL), 0);
        ring_pool_reserve_common(&pool);
        assert_int_equal(pool.common.slot != NULL, rings > 1);
        assert_int_equal(ring_pool_take(&pool, &p), 0);
        ring_producer_fini(&p);
        ring_pool_fini(&pool);
        segment_fini(&segment);
    }
}

/* Of the unused rings, eight stay mapped, because they may be needed soon. */
static void test_idle_rings_are_unmapped(void **state)
{
    (void)state;
    enum { RINGS = 30, KEPT = 8, BUSY = 3 };
    struct segment segment;
    struct ring_pool pool;
    struct ring_producer p[RINGS];
    assert_int_equal(segment_create(&segment, RINGS), 0);
    assert_int_equal(ring_pool_init(&pool, &segment, NULL), 0);
    for (unsigned i = 0; i < RINGS; ++i)
        assert_int_equal(ring_pool_take(&pool, &p[i]), 0);
    for (unsigned i = BUSY; i < RINGS; ++i)
        ring_producer_fini(&p[i]);
    for (unsigned round = 0; round < 2; ++round) {
        unsigned mapped = 0;
        ring_pool_tidy(&pool);
        for (unsigned i = 0; i < RINGS; ++i)
            mapped += pool.slots[i].data != NULL;
        assert_int_equal(mapped, BUSY + KEPT);
        for (unsigned i = 0; i < BUSY; ++i)
            assert_ptr_equal(pool.slots[i].data, p[i].data);
    }
    for (unsigned i = BUSY; i < RINGS; ++i) { /* they are mapped again */
        assert_int_equal(ring_pool_take(&pool, &p[i]), 0);
        append(&p[i], SPEC_FN_glFlush, RECORD_ENTER, NULL, 0);
    }
    for (unsigned i = 0; i < RINGS; ++i)
        ring_producer_fini(&p[i]);
    ring_pool_fini(&pool);
    segment_fini(&segment);
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

/* A file is not trusted to be a segment. Each check is necessary. */
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
    bad[2].ring_count = 2; /* more than fit */
    bad[3].ring_count = RING_LIMIT + 1;
    bad[3].size = (off_t)1 << 40;
    bad[4].ring_size = RING_SIZE / 2;
    bad[5].size = 0;
    bad[6].seals = 0; /* it could be truncated while it is mapped */
    for (unsigned i = 0; i < 7; ++i)
        assert_int_equal(attach_claim(&bad[i]), TRACE_ERR_FORMAT);
    FILE *file = tmpfile(); /* not a memory file */
    struct segment s;
    assert_int_equal(segment_attach(&s, dup(fileno(file))), TRACE_ERR_FORMAT);
    fclose(file);
}

/* A segment that another process made can be claimed once. Other files are rejected. */
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
    assert_int_equal(segment_claim(&first, path, 77), TRACE_ERR_FORMAT);
    assert_int_equal(ftruncate(fileno(file), 1 << 20), 0);
    assert_int_equal(segment_claim(&first, path, 77), TRACE_ERR_FORMAT);
    fclose(file);
    assert_int_equal(segment_claim(&first, "/nowhere/at/all", 77), TRACE_ERR_IO);
}

static int claim_file(const struct claim *claim)
{
    const struct segment_control head = {
        .magic = claim->magic, .ring_count = claim->ring_count, .ring_size = claim->ring_size};
    char path[64];
    struct segment s;
    int fd = memfd_create("claim", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, claim->size), 0);
    assert_int_equal(pwrite(fd, &head, sizeof head, 0), sizeof head);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int rc = segment_claim(&s, path, 77);
    if (rc == 0)
        segment_fini(&s);
    close(fd);
    return rc;
}

/* Each check of a claimed file is necessary. */
static void test_claim_rejects(void **state)
{
    (void)state;
    struct segment sample;
    struct stat st;
    assert_int_equal(segment_create(&sample, 1), 0);
    assert_int_equal(fstat(sample.fd, &st), 0);
    segment_fini(&sample);
    const struct claim good = {SEGMENT_MAGIC, 1, RING_SIZE, st.st_size, 0};
    assert_int_equal(claim_file(&good), 0);
    struct claim bad[5] = {good, good, good, good, good};
    bad[0].magic ^= 1;
    bad[1].ring_size *= 2;
    bad[2].ring_count = 2;
    bad[3].ring_count = RING_LIMIT + 1;
    bad[3].size = (off_t)1 << 40;
    bad[4].size--;
    for (unsigned i = 0; i < 5; ++i)
        assert_int_equal(claim_file(&bad[i]), TRACE_ERR_FORMAT);
}

static size_t pages_mapped(void)
{
    size_t pages;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu", &pages), 1);
    fclose(file);
    return pages;
}

/* Rings use addresses only when they are used themselves. */
static void test_unused_rings_have_no_addresses(void **state)
{
    (void)state;
    struct segment s;
    for (unsigned kind = 0; kind < 2; ++kind) {
        size_t before = pages_mapped();
        assert_int_equal(kind == 0 ? segment_create(&s, RING_LIMIT) : segment_create_private(&s, RING_LIMIT),
                         0);
        assert_in_range(pages_mapped(), before, before + 10 * 1024);
        segment_fini(&s);
        assert_in_range(pages_mapped(), 0, before + 1024);
    }
}

/* Without a descriptor, a ring is mapped by way of others. Nothing else stays mapped. */
static void test_no_addresses_are_lost(void **state)
{
    (void)state;
    struct segment s;
    size_t before = 0;
    assert_int_equal(segment_create(&s, 64), 0);
    close(s.fd);
    s.fd = -1;
    for (unsigned i = 0; i < 50; ++i) {
        uint8_t *data = segment_map_ring(&s, 40, (struct ring_place){NULL, 0});
        assert_non_null(data);
        segment_unmap_ring(data);
        if (i == 0)
            before = pages_mapped();
        assert_in_range(pages_mapped(), 0, before + 10 * 1024);
    }
    segment_fini(&s);
}

/* Records are easy until the ring's next step, and only where there is room. */
static void test_easy_records(void **state)
{
    struct fixture *f = *state;
    struct ring_producer p;
    assert_int_equal(ring_pool_take(&f->pool, &p), 0);
    assert_true(ring_is_easy(&p, PASSING_STEP - 8));
    assert_false(ring_is_easy(&p, PASSING_STEP));
    ring_publish_easily(&p, PASSING_STEP - 8);
    assert_false(ring_is_easy(&p, 8));
    ring_publish(&p, 8);
    assert_true(ring_is_easy(&p, 8));
    while (p.head < RING_SIZE)
        ring_publish(&p, PASSING_STEP);
    assert_false(ring_is_easy(&p, 8));
    atomic_store(&p.control->tail, 16);
    assert_non_null(ring_reserve(&p, 8, wait_a_little));
    assert_true(ring_is_easy(&p, 16));
    assert_false(ring_is_easy(&p, 24));
    ring_producer_fini(&p);
    assert_false(ring_is_easy(&p, 8));
    ring_pool_reserve_common(&f->pool);
    assert_true(ring_pool_borrow(&f->pool, &p, 1, wait_a_little));
    assert_true(ring_is_easy(&p, 8));
    ring_pool_return(&f->pool, &p);
    assert_false(ring_is_easy(&p, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_late_record, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_that_were_not_given, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_drained_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_times_of_a_ring_used_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order_beyond_32_bits, set_up, tear_down),
        cmocka_unit_test(test_next_sound_record),
        cmocka_unit_test(test_core_dumps),
        cmocka_unit_test(test_file_size_limit),
        cmocka_unit_test(test_one_ring_is_not_shared),
        cmocka_unit_test(test_idle_rings_are_unmapped),
        cmocka_unit_test(test_attach_rejects),
        cmocka_unit_test(test_claim),
        cmocka_unit_test(test_claim_rejects),
        cmocka_unit_test(test_unused_rings_have_no_addresses),
        cmocka_unit_test(test_no_addresses_are_lost),
        cmocka_unit_test_setup_teardown(test_easy_records, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
