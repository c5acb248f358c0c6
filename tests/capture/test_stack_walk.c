/* SPDX-License-Identifier: MIT
 * Walks stacks of all kinds, and compares the results with the C library's backtrace().
 */
#include "unwind/loaded_modules.h"
#include "unwind/stack_walk.h"

#include "cmocka_all.h"

#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define LIMIT      64
#define NOT_INLINE __attribute__((noinline, noclone))
#define KEEP()     __asm__ volatile("" ::: "memory") /* no call before it is a tail call */
#define USE(room)  __asm__ volatile("" : : "r"(room) : "memory")

static struct {
    unsigned count, others;
    uint64_t places[LIMIT];
    void *addresses[LIMIT];
    bool same; /* it was recognised */
} seen;

/* The previous stack. Whether the present one is new must not matter. */
static struct {
    struct stack_memos memos;
    struct {
        unsigned count;
        uint64_t places[LIMIT];
    } ways[STACK_WAYS];
} before[8];

/* Finds the callers of this function by our code and by the C library's. */
NOT_INLINE static void probe(void)
{
    unsigned slot = (uintptr_t)__builtin_dwarf_cfa() / 16 % 8;
    struct stack_memos empty = {.next = 0};
    struct stack_memo *memo;
    uint64_t places[LIMIT];
    unsigned count = stack_walk(places, LIMIT, __builtin_dwarf_cfa(), &empty, &memo);
    seen.count = stack_walk(seen.places, LIMIT, __builtin_dwarf_cfa(), &before[slot].memos, &memo);
    size_t way = (size_t)(memo - before[slot].memos.ways);
    seen.same = seen.count == STACK_SAME;
    if (seen.same) {
        seen.count = before[slot].ways[way].count;
        memcpy(seen.places, before[slot].ways[way].places, sizeof seen.places);
    }
    memo->digest = 1;
    before[slot].ways[way].count = seen.count;
    memcpy(before[slot].ways[way].places, seen.places, sizeof seen.places);
    assert_int_equal(seen.count, count);
    assert_memory_equal(seen.places, places, count * sizeof places[0]);
    int found = backtrace(seen.addresses, LIMIT);
    seen.others = (unsigned)found - 1;
    memmove(seen.addresses, seen.addresses + 1, seen.others * sizeof seen.addresses[0]);
}

/* Addresses follow calls, except where a signal interrupted: there they are exact. */
static bool is_place_of(uint64_t place, const void *address)
{
    return place == (uintptr_t)address - 1 || place == (uintptr_t)address;
}

static void compare(unsigned least)
{
    assert_in_range(seen.count, least, LIMIT);
    assert_int_equal(seen.count, seen.others);
    for (unsigned i = 0; i < seen.count; ++i)
        assert_true(is_place_of(seen.places[i], seen.addresses[i]));
}

NOT_INLINE static void plain(void)
{
    probe();
    KEEP();
}

NOT_INLINE static int deep(unsigned levels)
{
    int below = 0;
    if (levels > 0)
        below = deep(levels - 1);
    else
        plain();
    KEEP();
    return below + 1;
}

/* A frame whose size is only known at run time: it has a frame pointer. */
NOT_INLINE static void variable(size_t size)
{
    char *room = alloca(size);
    USE(room);
    plain();
    USE(room);
}

/* A frame that is aligned more than the stack. */
NOT_INLINE static void aligned(size_t size)
{
    _Alignas(128) char room[256];
    char *more = alloca(size);
    USE(room);
    USE(more);
    variable(size);
    USE(room);
}

NOT_INLINE static void large(void)
{
    char room[100000];
    USE(room);
    aligned(300);
    USE(room);
}

static void shapes_of_frames(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; ++i) { /* with new rules, and with known ones */
        plain();
        compare(3);
        deep(20);
        compare(20);
        variable(100 + i);
        compare(4);
        aligned(33);
        compare(5);
        large();
        compare(6);
    }
}

/* A stack is recognised. Another one with the same innermost address is not mistaken for it. */
NOT_INLINE static void one_way(void)
{
    plain();
    KEEP();
}

NOT_INLINE static void other_way(void)
{
    plain();
    KEEP();
}

NOT_INLINE static void choose(unsigned way)
{
    if (way == 1)
        one_way();
    else
        other_way();
    KEEP();
}

static void stacks_are_remembered(void **state)
{
    (void)state;
    unsigned same = 0;
    for (volatile unsigned i = 0; i < 20; ++i) {
        choose(i / 5 % 2);
        compare(5);
        same += seen.same;
        assert_true(seen.places[1] - (uintptr_t)(i / 5 % 2 == 1 ? one_way : other_way) < 64);
    }
    assert_in_range(same, 17, 18);              /* both are remembered */
    for (volatile unsigned i = 0; i < 4; ++i) { /* always from the same address */
        if (i == 2)
            stack_walk_forget();
        choose(1);
        assert_int_equal(seen.same, i % 2 == 1);
    }
}

/* A signal handler may jump out of a walk, so that its last steps never happen. */
static void walks_that_were_left(void **state)
{
    struct stack_memos memos = {.next = 0};
    struct stack_memo *memo;
    uint64_t places[4];
    (void)state;
    for (volatile unsigned i = 0; i < 4; ++i) {
        unsigned count = stack_walk(places, 4, __builtin_dwarf_cfa(), &memos, &memo);
        assert_int_equal(count, i == 3 ? STACK_SAME : 4);
        memo->digest = i == 2;
    }
}

static void no_more_than_wanted(void **state)
{
    struct stack_memos memos = {.next = 0};
    struct stack_memo *memo;
    uint64_t places[4] = {0, 0, 0, 77};
    (void)state;
    assert_int_equal(stack_walk(places, 0, __builtin_dwarf_cfa(), &memos, &memo), 0);
    assert_int_equal(stack_walk(places, 2, __builtin_dwarf_cfa(), &memos, &memo), 2);
    assert_int_equal(places[2], 0);
    deep(200);
    assert_int_equal(seen.count, LIMIT);
    for (unsigned i = 0; i < LIMIT; ++i)
        assert_true(is_place_of(seen.places[i], seen.addresses[i]) || i + 1 == LIMIT);
}

static volatile uintptr_t interrupted_at;

static void on_signal(int number, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    (void)number, (void)info;
#ifdef __x86_64__
    interrupted_at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#else
    interrupted_at = (uintptr_t)c->uc_mcontext.pc;
#endif
    plain();
}

NOT_INLINE static void raises(void)
{
    raise(SIGUSR1);
    KEEP();
}

/* The signal interrupts at the function's first instruction: the address before it belongs to another
 * function. */
#ifdef __x86_64__
__asm__(
    ".text\n.type traps, @function\ntraps:\n.cfi_startproc\nud2\nret\n.cfi_endproc\n.size traps, .-traps\n");
void traps(void);

static void on_trap(int number, siginfo_t *info, void *context)
{
    on_signal(number, info, context);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}
#endif

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    assert_int_equal(sigaction(number, &action, NULL), 0);
}

static bool has_place(uint64_t place)
{
    for (unsigned i = 0; i < seen.count; ++i)
        if (seen.places[i] == place)
            return true;
    return false;
}

static void signal_handlers(void **state)
{
    (void)state;
    handle(SIGUSR1, on_signal, 0);
    raises();
    compare(6);
    assert_true(has_place(interrupted_at));
    static char room[65536];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    assert_int_equal(sigaltstack(&stack, NULL), 0);
    handle(SIGUSR1, on_signal, SA_ONSTACK);
    raises();
    compare(6);
    assert_true(has_place(interrupted_at));
#ifdef __x86_64__
    handle(SIGILL, on_trap, 0);
    traps();
    compare(4);
    assert_true(has_place((uintptr_t)traps));
#endif
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
}

static ucontext_t outside, inside;

static void run_coroutine(void)
{
    deep(3);
}

/* There is nothing readable above the stack. */
static void coroutines(void **state)
{
    const size_t page = 4096, size = 16 * page;
    (void)state;
    char *room = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room != MAP_FAILED);
    assert_int_equal(mprotect(room + size, page, PROT_NONE), 0);
    for (unsigned i = 0; i < 3; ++i) {
        getcontext(&inside);
        inside.uc_stack.ss_sp = room;
        inside.uc_stack.ss_size = size;
        inside.uc_link = &outside;
        makecontext(&inside, run_coroutine, 0);
        swapcontext(&outside, &inside);
        assert_in_range(seen.count, 6, 8); /* deep() four times, plain(), run_coroutine(), what starts it */
        for (unsigned k = 0; k < 6; ++k)
            assert_true(is_place_of(seen.places[k], seen.addresses[k]));
    }
    munmap(room, size + page);
}

static void *run_thread(void *unused)
{
    (void)unused;
    plain();
    return NULL;
}

static void small_threads(void **state)
{
    pthread_attr_t attributes;
    pthread_t thread;
    (void)state;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 16384 * 2), 0);
    stack_walk_forget(); /* nothing is known */
    assert_int_equal(pthread_create(&thread, &attributes, run_thread, NULL), 0);
    pthread_join(thread, NULL);
    compare(3);
    pthread_attr_destroy(&attributes);
}

static jmp_buf back;
static void (*volatile jump)(jmp_buf, int) = longjmp; /* unknown to the compiler */

NOT_INLINE static void jumps(unsigned levels)
{
    if (levels > 0)
        jumps(levels - 1);
    else
        jump(back, 1);
    KEEP();
}

static void long_jumps(void **state)
{
    (void)state;
    for (volatile unsigned i = 0; i < 4; ++i) {
        if (setjmp(back) == 0)
            jumps(i);
        deep(i);
        compare(i + 3);
    }
}

#ifdef __x86_64__
/* Code without unwind information that keeps a frame pointer, like that of a just-in-time compiler. */
static const uint8_t keeps_frame_pointer[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
/* … that keeps a pointer to something on the stack in that register, where there are numbers instead of
 * addresses. */
static const uint8_t points_at_numbers[] = {0x55, 0x6a, 0x07, 0x6a, 0x09, 0x48, 0x89, 0xe5,
                                            0xff, 0xd7, 0x48, 0x83, 0xc4, 0x10, 0x5d, 0xc3};
/* … that has something else in that register: its caller cannot be found. */
static const uint8_t keeps_none[] = {0x55, 0x48, 0x31, 0xed, 0xff, 0xd7, 0x5d, 0xc3};

static void made_code(void **state)
{
    (void)state;
    uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*run)(void (*called)(void));
    assert_true(code != MAP_FAILED);
    *(void **)&run = code;
    memcpy(code, keeps_frame_pointer, sizeof keeps_frame_pointer);
    run(plain);
    assert_true(seen.count > 4 && seen.places[0] - (uintptr_t)plain < 64);
    assert_int_equal(seen.places[1], (uintptr_t)code + 5);
    assert_true(seen.places[2] - (uintptr_t)made_code < 4096);
    memcpy(code, points_at_numbers, sizeof points_at_numbers);
    run(plain);
    assert_int_equal(seen.count, 2);
    memcpy(code, keeps_none, sizeof keeps_none);
    run(plain);
    assert_int_equal(seen.count, 2);
    munmap(code, 4096);
}
#endif

/* Every address outside of generated code is in a module of the list. */
static void modules_are_noted(void **state)
{
    Dl_info self;
    const struct loaded_module *m = NULL, *last = NULL;
    unsigned programs = 0;
    (void)state;
    plain();
    assert_true(dladdr((void *)(uintptr_t)plain, &self) != 0);
    while ((m = loaded_modules_next(m)) != NULL) {
        assert_int_equal(m->serial, last != NULL ? last->serial + 1 : 0);
        last = m;
        if ((uintptr_t)plain >= m->start && (uintptr_t)plain < m->end) {
            programs++;
            assert_string_equal(m->path, "");
            assert_int_equal(m->base, (uintptr_t)self.dli_fbase);
            assert_true(m->build_id.size == 0 || m->build_id.size == 20);
        }
    }
    assert_int_equal(programs, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_frames),    cmocka_unit_test(stacks_are_remembered),
        cmocka_unit_test(no_more_than_wanted), cmocka_unit_test(walks_that_were_left),
        cmocka_unit_test(signal_handlers),     cmocka_unit_test(coroutines),
        cmocka_unit_test(small_threads),       cmocka_unit_test(long_jumps),
#ifdef __x86_64__
        cmocka_unit_test(made_code),
#endif
        cmocka_unit_test(modules_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
