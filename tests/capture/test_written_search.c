/* SPDX-License-Identifier: MIT
 * Tests the search for written pages in much large memory: the kernel is asked about all of it together, and
 * no write is missed, whoever wrote and whichever of the watches are compared.
 */
#include "cmocka_all.h"
#include "memory/fault_log.h"
#include "memory/memory_watch.h"
#include "next_random.h"
#include "other_writers.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    COUNT = 70, /* more than are asked about at a time */
    PAGE = 4096,
    SIZE = 16 * PAGE,
    GROUPS = 2, /* as of share groups: each look is for the watches of one */
};

struct large {
    uint8_t *memory, copy[SIZE];
    unsigned group;
    struct memory_watch *watch;
};

static struct {
    uint8_t *memory;
    struct large large[COUNT + 1]; /* the last one has the memory of the first */
} many;

/* --- the kernel's calls, which the linker sends here ---------------------------------------------------- */

static struct {
    unsigned opened;        /* number of files */
    uint8_t *written;       /* what another thread writes when a file is opened; NULL: nothing */
    long uncounted;         /* number of faults that are not counted yet */
    bool may_log_addresses; /* of faults */
} kernel;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __real_getrusage(int who, struct rusage *usage);
int __wrap_getrusage(int who, struct rusage *usage);

long __wrap_syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (unsigned i = 0; i < 6; ++i)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_perf_event_open && !kernel.may_log_addresses)
        return -1;
    if (number == SYS_openat) {
        kernel.opened++;
        if (kernel.written != NULL)
            *kernel.written += 1;
        kernel.written = NULL;
    }
    return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int __wrap_getrusage(int who, struct rusage *usage)
{
    int rc = __real_getrusage(who, usage);
    if (who == RUSAGE_SELF)
        usage->ru_minflt -= kernel.uncounted;
    return rc;
}

/* --- watches -------------------------------------------------------------------------------------------- */

static void take_change(void *context, size_t offset, const uint8_t *bytes, size_t size)
{
    struct large *l = context;
    assert_true(size > 0 && offset <= SIZE && size <= SIZE - offset);
    memcpy(l->copy + offset, bytes, size);
}

static void watch_one(unsigned i)
{
    struct large *l = &many.large[i];
    l->memory = many.memory + (size_t)(i % COUNT) * (SIZE + PAGE);
    l->group = i % 5 == 4;
    memcpy(l->copy, l->memory, SIZE);
    l->watch = memory_watch_new(l->memory, SIZE, l, true);
    assert_non_null(l->watch);
}

static int watch_all(void **unused)
{
    (void)unused;
    kernel.may_log_addresses = false;
    many.memory =
        mmap(NULL, (size_t)COUNT * (SIZE + PAGE), PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    assert_ptr_not_equal(many.memory, MAP_FAILED);
    for (unsigned i = 0; i < COUNT; ++i)
        watch_one(i);
    return 0;
}

static void forget_one(unsigned i)
{
    memory_watch_free(many.large[i].watch);
    many.large[i].watch = NULL;
}

static int forget_all(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i <= COUNT; ++i)
        forget_one(i);
    munmap(many.memory, (size_t)COUNT * (SIZE + PAGE));
    return 0;
}

static bool is_looked_at(const struct large *l, unsigned group)
{
    return l->watch != NULL && l->group == group;
}

static void look(unsigned group)
{
    for (unsigned i = 0; i <= COUNT; ++i)
        if (is_looked_at(&many.large[i], group))
            memory_watch_prepare(many.large[i].watch);
    const struct fault_mark now = memory_watch_look();
    for (unsigned i = 0; i <= COUNT; ++i)
        if (is_looked_at(&many.large[i], group))
            memory_watch_compare(many.large[i].watch, &now, take_change, &many.large[i]);
}

static void check(unsigned group)
{
    look(group);
    for (unsigned i = 0; i <= COUNT; ++i)
        if (is_looked_at(&many.large[i], group))
            assert_memory_equal(many.large[i].copy, many.large[i].memory, SIZE);
}

static void check_all(void)
{
    for (unsigned group = 0; group < GROUPS; ++group)
        check(group);
}

/* --- who writes ----------------------------------------------------------------------------------------- */

static void write_pages(unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        many.large[next_random() % COUNT].memory[next_random() % SIZE] += 1;
}

static void write_by_thread(unsigned count)
{
    write_in_other_thread(write_pages, count);
}

static void write_by_kernel(unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        write_by_system_call(many.large[next_random() % COUNT].memory + next_random() % SIZE, 1);
}

/* One watch after the other, as rings of buffers are filled. */
static void write_in_turn(unsigned count)
{
    static unsigned turn;
    many.large[turn % COUNT].memory[turn / COUNT * 600 % SIZE] += (uint8_t)(count + 1);
    turn++;
}

static void exercise(unsigned rounds)
{
    static void (*const writers[])(unsigned) = {write_pages, write_by_thread, write_by_kernel, write_in_turn};
    for (unsigned i = 0; i < rounds; ++i) {
        writers[i / 16 % 4]((unsigned)(next_random() % 4));
        check(next_random() % GROUPS);
        if (i % 100 == 99)
            memset(many.large[i % COUNT].memory, (int)i, SIZE);
    }
    check_all();
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static void test_no_write_is_missed(void **unused)
{
    (void)unused;
    exercise(800);
    kernel.may_log_addresses = true;
    exercise(400);
}

/* What one of them is told must not be missed by the other, and a page is not taken for two. */
static void test_two_watches_of_the_same_memory(void **unused)
{
    (void)unused;
    watch_one(COUNT);
    check_all();
    for (unsigned i = 0; i < 400; ++i) {
        many.large[0].memory[next_random() % SIZE] += 1;
        many.large[next_random() % COUNT].memory[next_random() % SIZE] += 1;
        check_all();
    }
}

static _Atomic bool stop;

/* Writes to the watches of the second group. */
static void *write_on(void *unused)
{
    (void)unused;
    for (unsigned i = 0; !atomic_load(&stop); i += 37) {
        uint8_t *memory = many.large[i % COUNT / 5 * 5 + 4].memory;
        __atomic_store_n(memory + i * 411 % SIZE, (uint8_t)i, __ATOMIC_RELAXED);
        if (i % 16 == 0)
            usleep(20);
    }
    return NULL;
}

/* Nothing is missed of what is not written at the same time. */
static void test_writes_during_the_search(void **unused)
{
    pthread_t thread;
    (void)unused;
    atomic_store(&stop, false);
    assert_int_equal(pthread_create(&thread, NULL, write_on, NULL), 0);
    for (unsigned i = 0; i < 500; ++i) {
        many.large[next_random() % (COUNT / 5) * 5 + i % 4].memory[next_random() % SIZE] += 1;
        check(0);
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    check_all();
}

/* Brings all pages into the copies, and protects them again. */
static void settle(void)
{
    for (unsigned i = 0; i < COUNT; ++i)
        memset(many.large[i].memory, 1, SIZE);
    for (unsigned i = 0; i < 40; ++i)
        check_all();
    many.large[10].memory[0] += 1; /* the next search starts here */
    check_all();
}

static bool is_tracked(void)
{
    settle();
    kernel.opened = 0;
    many.large[0].memory[5 * PAGE] += 1;
    check_all();
    return kernel.opened > 0;
}

static void test_few_questions(void **unused)
{
    (void)unused;
    if (!is_tracked())
        skip();
    settle();
    kernel.opened = 0;
    check_all();
    assert_int_equal(kernel.opened, 0);
    many.large[11].memory[5 * PAGE] += 1;
    check_all();
    assert_int_equal(kernel.opened, 1);
    many.large[60].memory[5 * PAGE] += 1;
    check_all();
    assert_in_range(kernel.opened, 2, 4);
}

/* The other thread's pages are none of the watches'. */
static void test_few_questions_though_others_have_faults(void **unused)
{
    (void)unused;
    if (!is_tracked())
        skip();
    settle();
    for (unsigned i = 0; i < 10; ++i) {
        void *other =
            mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE | MAP_POPULATE, -1, 0);
        munmap(other, 8 * PAGE);
        write_by_thread(1);
        kernel.opened = 0;
        check(0);
        assert_in_range(kernel.opened, 1, 6);
    }
    check_all();
}

/* The kernel has unprotected a page of watch 11, but has not counted the fault: the thread has not written
 * there yet. The fault that is counted is that of watch 50. */
static void test_fault_that_is_not_counted_yet(void **unused)
{
    (void)unused;
    settle();
    volatile uint8_t *early = many.large[11].memory;
    *early = *early;
    kernel.uncounted = 1;
    many.large[50].memory[5 * PAGE] += 1;
    check_all();
    kernel.uncounted = 0;
    *early += 1;
    check_all();
}

/* The page of watch 11 is written after the faults have been counted. It must not end the search. */
static void test_fault_during_the_search(void **unused)
{
    (void)unused;
    settle();
    kernel.written = many.large[11].memory;
    many.large[50].memory[5 * PAGE] += 1;
    check_all();
    check_all();
}

/* The new watch has seen fewer faults than the others, one of which was written before it began. */
static void test_watch_that_is_new(void **unused)
{
    (void)unused;
    settle();
    forget_one(COUNT - 1);
    many.large[11].memory[5 * PAGE] += 1;
    watch_one(COUNT - 1);
    many.large[50].memory[5 * PAGE] += 1;
    check_all();
}

static void test_pages_of_many(void **unused)
{
    (void)unused;
    settle();
    for (unsigned round = 0; round < 40; ++round) {
        for (unsigned i = 0; i < COUNT; i += 1 + round % 3)
            for (unsigned page = 0; page < round % 16; ++page)
                many.large[i].memory[page * PAGE] += 1;
        check(round % GROUPS);
    }
    check_all();
}

/* The watch that was found last ends. */
static void test_watches_come_and_go(void **unused)
{
    (void)unused;
    settle();
    for (unsigned i = 0; i < COUNT; ++i) {
        many.large[i].memory[next_random() % SIZE] += 1;
        check_all();
        forget_one(i);
        many.large[next_random() % COUNT].memory[next_random() % SIZE] += 1;
        check_all();
        if (i % 2 == 0)
            watch_one(i);
    }
}

/* Pages that were written, and may no longer be read. */
static void test_memory_that_is_protected(void **unused)
{
    (void)unused;
    settle();
    for (unsigned i = 11; i < COUNT; i += 20) {
        many.large[i].memory[7 * PAGE] += 1;
        many.large[i + 1].memory[7 * PAGE] += 1;
        assert_int_equal(mprotect(many.large[i].memory, SIZE, PROT_NONE), 0);
        look(0);
        look(1);
        assert_int_equal(mprotect(many.large[i].memory, SIZE, PROT_READ | PROT_WRITE), 0);
        check_all();
    }
}

/* The kernel can no longer tell about one of those that are asked about together. */
static void test_memory_that_is_replaced(void **unused)
{
    (void)unused;
    settle();
    for (unsigned i = 5; i < COUNT; i += 20) {
        void *new = mmap(many.large[i].memory, SIZE, PROT_READ | PROT_WRITE,
                         MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, -1, 0);
        assert_ptr_equal(new, many.large[i].memory);
        for (unsigned round = 0; round < 30; ++round) {
            many.large[i].memory[next_random() % SIZE] += 1;
            write_pages(round % 3);
            check_all();
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, watch_all, forget_all)
    const struct CMUnitTest tests[] = {
        TEST(test_no_write_is_missed),
        TEST(test_two_watches_of_the_same_memory),
        TEST(test_writes_during_the_search),
        TEST(test_few_questions),
        TEST(test_few_questions_though_others_have_faults),
        TEST(test_fault_that_is_not_counted_yet),
        TEST(test_fault_during_the_search),
        TEST(test_watch_that_is_new),
        TEST(test_pages_of_many),
        TEST(test_watches_come_and_go),
        TEST(test_memory_that_is_protected),
        TEST(test_memory_that_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
