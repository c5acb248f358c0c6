/* SPDX-License-Identifier: MIT
 * Tests nested calls on a simulated stack in mapped memory. Addresses grow towards the outer calls.
 */
#include "capture/call_nesting.h"
#include "capture/capture_thread.h"
#include "cmocka_all.h"

#include "spec_ids.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 64 };

static char *stack; /* PAGES pages */
static struct capture_call *outer;
static struct capture_thread thread;

static struct capture_thread *self(void)
{
    return &thread;
}

static int map(void **unused)
{
    (void)unused;
    stack = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    outer = (struct capture_call *)(void *)(stack + 40 * PAGE);
    *outer = (struct capture_call){.thread = self(), .function = &spec_functions[SPEC_FN_glClear]};
    return 0;
}

static int unmap(void **unused)
{
    (void)unused;
    return munmap(stack, PAGES * PAGE);
}

/* Returns a frame this many bytes below outer, of a stub that was called from a library. */
static const void *below(ptrdiff_t bytes)
{
    return (const char *)outer - bytes;
}

static void test_library_calls_are_within(void **unused)
{
    (void)unused;
    assert_true(call_is_within(self(), outer, below(64)));
    assert_true(call_is_within(self(), outer, below(39 * PAGE)));
    outer->thread = NULL; /* being recorded */
    assert_true(call_is_within(self(), outer, below(64)));
}

/* A frame some megabytes further down may belong to a call within the outer one. A frame much further away is
 * on another stack, even if all memory in between is in use. */
static void test_far_frames(void **unused)
{
    (void)unused;
    const size_t size = (size_t)66 << 20;
    char *vast = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(vast, MAP_FAILED);
    struct capture_call *far = (struct capture_call *)(void *)(vast + size - PAGE);
    *far = *outer;
    assert_true(call_is_within(self(), far, (const char *)far - ((size_t)8 << 20)));
    assert_false(call_is_within(self(), far, (const char *)far - ((size_t)64 << 20)));
    munmap(vast, size);
}

static void test_frames_above_are_not_within(void **unused)
{
    (void)unused;
    assert_false(call_is_within(self(), outer, below(-16)));
    assert_false(call_is_within(self(), outer, below(-10 * PAGE)));
}

static void test_remains_that_were_written_over(void **unused)
{
    (void)unused;
    const struct capture_call good = *outer;
    outer->function = (const void *)((const char *)good.function + 8);
    assert_false(call_is_within(self(), outer, below(64)));
    outer->function = &spec_functions[SPEC_FUNCTION_COUNT];
    assert_false(call_is_within(self(), outer, below(64)));
    outer->function = NULL;
    assert_false(call_is_within(self(), outer, below(64)));
    *outer = good;
    outer->thread = (struct capture_thread *)(void *)&outer;
    assert_false(call_is_within(self(), outer, below(64)));
}

static void test_other_stacks(void **unused)
{
    (void)unused;
    mprotect(stack + 20 * PAGE, PAGE, PROT_NONE); /* a guard page */
    assert_true(call_is_within(self(), outer, below(18 * PAGE)));
    assert_false(call_is_within(self(), outer, below(25 * PAGE)));
    mprotect(stack + 40 * PAGE, PAGE, PROT_NONE); /* the outer call's stack is gone */
    assert_false(call_is_within(self(), outer, below(64)));
    assert_false(call_is_within(self(), outer, below((ptrdiff_t)1 << 40)));
}

static void test_the_program_calls(void **unused)
{
    (void)unused;
    const void *frame = below(64);
#ifdef __x86_64__
    void *code;
    void (*function)(void **) = test_the_program_calls;
    memcpy(&code, &function, sizeof code);
    ((void **)(uintptr_t)frame)[-1] = code;
    assert_false(call_is_within(self(), outer, frame));
    outer->thread = NULL; /* a signal handler runs while the call is recorded */
    assert_true(call_is_within(self(), outer, frame));
    assert_true(call_is_interrupting(outer, frame));
    static const unsigned char to_kernel[] = {0x48, 0xc7, 0xc0, 0x0f, 0,
                                              0,    0,    0x0f, 0x05}; /* rt_sigreturn() */
    memcpy(stack, to_kernel, sizeof to_kernel);
    ((void **)(uintptr_t)frame)[-1] = stack;
    assert_true(call_is_interrupting(outer, frame));
    stack[3] = 0x0e;
    assert_false(call_is_interrupting(outer, frame));
    ((void **)(uintptr_t)frame)[-1] = code;
    outer->thread = self();
    assert_false(call_is_interrupting(outer, frame)); /* for example a callback of the library */
    ((void **)(uintptr_t)frame)[-1] = stack;          /* not one of the program's addresses */
    outer->thread = NULL;
    assert_false(call_is_interrupting(outer, frame));
    outer->thread = self();
#endif
    assert_true(call_is_within(self(), outer, frame));
}

static volatile bool within_on_signal_stack;

static void on_signal(int number)
{
    (void)number;
    within_on_signal_stack = call_is_within(self(), outer, below(-16));
}

static void test_signal_stack(void **unused)
{
    (void)unused;
    const stack_t own = {.ss_sp = stack, .ss_size = 8 * PAGE};
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    assert_int_equal(sigaltstack(&own, NULL), 0);
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    raise(SIGUSR1);
    assert_false(within_on_signal_stack); /* the call was interrupted in the driver */
    outer->thread = NULL;
    raise(SIGUSR1);
    assert_true(within_on_signal_stack); /* … in our code */
    assert_false(call_is_within(self(), outer, below(-16)));
    assert_int_equal(sigaltstack(&(const stack_t){.ss_flags = SS_DISABLE}, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_library_calls_are_within, map, unmap),
        cmocka_unit_test_setup_teardown(test_far_frames, map, unmap),
        cmocka_unit_test_setup_teardown(test_frames_above_are_not_within, map, unmap),
        cmocka_unit_test_setup_teardown(test_remains_that_were_written_over, map, unmap),
        cmocka_unit_test_setup_teardown(test_other_stacks, map, unmap),
        cmocka_unit_test_setup_teardown(test_the_program_calls, map, unmap),
        cmocka_unit_test_setup_teardown(test_signal_stack, map, unmap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
