/* SPDX-License-Identifier: MIT */
/* The core of capture without GL: threads append records to rings, while another thread merges and encodes
 * them. The trace must have each call once, those of each thread in order. This test also runs under the
 * thread sanitizer. */
#include "records/record_merger.h"
#include "records/ring_pool.h"

#include "base/error.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/reader.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    MAX_PRODUCERS = 6,
    CALL_WORDS = 2,
    CALL_SIZE = sizeof(struct record) + CALL_WORDS * sizeof(uint64_t),
};

struct run {
    struct segment segment;
    struct ring_pool pool;
    const struct spec_function *function; /* glVertex2i(thread, index) */
    uint64_t calls;                       /* of each thread */
    unsigned producers;
    bool in_turn;                 /* threads take turns, one call each */
    _Atomic uint64_t turn;        /* in_turn: number of calls so far */
    _Atomic uint8_t *order_taken; /* how often each order number was assigned */
    _Atomic unsigned finished;
    struct record_encoder encoder;
    uint64_t events_seen[MAX_PRODUCERS];
    uint64_t wrong_times;
    char path[64];
};

struct producer {
    struct run *run;
    uint64_t number;
};

static bool wait_for_space(struct ring_producer *p)
{
    (void)p;
    sched_yield();
    return true;
}

static void write_thread_record(struct ring_producer *p, uint64_t number)
{
    uint32_t size = sizeof(struct record) + sizeof number;
    uint8_t *at = ring_reserve(p, size, wait_for_space);
    *(struct record *)(void *)at = (struct record){.size = size, .kind = RECORD_THREAD};
    memcpy(at + sizeof(struct record), &number, sizeof number);
    ring_publish(p, size);
}

/* Returns when a thread's call i was entered or left: small and large steps, some slightly backwards. */
static uint64_t ticks_of(uint64_t thread, uint64_t i, uint8_t kind)
{
    uint64_t ticks = (thread << 50) + i * 3000000 + (i % 1000 == 999 ? (uint64_t)1 << 40 : 0);
    return ticks + (kind == RECORD_LEAVE ? 100 : 0) - (i > 1 && i % 7 == 0 ? 5000000 : 0);
}

/* The encoder's hook checks that each event has the time of its record. */
static void check_time(void *context, struct trace_raw_event *event, uint64_t ticks)
{
    struct run *run = context;
    uint64_t n = run->events_seen[event->thread]++;
    bool enter = n % 2 == 0;
    if (enter != (event->tag == TRACE_RAW_EVENT_ENTER) ||
        ticks != ticks_of(event->thread, n / 2, enter ? RECORD_ENTER : RECORD_LEAVE))
        run->wrong_times++;
}

static void write_ordered(struct run *run, struct ring_producer *p, uint8_t kind, uint64_t ticks,
                          const uint64_t *words, unsigned count)
{
    uint32_t size = (uint32_t)(sizeof(struct record) + count * sizeof *words);
    uint8_t *at = ring_reserve(p, size + RECORD_TIME_SIZE, wait_for_space);
    struct record *r = (struct record *)(void *)at;
    *r = (struct record){.size = size, .function = run->function->id, .kind = kind};
    if (count > 0)
        memcpy(at + sizeof *r, words, count * sizeof *words);
    ring_put_time(p, r, ticks);
    uint64_t order = ring_take_order(p);
    r->order = (uint32_t)order;
    if (order < 2 * run->calls * run->producers)
        atomic_fetch_add_explicit(&run->order_taken[order], 1, memory_order_relaxed);
    ring_publish(p, r->size);
}

static void *produce(void *argument)
{
    struct producer *self = argument;
    struct run *run = self->run;
    struct ring_producer ring;
    if (ring_pool_take(&run->pool, &ring) != 0)
        abort();
    write_thread_record(&ring, self->number);
    for (uint64_t i = 0; i < run->calls; i++) {
        uint64_t words[CALL_WORDS] = {self->number, i};
        while (run->in_turn && atomic_load(&run->turn) != i * run->producers + self->number)
            sched_yield();
        write_ordered(run, &ring, RECORD_ENTER, ticks_of(self->number, i, RECORD_ENTER), words, CALL_WORDS);
        write_ordered(run, &ring, RECORD_LEAVE, ticks_of(self->number, i, RECORD_LEAVE), NULL, 0);
        atomic_fetch_add(&run->turn, 1);
    }
    ring_producer_fini(&ring);
    atomic_fetch_add(&run->finished, 1);
    return NULL;
}

/* Drains until all producers have finished and the rings are empty. Encoded events go to the file. */
static void *consume(void *argument)
{
    struct run *run = argument;
    struct record_merger merger;
    struct trace_output *output;
    FILE *file = fopen(run->path, "wb");
    if (file == NULL || record_merger_init(&merger, &run->segment, &run->encoder) != 0 ||
        trace_output_open_fd(&output, fileno(file), TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0) != 0)
        abort();
    record_encode_header(&run->encoder, "/a/program", "its arguments");
    size_t taken = 1;
    for (bool last = false; !last || taken > 0;) {
        last = atomic_load(&run->finished) == run->producers;
        if (record_merger_drain(&merger, (size_t)1 << 20, &taken) != 0 ||
            trace_output_write(output, run->encoder.out.data, run->encoder.out.len) != 0)
            abort();
        buf_clear(&run->encoder.out);
        if (taken == 0)
            sched_yield();
    }
    if (trace_output_close(output) != 0 || fclose(file) != 0 || merger.lost != 0)
        abort();
    record_merger_fini(&merger);
    return NULL;
}

static void check_trace(const struct run *run)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    uint64_t next[MAX_PRODUCERS] = {0}, number = 0;
    assert_int_equal(trace_reader_open(&reader, run->path), 0);
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        assert_string_equal(call->sig->name, "glVertex2i");
        assert_int_equal(call->flags & TRACE_CALL_INCOMPLETE, 0);
        assert_true(call->thread < run->producers);
        assert_int_equal(trace_value_to_uint(&call->args[0], UINT64_MAX), call->thread);
        assert_int_equal(trace_value_to_uint(&call->args[1], UINT64_MAX), next[call->thread]);
        if (run->in_turn)
            assert_int_equal(call->thread, number % run->producers);
        next[call->thread]++;
        number++;
        trace_call_release(reader, call);
    }
    assert_null(call);
    trace_reader_close(reader);
    for (unsigned i = 0; i < run->producers; i++)
        assert_int_equal(next[i], run->calls);
    assert_int_equal(number, run->calls * run->producers);
    for (uint64_t i = 0; i < 2 * run->calls * run->producers; i++)
        assert_int_equal(run->order_taken[i], 1);
}

static void run_threads(unsigned producers, uint64_t calls, bool in_turn)
{
    pthread_t threads[MAX_PRODUCERS], consumer;
    struct producer arguments[MAX_PRODUCERS];
    struct run run = {
        .calls = calls, .producers = producers, .in_turn = in_turn, .path = "/tmp/test_ring_merging.XXXXXX"};
    int fd = mkstemp(run.path);
    assert_true(fd >= 0);
    close(fd);
    run.order_taken = calloc(2 * calls * producers, sizeof *run.order_taken);
    assert_non_null(run.order_taken);
    run.function = spec_find_function("glVertex2i");
    assert_non_null(run.function);
    assert_int_equal(segment_create(&run.segment, producers), 0);
    assert_int_equal(ring_pool_init(&run.pool, &run.segment, NULL), 0);
    assert_int_equal(record_encoder_init(&run.encoder), 0);
    record_encoder_set_hooks(&run.encoder, check_time, NULL, &run);
    assert_int_equal(pthread_create(&consumer, NULL, consume, &run), 0);
    for (unsigned i = 0; i < producers; i++) {
        arguments[i] = (struct producer){&run, i};
        assert_int_equal(pthread_create(&threads[i], NULL, produce, &arguments[i]), 0);
    }
    for (unsigned i = 0; i < producers; i++)
        pthread_join(threads[i], NULL);
    pthread_join(consumer, NULL);
    check_trace(&run);
    assert_int_equal(run.wrong_times, 0);
    for (unsigned i = 0; i < producers; i++)
        assert_int_equal(run.events_seen[i], 2 * calls);
    record_encoder_fini(&run.encoder);
    ring_pool_fini(&run.pool);
    segment_fini(&run.segment);
    free((void *)run.order_taken);
    unlink(run.path);
}

/* Enough calls to fill a ring several times: records wrap, and producers wait. */
static const uint64_t calls_past_the_end = 4 * (uint64_t)RING_SIZE / (CALL_SIZE + sizeof(struct record));

static void test_one_thread(void **state)
{
    (void)state;
    run_threads(1, calls_past_the_end, false);
}

static void test_threads_that_contend(void **state)
{
    (void)state;
    run_threads(MAX_PRODUCERS, calls_past_the_end / 4, false);
}

static void test_threads_that_come_and_go(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        run_threads(3, 500, false);
}

/* If a thread's call happens after another thread's, it comes after it in the trace. */
static void test_threads_that_take_turns(void **state)
{
    (void)state;
    run_threads(2, 3000, true);
    run_threads(3, 1000, true);
}

/* One thread takes numbers without locking while a second one starts to take some. */
struct beginning {
    struct ring_producer first, second;
    _Alignas(64) _Atomic unsigned round, done; /* the first thread's current and last finished round */
    _Alignas(64) _Atomic bool begun;           /* the second thread has its numbers */
    _Alignas(64) uint64_t *numbers;            /* of the first thread */
    unsigned count;
};

enum { ROUNDS = 400, NUMBERS = 1 << 15, AFTERWARDS = 8, SPINS = 100000 };

/* Waits. Yields only if necessary: both threads have to run at the same time. */
static void await(_Atomic unsigned *word, unsigned value)
{
    for (unsigned i = 0; atomic_load(word) != value; ++i)
        if (i % SPINS == SPINS - 1)
            sched_yield();
}

static void *take_numbers(void *argument)
{
    struct beginning *b = argument;
    for (unsigned round = 1; round <= ROUNDS; ++round) {
        await(&b->round, round);
        b->count = 0;
        while (!atomic_load_explicit(&b->begun, memory_order_relaxed) && b->count < NUMBERS - AFTERWARDS)
            b->numbers[b->count++] = ring_take_order(&b->first);
        for (unsigned i = 0; i < AFTERWARDS; ++i)
            b->numbers[b->count++] = ring_take_order(&b->first);
        atomic_store(&b->done, round);
    }
    return NULL;
}

/* Starts at another moment in each round. Taking the first thread's cache line away from it shortly before
 * makes its store of "busy" late, as if a collector read the ring. */
static void begin_in_between(struct beginning *b, unsigned round, uint64_t *numbers)
{
    struct segment_control *s = b->first.segment;
    atomic_store(&s->next_order, 0);
    atomic_store(&s->shared_order, ORDER_ALONE);
    atomic_store(&b->begun, false);
    atomic_store(&b->round, round);
    for (volatile unsigned i = 0; i < 1000 + round * 7 % 1000; ++i)
        continue;
    for (unsigned i = 0; i < 3; ++i)
        atomic_fetch_add(&b->first.control->head, 0);
    segment_share_order(s, true);
    for (unsigned i = 0; i < AFTERWARDS; ++i)
        numbers[i] = ring_take_order(&b->second);
    atomic_store(&b->begun, true);
    await(&b->done, round);
}

static void check_numbers(const struct beginning *b, const uint64_t *numbers)
{
    static bool seen[NUMBERS + AFTERWARDS];
    const unsigned count = b->count + AFTERWARDS;
    unsigned wrong = 0;
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < count; ++i) {
        uint64_t order = i < b->count ? b->numbers[i] : numbers[i - b->count];
        wrong += order >= count || seen[order];
        if (order < count)
            seen[order] = true;
    }
    assert_int_equal(wrong, 0);
}

/* Each number is assigned exactly once. Without the barrier between "I am busy" and "am I alone?", many
 * rounds fail if both threads run at the same time. test_order.c does not depend on such timing. */
static void test_a_second_thread_begins(void **state)
{
    struct segment segment;
    struct ring_pool pool;
    struct beginning b = {.count = 0};
    uint64_t numbers[AFTERWARDS];
    pthread_t thread;
    (void)state;
    b.numbers = calloc(NUMBERS, sizeof *b.numbers);
    assert_int_equal(segment_create(&segment, 4), 0);
    assert_int_equal(ring_pool_init(&pool, &segment, NULL), 0);
    assert_int_equal(ring_pool_take(&pool, &b.first), 0);
    assert_int_equal(ring_pool_take(&pool, &b.second), 0);
    assert_int_equal(pthread_create(&thread, NULL, take_numbers, &b), 0);
    for (unsigned round = 1; round <= ROUNDS; ++round) {
        begin_in_between(&b, round, numbers);
        check_numbers(&b, numbers);
    }
    pthread_join(thread, NULL);
    free(b.numbers);
    ring_producer_fini(&b.first);
    ring_producer_fini(&b.second);
    ring_pool_fini(&pool);
    segment_fini(&segment);
}

static void test_no_more_rings_than_there_are(void **state)
{
    struct segment segment;
    struct ring_pool pool;
    struct ring_producer first, second;
    (void)state;
    assert_int_equal(segment_create(&segment, 1), 0);
    assert_int_equal(ring_pool_init(&pool, &segment, NULL), 0);
    assert_int_equal(ring_pool_take(&pool, &first), 0);
    assert_int_equal(ring_pool_take(&pool, &second), TRACE_ERR_MEMORY);
    ring_producer_fini(&first);
    assert_int_equal(ring_pool_take(&pool, &second), 0);
    ring_producer_fini(&second);
    ring_pool_fini(&pool);
    segment_fini(&segment);
}

struct short_life {
    struct run *run;
    uint32_t ring;      /* index of its ring */
    unsigned take_more; /* number of rings to take before that one, and keep */
};

/* Enters and leaves a call, and ends without giving back its ring. */
static void *live_shortly(void *argument)
{
    struct short_life *self = argument;
    struct ring_producer p;
    for (unsigned i = 0; i <= self->take_more; ++i)
        if (ring_pool_take(&self->run->pool, &p) != 0)
            abort();
    self->ring = (uint32_t)(p.control - self->run->segment.control->rings);
    write_thread_record(&p, 0);
    write_ordered(self->run, &p, RECORD_ENTER, 0, (const uint64_t[CALL_WORDS]){7, 8}, CALL_WORDS);
    return NULL;
}

static void run_shortly(struct short_life *life)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, live_shortly, life), 0);
    pthread_join(thread, NULL);
}

static void start_run(struct run *run, uint32_t rings)
{
    *run = (struct run){.function = spec_find_function("glVertex2i")};
    assert_int_equal(segment_create(&run->segment, rings), 0);
    assert_int_equal(ring_pool_init(&run->pool, &run->segment, NULL), 0);
    assert_int_equal(record_encoder_init(&run->encoder), 0);
}

static void end_run(struct run *run)
{
    record_encoder_fini(&run->encoder);
    ring_pool_fini(&run->pool);
    segment_fini(&run->segment);
}

static unsigned belongings_left;

static void count_belonging(void *owner_data)
{
    assert_ptr_equal(owner_data, &belongings_left);
    belongings_left++;
}

/* A thread's ring is taken over although nobody has drained it or reported the thread's end. */
static void test_the_ring_of_an_ended_thread_is_taken_over(void **state)
{
    struct run run;
    struct record_merger merger;
    size_t taken;
    (void)state;
    start_run(&run, 4);
    run.pool.owner_ended = count_belonging;
    struct short_life life = {.run = &run};
    for (unsigned i = 0; i < 100; ++i) {
        belongings_left = 0;
        run_shortly(&life);
        assert_int_equal(life.ring, 0);
        assert_int_equal(belongings_left, i > 0);
        run.pool.slots[0].owner_data = &belongings_left;
    }
    assert_int_equal(record_merger_init(&merger, &run.segment, &run.encoder), 0);
    assert_int_equal(record_merger_drain(&merger, SIZE_MAX, &taken), 0);
    assert_int_equal(run.encoder.next_call, 100);
    assert_int_equal(merger.lost, 0);
    record_merger_fini(&merger);
    end_run(&run);
}

/* Rings are mapped one at a time, with and without a descriptor. Each is the memory that the consumer
 * maps. */
static void check_growth(struct run *run)
{
    struct record_merger merger;
    size_t taken;
    for (unsigned i = 0; i < 40; ++i) {
        struct short_life life = {.run = run, .take_more = i};
        run_shortly(&life);
        assert_int_equal(life.ring, i);
    }
    assert_int_equal(record_merger_init(&merger, &run->segment, &run->encoder), 0);
    assert_int_equal(record_merger_drain(&merger, SIZE_MAX, &taken), 0);
    assert_int_equal(run->encoder.next_call, 40);
    record_merger_fini(&merger);
}

static void test_rings_are_mapped_as_they_are_needed(void **state)
{
    struct run run;
    (void)state;
    start_run(&run, RING_LIMIT);
    int fd = dup(run.segment.fd);
    close(run.segment.fd);
    run.segment.fd = -1; /* as in a traced program */
    struct segment seen;
    assert_int_equal(segment_attach(&seen, fd), 0);
    check_growth(&run);
    struct record_merger merger;
    size_t taken;
    record_encoder_fini(&run.encoder);
    assert_int_equal(record_encoder_init(&run.encoder), 0);
    for (uint32_t i = 0; i < 40; ++i)
        seen.control->rings[i].tail = 0;
    assert_int_equal(record_merger_init(&merger, &seen, &run.encoder), 0);
    assert_int_equal(record_merger_drain(&merger, SIZE_MAX, &taken), 0);
    assert_int_equal(run.encoder.next_call, 40);
    record_merger_fini(&merger);
    segment_fini(&seen);
    end_run(&run);
}

static void test_rings_of_a_private_segment(void **state)
{
    struct run run;
    (void)state;
    start_run(&run, 1);
    ring_pool_fini(&run.pool);
    segment_fini(&run.segment);
    assert_int_equal(segment_create_private(&run.segment, 64), 0);
    assert_int_equal(ring_pool_init(&run.pool, &run.segment, NULL), 0);
    check_growth(&run);
    end_run(&run);
}

struct sharer {
    struct run *run;
    uint64_t number;
};

static void write_borrowed(const struct sharer *s, uint8_t kind, uint64_t i)
{
    struct ring_producer p;
    const uint64_t words[CALL_WORDS] = {s->number, i};
    assert_true(ring_pool_borrow(&s->run->pool, &p, (uint32_t)s->number, wait_for_space));
    write_ordered(s->run, &p, kind, ticks_of(s->number, i, kind), words,
                  kind == RECORD_ENTER ? CALL_WORDS : 0);
    ring_pool_return(&s->run->pool, &p);
}

static void *share(void *argument)
{
    const struct sharer *s = argument;
    for (uint64_t i = 0; i < s->run->calls; ++i) {
        write_borrowed(s, RECORD_ENTER, i);
        write_borrowed(s, RECORD_LEAVE, i);
    }
    atomic_fetch_add(&s->run->finished, 1);
    return NULL;
}

/* Threads without rings take turns with a common one. Each thread's calls are its own. */
static void test_threads_that_share_a_ring(void **state)
{
    pthread_t threads[MAX_PRODUCERS], consumer;
    struct sharer sharers[MAX_PRODUCERS];
    struct run run;
    (void)state;
    start_run(&run, 2);
    run.calls = 5000;
    run.producers = MAX_PRODUCERS;
    strcpy(run.path, "/tmp/test_ring_merging.XXXXXX");
    close(mkstemp(run.path));
    run.order_taken = calloc(2 * run.calls * run.producers, sizeof *run.order_taken);
    record_encoder_set_hooks(&run.encoder, check_time, NULL, &run);
    ring_pool_reserve_common(&run.pool);
    struct ring_producer own, none;
    assert_int_equal(ring_pool_take(&run.pool, &own), 0);
    assert_int_equal(ring_pool_take(&run.pool, &none), TRACE_ERR_MEMORY); /* not the common one */
    assert_int_equal(pthread_create(&consumer, NULL, consume, &run), 0);
    for (unsigned i = 0; i < run.producers; ++i) {
        sharers[i] = (struct sharer){&run, i};
        assert_int_equal(pthread_create(&threads[i], NULL, share, &sharers[i]), 0);
    }
    for (unsigned i = 0; i < run.producers; ++i)
        pthread_join(threads[i], NULL);
    pthread_join(consumer, NULL);
    check_trace(&run);
    assert_int_equal(run.wrong_times, 0);
    ring_producer_fini(&own);
    free((void *)run.order_taken);
    unlink(run.path);
    end_run(&run);
}

/* The memory of an unused ring is freed, and the ring's next thread can use it. */
static void test_a_released_ring_is_emptied(void **state)
{
    struct run run;
    struct record_merger merger;
    struct ring_producer p;
    size_t taken;
    (void)state;
    start_run(&run, 2);
    assert_int_equal(record_merger_init(&merger, &run.segment, &run.encoder), 0);
    for (unsigned i = 0; i < 3; ++i) {
        assert_int_equal(ring_pool_take(&run.pool, &p), 0);
        assert_ptr_equal(p.control, &run.segment.control->rings[0]);
        uint8_t *data = p.data;
        write_thread_record(&p, 0);
        write_ordered(&run, &p, RECORD_ENTER, 0, (const uint64_t[CALL_WORDS]){7, 8}, CALL_WORDS);
        ring_producer_fini(&p);
        assert_int_equal(data[0], i == 0 ? sizeof(struct record) + sizeof(uint64_t) : 0);
        assert_int_equal(record_merger_drain(&merger, SIZE_MAX, &taken), 0);
        assert_int_equal(run.segment.control->rings[0].state, RING_FREE);
        assert_int_equal(data[0], 0);
    }
    assert_int_equal(run.encoder.next_call, 3);
    record_merger_fini(&merger);
    end_run(&run);
}

static void drain_everything(struct record_merger *merger)
{
    size_t taken;
    do
        assert_int_equal(record_merger_drain(merger, SIZE_MAX, &taken), 0);
    while (taken > 0);
}

/* Returns how many bytes of the ring's memory are allocated. */
static size_t memory_of(const uint8_t *data)
{
    static unsigned char pages[RING_SIZE / 4096];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 0;
    assert_int_equal(mincore((void *)(uintptr_t)data, RING_SIZE, pages), 0);
    for (size_t i = 0; i < RING_SIZE / page; ++i)
        n += pages[i] & 1;
    return n * page;
}

static bool kernel_gives_memory(void)
{
    void *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool gives = madvise(p, 1 << 16, 23 /* MADV_POPULATE_WRITE */) == 0;
    munmap(p, 1 << 16);
    return gives;
}

/* The first thread of a program gets memory for half a ring, threads with many records for a whole one, and
 * others none. */
static void test_memory_is_given_ahead(void **state)
{
    struct run run;
    struct record_merger merger;
    struct ring_producer rings[3];
    (void)state;
    if (!kernel_gives_memory())
        skip();
    start_run(&run, 8);
    assert_int_equal(record_merger_init(&merger, &run.segment, &run.encoder), 0);
    drain_everything(&merger);
    for (unsigned i = 0; i < 3; ++i) {
        assert_int_equal(ring_pool_take(&run.pool, &rings[i]), 0);
        write_thread_record(&rings[i], i);
        drain_everything(&merger);
        assert_in_range(memory_of(rings[i].data), 1, i == 0 ? RING_SIZE / 2 : 1 << 16);
        assert_true(i != 0 || memory_of(rings[i].data) == RING_SIZE / 2);
    }
    for (unsigned i = 0; i < 2; ++i) {
        for (unsigned k = 0; k < 3000; ++k)
            write_ordered(&run, &rings[i], RECORD_ENTER, 0, (const uint64_t[CALL_WORDS]){7, k}, CALL_WORDS);
        drain_everything(&merger);
        assert_int_equal(memory_of(rings[i].data), RING_SIZE);
    }
    assert_in_range(memory_of(rings[2].data), 1, 1 << 16);
    ring_producer_fini(&rings[0]);
    drain_everything(&merger);
    assert_int_equal(memory_of(run.pool.slots[0].data), 0);
    for (unsigned i = 1; i < 3; ++i)
        ring_producer_fini(&rings[i]);
    record_merger_fini(&merger);
    end_run(&run);
}

static void *fill_and_end(void *argument)
{
    struct run *run = argument;
    struct ring_producer p;
    if (ring_pool_take(&run->pool, &p) != 0)
        abort();
    write_thread_record(&p, 0);
    for (unsigned i = 0; i < 10000; ++i)
        write_ordered(run, &p, RECORD_ENTER, 0, (const uint64_t[CALL_WORDS]){7, 8}, CALL_WORDS);
    return NULL;
}

/* No thread takes over the ring, but its memory is freed when the consumer finds that its thread has
 * ended. */
static void test_the_memory_of_an_ended_thread(void **state)
{
    struct run run;
    struct record_merger merger;
    struct ring_producer own;
    pthread_t thread;
    (void)state;
    start_run(&run, 64);
    const struct segment_control *c = run.segment.control;
    assert_int_equal(record_merger_init(&merger, &run.segment, &run.encoder), 0);
    assert_int_equal(ring_pool_take(&run.pool, &own), 0);
    assert_int_equal(pthread_create(&thread, NULL, fill_and_end, &run), 0);
    pthread_join(thread, NULL);
    drain_everything(&merger);
    record_merger_ask_for_idle(&merger);
    assert_int_equal(c->tidy, 0); /* it was in use recently */
    record_merger_ask_for_idle(&merger);
    assert_int_equal(c->tidy, 1);
    assert_int_not_equal(run.pool.slots[1].data[0], 0);
    ring_pool_tidy(&run.pool);
    assert_int_equal(c->rings[0].state, RING_OWNED);
    assert_int_equal(c->rings[1].state, RING_RELEASED);
    drain_everything(&merger);
    assert_int_equal(c->rings[1].state, RING_FREE);
    assert_int_equal(run.pool.slots[1].data[0], 0);
    run.segment.control->tidy = 0;
    record_merger_ask_for_idle(&merger);
    assert_int_equal(c->tidy, 0);
    ring_producer_fini(&own);
    record_merger_fini(&merger);
    end_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_threads_that_contend),
        cmocka_unit_test(test_threads_that_come_and_go),
        cmocka_unit_test(test_threads_that_take_turns),
        cmocka_unit_test(test_a_second_thread_begins),
        cmocka_unit_test(test_no_more_rings_than_there_are),
        cmocka_unit_test(test_the_ring_of_an_ended_thread_is_taken_over),
        cmocka_unit_test(test_rings_are_mapped_as_they_are_needed),
        cmocka_unit_test(test_rings_of_a_private_segment),
        cmocka_unit_test(test_threads_that_share_a_ring),
        cmocka_unit_test(test_a_released_ring_is_emptied),
        cmocka_unit_test(test_memory_is_given_ahead),
        cmocka_unit_test(test_the_memory_of_an_ended_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
