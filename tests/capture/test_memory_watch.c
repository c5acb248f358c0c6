/* SPDX-License-Identifier: MIT
 * Tests that a copy to which the reported changes are applied always equals the memory, whoever wrote it and
 * how.
 */
#include "cmocka_all.h"
#include "memory/fault_log.h"
#include "memory/memory_watch.h"
#include "next_random.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct replica {
    uint8_t *memory, *copy;
    size_t size;
    struct memory_watch *watch;
    uint64_t told; /* number of bytes */
};

static void take_change(void *context, size_t offset, const uint8_t *bytes, size_t size)
{
    struct replica *r = context;
    assert_true(size > 0 && offset <= r->size && size <= r->size - offset);
    memcpy(r->copy + offset, bytes, size);
    r->told += size;
}

static void watch(struct replica *r, uint8_t *memory, size_t size)
{
    *r = (struct replica){.memory = memory, .size = size, .copy = malloc(size)};
    memcpy(r->copy, memory, size);
    errno = EDOM;
    r->watch = memory_watch_new(memory, size, r, true);
    assert_int_equal(errno, EDOM);
    assert_non_null(r->watch);
}

static void look(struct replica *r)
{
    errno = ESRCH;
    memory_watch_prepare(r->watch);
    const struct fault_mark now = memory_watch_look();
    memory_watch_compare(r->watch, &now, take_change, r);
    assert_int_equal(errno, ESRCH);
}

static void check(struct replica *r)
{
    look(r);
    assert_true(memcmp(r->copy, r->memory, r->size) == 0);
    r->told = 0;
    look(r);
    assert_int_equal(r->told, 0);
}

static void forget(struct replica *r)
{
    errno = EDOM;
    memory_watch_free(r->watch);
    assert_int_equal(errno, EDOM);
    free(r->copy);
}

static uint8_t *map_memory(size_t size, int flags)
{
    uint8_t *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
    assert_ptr_not_equal(m, MAP_FAILED);
    return m;
}

/* --- who writes ----------------------------------------------------------------------------------------- */

static void write_somewhere(struct replica *r, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        r->memory[next_random() % r->size] = (uint8_t)next_random();
}

static void write_pages(struct replica *r, size_t *at, size_t step, unsigned count)
{
    for (unsigned i = 0; i < count; ++i, *at = (*at + step) % r->size)
        r->memory[*at] = (uint8_t)next_random();
}

static void exercise(struct replica *r)
{
    static const size_t steps[] = {1, 1000, 4096, 4096 * 37, 4096 * 3 + 5, 0};
    size_t at = next_random() % r->size;
    for (unsigned i = 0; i < 240; ++i) {
        if (next_random() % 3 == 0)
            write_somewhere(r, (unsigned)(next_random() % 30));
        write_pages(r, &at, steps[i / 40], (unsigned)(next_random() % 4));
        check(r);
    }
    memset(r->memory, 7, r->size);
    check(r);
}

static void test_sizes(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {1, 100, 4095, 4096, 4097, 65535, 65536, 70000, 300001, 3 << 20};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        uint8_t *m = map_memory(sizes[i] + 8192, MAP_PRIVATE);
        for (unsigned offset = 0; offset < 4; ++offset) {
            struct replica r;
            watch(&r, m + offset * 1365, sizes[i]);
            exercise(&r);
            forget(&r);
        }
        munmap(m, sizes[i] + 8192);
    }
}

static void test_kinds_of_memory(void **unused)
{
    (void)unused;
    const size_t size = 8 << 20;
    uint8_t *maps[] = {map_memory(size, MAP_PRIVATE), map_memory(size, MAP_SHARED),
                       map_memory(size, MAP_PRIVATE | MAP_POPULATE), map_memory(size, MAP_PRIVATE), NULL};
    madvise(maps[3], size, MADV_HUGEPAGE);
    memset(maps[3], 3, size);
    int fd = memfd_create("test", 0);
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    maps[4] = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    for (unsigned i = 0; i < sizeof maps / sizeof *maps; ++i) {
        struct replica r;
        watch(&r, maps[i], size);
        if (i == 4)
            assert_int_equal(pwrite(fd, "behind its back", 15, 5 << 20), 15);
        if (i != 4) /* pages of a file change without a fault in this process */
            exercise(&r);
        forget(&r);
        munmap(maps[i], size);
    }
    close(fd);
}

/* System calls that write to the program's memory. */
static void test_system_calls(void **unused)
{
    (void)unused;
    const size_t size = 1 << 20;
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    struct replica r;
    watch(&r, m, size);
    for (unsigned i = 0; i < 200; ++i) {
        char text[9000];
        memset(text, (int)('a' + i % 26), sizeof text);
        size_t at = next_random() % (size - sizeof text);
        assert_int_equal(write(fds[1], text, sizeof text), sizeof text);
        struct iovec to[2] = {{m + at, 4000}, {m + at + 4000, 5000}}, from = {text, sizeof text};
        assert_int_equal(i % 2 ? readv(fds[0], to, 2) : read(fds[0], m + at, sizeof text), sizeof text);
        check(&r);
        at = next_random() % (size - sizeof text);
        to[0] = (struct iovec){m + at, sizeof text};
        if (process_vm_writev(getpid(), to, 1, &from, 1, 0) == sizeof text)
            check(&r);
    }
    forget(&r);
    close(fds[0]);
    close(fds[1]);
    munmap(m, size);
}

/* --- threads ----------------------------------------------------------------------------------------------
 */

enum { OWN = 1 << 20 }; /* bytes that only the checking thread writes */

struct writer {
    struct replica *replica;
    unsigned number;
    _Atomic bool *stop;
};

static void *write_on(void *argument)
{
    const struct writer *w = argument;
    uint64_t s = w->number + 1;
    for (size_t page = 0; !atomic_load_explicit(w->stop, memory_order_relaxed); page += 4096) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        size_t size = w->replica->size - OWN;
        size_t at = OWN + (w->number % 2 == 0 ? page % size : s % size);
        __atomic_store_n(w->replica->memory + at, (uint8_t)(s >> 32), __ATOMIC_RELAXED);
        if (s >> 60 == 0)
            usleep(10);
    }
    return NULL;
}

static void test_threads(void **unused)
{
    (void)unused;
    const size_t size = 2 << 20;
    for (unsigned round = 0; round < 10; ++round) {
        uint8_t *m = map_memory(size, MAP_PRIVATE);
        struct replica r;
        _Atomic bool stop = false;
        struct writer writers[3];
        pthread_t threads[3];
        watch(&r, m, size);
        for (unsigned i = 0; i < 3; ++i) {
            writers[i] = (struct writer){&r, i, &stop};
            assert_int_equal(pthread_create(&threads[i], NULL, write_on, &writers[i]), 0);
        }
        for (unsigned i = 0; i < 300; ++i) {
            size_t at = next_random() % OWN;
            m[at] = (uint8_t)i;
            look(&r);
            assert_int_equal(r.copy[at], (uint8_t)i);
        }
        atomic_store(&stop, true);
        for (unsigned i = 0; i < 3; ++i)
            pthread_join(threads[i], NULL);
        check(&r);
        forget(&r);
        munmap(m, size);
    }
}

/* --- what else programs do ---------------------------------------------------------------------------------
 */

static void test_memory_that_goes(void **unused)
{
    (void)unused;
    const size_t sizes[] = {5000, 1 << 20};
    for (unsigned i = 0; i < 2; ++i) {
        uint8_t *m = map_memory(sizes[i], MAP_PRIVATE);
        struct replica r;
        watch(&r, m, sizes[i]);
        for (unsigned n = 0; n < 20; ++n) {
            m[sizes[i] / 2 + n] = 1;
            check(&r);
        }
        munmap(m, sizes[i]);
        look(&r);
        assert_int_equal(r.told, 0);
        assert_ptr_equal(mmap(m, sizes[i], PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), m);
        look(&r);
        assert_int_equal(r.told, 0);
        mprotect(m, sizes[i], PROT_READ | PROT_WRITE);
        check(&r); /* other memory at the same address */
        forget(&r);
        munmap(m, sizes[i]);
    }
}

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    return count;
}

static void test_no_descriptors(void **unused)
{
    (void)unused;
    const size_t size = 1 << 20;
    unsigned before = open_descriptors();
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    struct replica r;
    watch(&r, m, size);
    assert_int_equal(open_descriptors(), before);
    exercise(&r);
    assert_int_equal(open_descriptors(), before);

    struct rlimit limit, none;
    getrlimit(RLIMIT_NOFILE, &limit);
    none = limit;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    exercise(&r);
    forget(&r);
    watch(&r, m, size);
    exercise(&r);
    setrlimit(RLIMIT_NOFILE, &limit);
    exercise(&r);
    forget(&r);
    munmap(m, size);
}

/* More mappings than can be watched, created and removed repeatedly at the same and at overlapping
 * addresses. */
static void test_many(void **unused)
{
    (void)unused;
    enum { COUNT = 1100, SIZE = 80000 };
    uint8_t *m = map_memory((size_t)COUNT * SIZE, MAP_PRIVATE);
    struct replica *r = calloc(COUNT, sizeof *r);
    for (unsigned round = 0; round < 3; ++round) {
        for (unsigned i = 0; i < COUNT; ++i)
            watch(&r[i], m + i * SIZE + round * 1000, SIZE - round * 1000);
        for (unsigned i = 0; i < 4000; ++i)
            write_somewhere(&r[next_random() % COUNT], 1);
        for (unsigned i = 0; i < COUNT; ++i)
            check(&r[i]);
        for (unsigned i = 0; i < COUNT; ++i)
            forget(&r[i]);
        struct replica all;
        watch(&all, m, (size_t)COUNT * SIZE);
        write_somewhere(&all, 50);
        check(&all);
        forget(&all);
    }
    free(r);
    munmap(m, (size_t)COUNT * SIZE);
}

/* Memory that is written in turn: pages that have not changed for a while are protected again, and their next
 * changes are found. */
static void test_in_turn(void **unused)
{
    enum { WATCHES = 20, SIZE = 128 << 10, PAGE = 4096 };
    static struct replica replicas[WATCHES];
    (void)unused;
    for (unsigned i = 0; i < WATCHES; ++i)
        watch(&replicas[i], map_memory(SIZE, MAP_PRIVATE), SIZE);
    for (unsigned round = 0; round < 1500; ++round) {
        struct replica *r = &replicas[round % 7 == 0 ? next_random() % WATCHES : round / 3 % WATCHES];
        r->memory[round % 5 * PAGE + next_random() % PAGE]++;
        for (unsigned i = 0; i < WATCHES; ++i) {
            look(&replicas[i]);
            assert_true(memcmp(replicas[i].copy, replicas[i].memory, SIZE) == 0);
        }
    }
    for (unsigned i = 0; i < WATCHES; ++i) {
        forget(&replicas[i]);
        munmap(replicas[i].memory, SIZE);
    }
}

static void test_fork(void **unused)
{
    (void)unused;
    const size_t size = 1 << 20;
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    struct replica r;
    watch(&r, m, size);
    exercise(&r);
    for (unsigned i = 0; i < 5; ++i) {
        write_somewhere(&r, 20);
        pid_t child = fork();
        if (child == 0) {
            memory_watch_forget_parent();
            memset(m, 9, size);
            struct replica own;
            watch(&own, m, size);
            exercise(&own);
            _exit(0);
        }
        write_somewhere(&r, 20);
        check(&r);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        exercise(&r);
    }
    forget(&r);
    munmap(m, size);
}

/* --- addresses of faults ---------------------------------------------------------------------------------
 */

static bool ring_is_mapped(void)
{
    char line[512];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, f) != NULL)
        found = found || strstr(line, "[perf_event]") != NULL;
    fclose(f);
    return found;
}

/* Writes random pages until the log of addresses starts. */
static bool start_log(struct replica *r)
{
    fault_log_stop();
    fault_log_forget_parent(); /* earlier tests may have given up the log */
    for (unsigned i = 0; i < 300; ++i) {
        write_somewhere(r, 1);
        check(r);
    }
    return fault_log_is_running();
}

static void *write_one(void *argument)
{
    write_somewhere(argument, 1);
    return NULL;
}

static void write_in_thread(struct replica *r)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_one, r), 0);
    pthread_join(thread, NULL);
}

static void write_by_kernel(struct replica *r)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], "read", 4), 4);
    assert_int_equal(read(fds[0], r->memory + next_random() % (r->size - 4), 4), 4);
    close(fds[0]);
    close(fds[1]);
}

/* Causes faults without writing, in other memory and in this. */
static void touch_new_memory(struct replica *r)
{
    uint8_t *m = map_memory(4096, MAP_PRIVATE);
    m[0] = r->memory[next_random() % r->size];
    munmap(m, 4096);
}

static void test_addresses(void **unused)
{
    (void)unused;
    static void (*const writers[])(struct replica *) = {write_in_thread, write_by_kernel, touch_new_memory};
    const size_t size = 8 << 20;
    unsigned before = open_descriptors();
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    struct replica r;
    watch(&r, m, size);
    if (!start_log(&r)) {
        forget(&r);
        munmap(m, size);
        skip();
    }
    for (unsigned i = 0; i < 600; ++i) {
        write_somewhere(&r, (unsigned)(next_random() % 20));
        writers[i % 3](&r);
        write_somewhere(&r, (unsigned)(next_random() % 2));
        check(&r);
    }
    write_pages(&r, &(size_t){0}, 4096, 1000); /* more faults than the kernel's buffer holds */
    check(&r);
    assert_true(ring_is_mapped());
    assert_int_equal(open_descriptors(), before);
    forget(&r);
    assert_false(ring_is_mapped());
    munmap(m, size);
}

/* Pages that do not change for a while are protected again. Then, what is written by another mapping of the
 * memory is not found: they are not compared. */
static void test_idle_pages(void **unused)
{
    enum { SIZE = 128 << 10 };
    struct replica r;
    (void)unused;
    int fd = memfd_create("watched", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, SIZE), 0);
    uint8_t *watched = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    uint8_t *other = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(watched != MAP_FAILED && other != MAP_FAILED);
    watch(&r, watched, SIZE);
    bool is_logged = start_log(&r);
    watched[5000]++;
    check(&r);
    for (unsigned i = 0; is_logged && i < 20; ++i) { /* it changes all the time */
        other[5000]++;
        look(&r);
        assert_true(memcmp(r.copy, r.memory, SIZE) == 0);
    }
    for (unsigned i = 0; i < 40; ++i)
        look(&r);
    other[5000]++;
    look(&r);
    assert_int_equal(memcmp(r.copy, r.memory, SIZE) == 0, !is_logged);
    watched[5000]++;
    check(&r);
    forget(&r);
    munmap(watched, SIZE);
    munmap(other, SIZE);
    close(fd);
    if (!is_logged)
        skip();
}

static void *mark_elsewhere(void *argument)
{
    *(struct fault_mark *)argument = fault_log_mark();
    return NULL;
}

/* The log has the faults of the thread that started it. Other threads' marks say nothing about their own. */
static void test_marks_of_two_threads(void **unused)
{
    (void)unused;
    const size_t size = 8 << 20;
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    struct replica r;
    struct fault_mark mark = {0, 0, true};
    pthread_t thread;
    watch(&r, m, size);
    bool started = start_log(&r);
    if (started) {
        assert_int_equal(pthread_create(&thread, NULL, mark_elsewhere, &mark), 0);
        pthread_join(thread, NULL);
    }
    forget(&r);
    munmap(m, size);
    if (!started)
        skip();
    assert_false(mark.exact);
}

/* Of two watches, one is checked every 20th time. It knows its own faults since then, or asks the kernel. */
static void test_addresses_of_two(void **unused)
{
    (void)unused;
    const size_t size = 4 << 20;
    uint8_t *m = map_memory(2 * size, MAP_PRIVATE);
    struct replica often, seldom;
    watch(&often, m, size);
    watch(&seldom, m + size, size);
    start_log(&often);
    for (unsigned i = 0; i < 600; ++i) {
        write_somewhere(&often, 1);
        write_somewhere(&seldom, i % 40 < 20);
        check(&often);
        if (i % 20 == 0)
            check(&seldom);
    }
    forget(&often);
    check(&seldom);
    forget(&seldom);
    munmap(m, 2 * size);
}

/* A child in which no atfork handler runs. */
static void test_addresses_in_child(void **unused)
{
    (void)unused;
    const size_t size = 1 << 20;
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    struct replica r;
    watch(&r, m, size);
    start_log(&r);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        write_somewhere(&r, 20);
        look(&r);
        _exit(fault_log_is_running() || memcmp(r.copy, r.memory, size) != 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    exercise(&r);
    forget(&r);
    munmap(m, size);
}

/* Makes the system calls that page tracking needs kill the process. */
static bool forbid_tracking(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_setup, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static void test_filtered_system_calls(void **unused)
{
    (void)unused;
    const size_t size = 1 << 20;
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    pid_t child = fork();
    if (child == 0) {
        memory_watch_forget_parent();
        if (!forbid_tracking())
            _exit(0);
        struct replica r;
        watch(&r, m, size);
        exercise(&r);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    munmap(m, size);
}

/* Only the changed block is reported, not the memory around it. */
static void test_how_much(void **unused)
{
    (void)unused;
    const size_t size = 1 << 20;
    uint8_t *m = map_memory(size, MAP_PRIVATE);
    struct replica r;
    watch(&r, m, size);
    memset(m, 1, size);
    check(&r);
    for (unsigned i = 0; i < 100; ++i) {
        m[next_random() % size] += 1;
        r.told = 0;
        look(&r);
        assert_int_equal(r.told, 1024);
    }
    forget(&r);
    munmap(m, size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_kinds_of_memory),
        cmocka_unit_test(test_system_calls),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory_that_goes),
        cmocka_unit_test(test_no_descriptors),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_idle_pages),
        cmocka_unit_test(test_marks_of_two_threads),
        cmocka_unit_test(test_addresses_of_two),
        cmocka_unit_test(test_addresses_in_child),
        cmocka_unit_test(test_filtered_system_calls),
        cmocka_unit_test(test_how_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
