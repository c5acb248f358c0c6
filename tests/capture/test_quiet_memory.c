/* SPDX-License-Identifier: MIT
 * Tests many small watches that share pages: those that are not written fall asleep, and no write is missed,
 * whoever wrote and whichever of them were looked at.
 */
#include "cmocka_all.h"
#include "memory/memory_watch.h"
#include "memory/page_tracker.h"
#include "next_random.h"
#include "other_writers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    COUNT = 400,
    SIZE = 5000, /* neighbours share a page */
    GROUPS = 2,  /* as of share groups: each look is for the watches of one */
    SETTLE = 12, /* looks until all that is not written is asleep */
};

struct small {
    uint8_t *memory, *copy;
    unsigned group;
    struct memory_watch *watch;
};

static struct {
    uint8_t *memory;
    struct small small[COUNT];
    unsigned compared; /* number of watches, in the last look */
} many;

static void take_change(void *context, size_t offset, const uint8_t *bytes, size_t size)
{
    struct small *s = context;
    assert_true(size > 0 && offset <= SIZE && size <= SIZE - offset);
    memcpy(s->copy + offset, bytes, size);
}

static void watch_one(unsigned i, bool may_sleep)
{
    struct small *s = &many.small[i];
    s->memory = many.memory + (size_t)i * SIZE;
    s->group = i / 10 % GROUPS;
    s->copy = malloc(SIZE);
    memcpy(s->copy, s->memory, SIZE);
    s->watch = memory_watch_new(s->memory, SIZE, s, may_sleep);
    assert_non_null(s->watch);
}

static void forget_one(unsigned i)
{
    memory_watch_free(many.small[i].watch);
    free(many.small[i].copy);
    many.small[i] = (struct small){0};
}

static void map_all(void)
{
    many.memory =
        mmap(NULL, (size_t)COUNT * SIZE, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    assert_ptr_not_equal(many.memory, MAP_FAILED);
}

static void watch_all(bool may_sleep)
{
    map_all();
    for (unsigned i = 0; i < COUNT; ++i)
        watch_one(i, may_sleep);
}

static void forget_all(void)
{
    for (unsigned i = 0; i < COUNT; ++i)
        if (many.small[i].watch != NULL)
            forget_one(i);
    assert_null(memory_watch_next_awake(NULL));
    munmap(many.memory, (size_t)COUNT * SIZE);
}

static struct memory_watch *next_of(struct memory_watch *w, unsigned group)
{
    do {
        w = memory_watch_next_awake(w);
    } while (w != NULL && ((struct small *)memory_watch_owner(w))->group != group);
    return w;
}

static void look(unsigned group)
{
    for (struct memory_watch *w = NULL; (w = next_of(w, group)) != NULL;)
        memory_watch_prepare(w);
    const struct fault_mark now = memory_watch_look();
    many.compared = 0;
    for (struct memory_watch *w = next_of(NULL, group), *next; w != NULL; w = next) {
        next = next_of(w, group);
        memory_watch_compare(w, &now, take_change, memory_watch_owner(w));
        many.compared++;
    }
}

static void check(unsigned group)
{
    look(group);
    for (unsigned i = 0; i < COUNT; ++i)
        if (many.small[i].watch != NULL && many.small[i].group == group)
            assert_memory_equal(many.small[i].copy, many.small[i].memory, SIZE);
}

static unsigned count_awake(void)
{
    unsigned count = 0;
    for (struct memory_watch *w = NULL; (w = memory_watch_next_awake(w)) != NULL;)
        count++;
    return count;
}

static void settle(void)
{
    for (unsigned i = 0; i < SETTLE; ++i)
        for (unsigned group = 0; group < GROUPS; ++group)
            look(group);
}

static bool can_track(void)
{
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    struct page_tracker t;
    bool can = page_tracker_start(&t, (uintptr_t)page, (uintptr_t)page + size);
    if (can)
        page_tracker_stop(&t);
    munmap(page, size);
    return can;
}

static void write_somewhere(unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        many.memory[next_random() % ((size_t)COUNT * SIZE)] += 1;
}

static void write_by_thread(unsigned count)
{
    write_in_other_thread(write_somewhere, count);
}

static void write_by_kernel(unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        write_by_system_call(many.memory + next_random() % ((size_t)COUNT * SIZE - sizeof(uint64_t)),
                             sizeof(uint64_t));
}

/* A child that shares the memory: its faults are not the program's, but are counted once it has been waited
 * for. */
static void write_by_child(unsigned count)
{
    uint8_t *to = many.memory + next_random() % ((size_t)COUNT * SIZE);
    pid_t child = vfork();
    if (child == 0) {
        if (count > 0)
            ++*(volatile uint8_t *)to;
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void write_everywhere(unsigned value)
{
    memset(many.memory, (int)value, (size_t)COUNT * SIZE);
}

static void exercise(unsigned rounds)
{
    static void (*const writers[])(unsigned) = {write_somewhere, write_by_thread, write_by_kernel,
                                                write_by_child};
    for (unsigned i = 0; i < rounds; ++i) {
        writers[i % 4]((unsigned)(next_random() % 4));
        check(next_random() % GROUPS);
        if (i % 100 == 99) {
            write_everywhere(i);
            check(i / 100 % GROUPS);
        }
    }
    for (unsigned group = 0; group < GROUPS; ++group)
        check(group);
}

/* A look at mappings that are not written takes the same time however many they are. */
static void test_idle_ones_are_not_compared(void **unused)
{
    (void)unused;
    if (!can_track())
        skip();
    watch_all(true);
    settle();
    check(0);
    unsigned still_awake = many.compared;
    assert_true(still_awake < COUNT / 10);
    many.small[5].memory[100]++;
    check(0);
    assert_in_range(many.compared, 1, still_awake + 3); /* it, and its neighbours on the page */
    assert_in_range(count_awake(), 1, COUNT / 10);
    forget_all();
}

/* The kernel registers pages in a limited number of groups. */
static void test_many_groups(void **unused)
{
    (void)unused;
    enum { AT_ONCE = 10, LOOKS = 30 };
    if (!can_track())
        skip();
    map_all();
    for (unsigned i = 0; i < COUNT; i += AT_ONCE) {
        for (unsigned k = i; k < i + AT_ONCE; ++k)
            watch_one(k, true);
        for (unsigned n = 0; n < LOOKS; ++n)
            look(many.small[i].group);
    }
    /* The kernel needs some time to give up the pages of the groups that were ended. */
    for (unsigned n = 0; n < 100 && count_awake() >= COUNT / 10; ++n, usleep(1000))
        settle();
    assert_true(count_awake() < COUNT / 10);
    exercise(300);
    forget_all();
}

static void test_no_write_is_missed(void **unused)
{
    (void)unused;
    watch_all(true);
    settle();
    exercise(2000);
    forget_all();
}

/* The edge pages of memory that may not sleep belong to the program. */
static void test_those_that_may_not_sleep(void **unused)
{
    (void)unused;
    watch_all(false);
    settle();
    assert_int_equal(count_awake(), COUNT);
    exercise(30);
    forget_all();
}

/* A write is not lost if the watches that share its page are compared, and it is not, for a while. */
static void test_other_group_waits(void **unused)
{
    (void)unused;
    watch_all(true);
    settle();
    for (unsigned round = 0; round < 20; ++round) {
        many.small[9].memory[SIZE - 1]++; /* group 0, on one page with number 10 of group 1 */
        for (unsigned i = 0; i < 50; ++i) {
            many.small[10].memory[i]++;
            write_somewhere(5);
            check(1);
        }
        check(0);
    }
    forget_all();
}

/* Watches that come and go, so that the kernel registers pages in more groups than there may be. */
static void test_come_and_go(void **unused)
{
    (void)unused;
    watch_all(true);
    settle();
    for (unsigned round = 0; round < 60; ++round) {
        unsigned first = (unsigned)(next_random() % (COUNT - 40));
        for (unsigned i = first; i < first + 40; ++i)
            forget_one(i);
        write_somewhere(100);
        for (unsigned i = first; i < first + 40; ++i)
            watch_one(i, true);
        exercise(20);
        settle();
    }
    forget_all();
}

/* Part of the memory is unmapped, and comes back untracked. */
static void test_memory_that_is_replaced(void **unused)
{
    (void)unused;
    watch_all(true);
    settle();
    for (unsigned round = 0; round < 10; ++round) {
        uint8_t *page = many.memory + (next_random() % 300) * 4096;
        munmap(page, 8 * 4096);
        look(round % GROUPS);
        assert_ptr_equal(
            mmap(page, 8 * 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, -1, 0),
            page);
        write_somewhere(30);
        memset(page, 5, 8 * 4096);
        exercise(100);
        settle();
    }
    forget_all();
}

static void *write_on(void *stop)
{
    /* All but the first byte of each. */
    for (uint64_t s = 1; !atomic_load((_Atomic bool *)stop);) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        size_t at = (s >> 20) % COUNT * SIZE + 1 + (s >> 40) % (SIZE - 1);
        __atomic_store_n(many.memory + at, (uint8_t)(s >> 32), __ATOMIC_RELAXED);
        if (s >> 58 == 0)
            usleep(2000);
    }
    return NULL;
}

static void test_threads(void **unused)
{
    (void)unused;
    _Atomic bool stop = false;
    pthread_t thread;
    watch_all(true);
    settle();
    assert_int_equal(pthread_create(&thread, NULL, write_on, &stop), 0);
    for (unsigned i = 0; i < 3000; ++i) {
        struct small *s = &many.small[next_random() % COUNT];
        s->memory[0] = (uint8_t)i;
        look(s->group);
        assert_int_equal(s->copy[0], (uint8_t)i);
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    for (unsigned group = 0; group < GROUPS; ++group)
        check(group);
    exercise(100);
    forget_all();
}

/* One byte of every second one, whose neighbours are about to fall asleep. */
static void *write_to_sleeping(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < COUNT; i += 2) {
        __atomic_fetch_add(many.small[i].memory + (i % 4 != 0 ? 0 : SIZE - 1), 1, __ATOMIC_RELAXED);
        usleep(1);
    }
    return NULL;
}

/* A page is protected for one watch, and just before that is written for another, which sleeps. */
static void test_write_while_others_fall_asleep(void **unused)
{
    (void)unused;
    watch_all(true);
    for (unsigned round = 0; round < 40; ++round) {
        settle();
        for (unsigned i = 1; i < COUNT; i += 2) {
            forget_one(i);
            watch_one(i, true);
        }
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, write_to_sleeping, NULL), 0);
        settle();
        pthread_join(thread, NULL);
        for (unsigned group = 0; group < GROUPS; ++group)
            check(group);
    }
    forget_all();
}

static void test_child(void **unused)
{
    (void)unused;
    watch_all(true);
    settle();
    pid_t child = fork();
    if (child == 0) {
        memory_watch_forget_parent();
        watch_all(true);
        settle();
        exercise(100);
        forget_all();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    exercise(100);
    forget_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_ones_are_not_compared),
        cmocka_unit_test(test_many_groups),
        cmocka_unit_test(test_no_write_is_missed),
        cmocka_unit_test(test_those_that_may_not_sleep),
        cmocka_unit_test(test_other_group_waits),
        cmocka_unit_test(test_come_and_go),
        cmocka_unit_test(test_memory_that_is_replaced),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_write_while_others_fall_asleep),
        cmocka_unit_test(test_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
