/* SPDX-License-Identifier: MIT
 * From order numbers that one thread takes without locking to numbers that all threads take: first everybody
 * is told, then a process-wide barrier, then those who had not heard of it are waited for (membarrier(2)).
 * The system calls are the test's.
 */
#include "cmocka_all.h"

#include "records/ring_pool.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    struct segment segment;
    struct ring_pool pool;
    struct ring_producer first;
    unsigned registrations, barriers;
    bool refuses;        /* refuses such system calls, like an old kernel */
    bool is_taking;      /* at the barrier, the first thread is seen to take a number */
    uint32_t state_then; /* enum order_state at the barrier */
} world;

long test_syscall(long number, ...);

long test_syscall(long number, ...)
{
    va_list ap;
    va_start(ap, number);
    if (number == SYS_futex) {
        usleep(1000); /* nobody wakes the waiting thread */
        va_end(ap);
        return 0;
    }
    assert_int_equal(number, SYS_membarrier);
    int command = va_arg(ap, int);
    va_end(ap);
    if (command == MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
        world.registrations++;
    else if (command == MEMBARRIER_CMD_PRIVATE_EXPEDITED)
        world.barriers++;
    else
        fail();
    world.state_then = atomic_load(&world.segment.control->shared_order);
    if (command == MEMBARRIER_CMD_PRIVATE_EXPEDITED && world.is_taking)
        atomic_store(&world.first.control->busy, 1); /* it was in the store buffer until now */
    return world.refuses ? -1 : 0;
}

static int start(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world);
    return segment_create(&world.segment, 8) != 0 || ring_pool_init(&world.pool, &world.segment, NULL) != 0;
}

static int stop(void **state)
{
    (void)state;
    ring_producer_fini(&world.first);
    ring_pool_fini(&world.pool);
    segment_fini(&world.segment);
    return 0;
}

static uint32_t order_state(void)
{
    return atomic_load(&world.segment.control->shared_order);
}

static void take_first_ring(void)
{
    assert_int_equal(ring_pool_take(&world.pool, &world.first), 0);
}

/* The barrier is available to processes that have registered for it. */
static void test_alone(void **state)
{
    (void)state;
    take_first_ring();
    assert_int_equal(world.registrations, 1);
    assert_int_equal(world.barriers, 0);
    assert_int_equal(order_state(), ORDER_ALONE);
    for (uint64_t i = 0; i < 3; ++i) {
        assert_int_equal(ring_take_order(&world.first), i);
        assert_int_equal(world.first.control->busy, 0);
    }
}

/* Without the barrier, no thread is ever alone. */
static void test_no_barrier(void **state)
{
    (void)state;
    world.refuses = true;
    take_first_ring();
    assert_int_equal(order_state(), ORDER_SHARED);
    assert_int_equal(ring_take_order(&world.first), 0);
    assert_int_equal(ring_take_order(&world.first), 1);
    assert_int_equal(world.first.control->busy, 0);
}

struct other {
    pthread_t thread;
    struct ring_producer ring;
    uint64_t number;
    _Atomic bool done;
};

static void *begin(void *argument)
{
    struct other *o = argument;
    if (ring_pool_take(&world.pool, &o->ring) != 0)
        abort();
    o->number = ring_take_order(&o->ring);
    atomic_store(&o->done, true);
    ring_producer_fini(&o->ring);
    return NULL;
}

static void start_other(struct other *o)
{
    *o = (struct other){.done = false};
    assert_int_equal(pthread_create(&o->thread, NULL, begin, o), 0);
}

static void test_second_thread(void **state)
{
    (void)state;
    struct other other;
    take_first_ring();
    assert_int_equal(ring_take_order(&world.first), 0);
    start_other(&other);
    pthread_join(other.thread, NULL);
    assert_int_equal(other.number, 1);
    assert_int_equal(world.barriers, 1);
    assert_int_equal(world.state_then, ORDER_CHANGING); /* all threads know by then */
    assert_int_equal(order_state(), ORDER_SHARED);
    assert_int_equal(ring_take_order(&world.first), 2);
    start_other(&other); /* once is enough */
    pthread_join(other.thread, NULL);
    assert_int_equal(other.number, 3);
    assert_int_equal(world.barriers, 1);
    assert_int_equal(world.registrations, 1);
}

/* A thread that is seen to take a number is waited for, also by threads that come meanwhile. */
static void test_a_number_in_the_taking(void **state)
{
    (void)state;
    struct other others[3];
    take_first_ring();
    world.is_taking = true;
    for (unsigned i = 0; i < 3; ++i)
        start_other(&others[i]);
    usleep(50000);
    assert_int_equal(order_state(), ORDER_CHANGING);
    for (unsigned i = 0; i < 3; ++i)
        assert_false(others[i].done);
    atomic_store(&world.segment.control->next_order, 7); /* as the first thread would */
    atomic_store(&world.first.control->busy, 0);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 3; ++i) {
        pthread_join(others[i].thread, NULL);
        sum += others[i].number;
    }
    assert_int_equal(sum, 7 + 8 + 9);
    assert_int_equal(world.barriers, 1);
    assert_int_equal(order_state(), ORDER_SHARED);
}

/* A thread that left a stub by longjmp() stays busy forever. Others continue nevertheless. */
static void test_busy_for_ever(void **state)
{
    (void)state;
    struct other other;
    take_first_ring();
    atomic_store(&world.first.control->busy, 1);
    start_other(&other);
    pthread_join(other.thread, NULL);
    assert_true(other.done);
    assert_int_equal(order_state(), ORDER_SHARED);
}

/* A ring's next thread does not inherit "busy" from its last one. */
static void test_next_thread(void **state)
{
    (void)state;
    take_first_ring();
    struct ring_control *c = world.first.control;
    atomic_store(&c->busy, 1);
    ring_producer_fini(&world.first);
    take_first_ring();
    assert_ptr_equal(world.first.control, c);
    assert_int_equal(c->busy, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_alone),         TEST(test_no_barrier),
        TEST(test_second_thread), TEST(test_a_number_in_the_taking),
        TEST(test_busy_for_ever), TEST(test_next_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
