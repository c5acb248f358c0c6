/* SPDX-License-Identifier: MIT
 * Backtraces of calls as they are recorded: each call of many different stacks has its own, in whatever order
 * they come, also when a ring has forgotten some, when other threads take it, and when it is full.
 */
#include "capture/capture.h"
#include "process/capture_process.h"
#include "process/stack_setting.h"
#include "stub_process.h"
#include "unwind/stack_walk.h"

#include "cmocka_all.h"
#include "next_random.h"
#include "spec_ids.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BITS       12 /* of the numbers below: each bit is a function on the stack */
#define NOT_INLINE __attribute__((noinline, noclone))
#define KEEP()     __asm__ volatile("" ::: "memory")

static uint16_t function;

/* Calls like a stub. */
NOT_INLINE static void make_call(unsigned number)
{
    union spec_arg args[1] = {{.u = number}};
    struct capture_call c;
    capture_enter(&c, function, args, __builtin_dwarf_cfa());
    capture_leave(&c, args, NULL);
    KEEP();
}

static void descend(unsigned number, unsigned levels);

NOT_INLINE static void zero(unsigned number, unsigned levels)
{
    descend(number, levels);
    KEEP();
}

NOT_INLINE static void one(unsigned number, unsigned levels)
{
    descend(number, levels);
    KEEP();
}

/* The bits of number determine the callers, the lowest bit first. */
NOT_INLINE static void descend(unsigned number, unsigned levels)
{
    if (levels == 0)
        make_call(number);
    else if ((number >> (levels - 1) & 1) != 0)
        one(number, levels - 1);
    else
        zero(number, levels - 1);
    KEEP();
}

static void start(const char *functions, const char *depth)
{
    stub_process_start(4, false);
    capture_api_mask = SPEC_API_GL | SPEC_API_GLX;
    setenv(STACK_FUNCTIONS_ENVIRONMENT, functions, 1);
    setenv(STACK_DEPTH_ENVIRONMENT, depth, 1);
    assert_true(stack_setting_read());
    stub_generation = (stub_generation + 1) | CAPTURE_WANTS_STACKS;
    function = SPEC_FN_glClearStencil;
}

static void stop(void)
{
    stub_process_stop();
    stack_setting = (struct stack_setting){.depth = STACK_DEPTH};
    stub_generation &= ~CAPTURE_WANTS_STACKS;
}

/* Returns the number that the functions of the backtrace stand for. Frames only have modules and offsets
 * here. */
static unsigned number_of(const struct trace_call *call, uint64_t start_of_module)
{
    unsigned number = 0, bit = 0;
    assert_true(call->frame_count >= 2 * BITS);
    for (unsigned i = 0; i < 2 * BITS + 1 && bit < BITS; ++i) {
        uint64_t place = (uint64_t)call->frames[i].offset + start_of_module;
        uint64_t from_one = place - (uintptr_t)one, from_zero = place - (uintptr_t)zero;
        bool is_one = from_one < from_zero && from_one < 64, is_zero = from_zero < from_one && from_zero < 64;
        if (is_one || is_zero)
            number |= (unsigned)is_one << bit++;
    }
    assert_int_equal(bit, BITS);
    return number;
}

extern const char __executable_start; /* defined by the linker */

/* Checks that every call of the trace has the stack of its number. Returns the number of calls. */
static unsigned check_calls(void)
{
    struct trace_reader *reader = stub_process_open_trace();
    const struct trace_call *call;
    unsigned count = 0;
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        if (strcmp(call->sig->name, "glClearStencil") == 0) {
            assert_int_equal(number_of(call, (uintptr_t)&__executable_start),
                             trace_value_to_uint(&call->args[0], UINT64_MAX));
            count++;
        }
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    return count;
}

/* More stacks than a ring can number. Some of them occur often and are recognised. */
static void many_stacks(void **state)
{
    enum { CALLS = 40000 };
    (void)state;
    start("glClear*", "40");
    for (unsigned i = 0; i < CALLS; ++i)
        descend((unsigned)(next_random() % (i % 3 == 0 ? 1 << BITS : 20)), BITS);
    stub_process_drain();
    assert_int_equal(check_calls(), CALLS);
    stop();
}

static void libraries_come_and_go(void **state)
{
    enum { CALLS = 300 };
    (void)state;
    start("*", "40");
    for (unsigned i = 0; i < CALLS; ++i) {
        descend(i % 7, BITS);
        if (i % 10 == 0)
            stack_walk_forget();
    }
    stub_process_drain();
    assert_int_equal(check_calls(), CALLS);
    stop();
}

static void *run_thread(void *number)
{
    for (unsigned i = 0; i < 50; ++i)
        descend((unsigned)(uintptr_t)number + i % 5, BITS);
    return NULL;
}

/* Threads use the same ring one after the other. */
static void threads_follow_each_other(void **state)
{
    enum { THREADS = 10 };
    (void)state;
    start("glClearStencil", "40");
    for (uintptr_t i = 0; i < THREADS; ++i) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, run_thread, (void *)(i * 3)), 0);
        pthread_join(thread, NULL);
    }
    stub_process_drain();
    assert_int_equal(check_calls(), THREADS * 50);
    stop();
}

/* Calls have no backtrace if none is wanted of their function, or if their thread has no ring. */
static void only_what_is_wanted(void **state)
{
    (void)state;
    start("glClearStencil", "40");
    descend(5, BITS);
    function = SPEC_FN_glClearIndex;
    descend(6, BITS);
    stub_process_drain();
    struct trace_reader *reader = stub_process_open_trace();
    const struct trace_call *call;
    for (unsigned i = 0; i < 2; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_non_null(call);
        assert_int_equal(call->frames != NULL, i == 0);
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    stop();
}

static void depths(void **state)
{
    static const char *const wanted[] = {"1", "7", "24"};
    (void)state;
    for (unsigned i = 0; i < 3; ++i) {
        start("*", wanted[i]);
        descend(9, BITS);
        descend(9, BITS);
        stub_process_drain();
        struct trace_reader *reader = stub_process_open_trace();
        const struct trace_call *call;
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_int_equal(call->frame_count, atoi(wanted[i]));
        trace_call_release(reader, call);
        trace_reader_close(reader);
        stop();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_stacks),
        cmocka_unit_test(libraries_come_and_go),
        cmocka_unit_test(threads_follow_each_other),
        cmocka_unit_test(only_what_is_wanted),
        cmocka_unit_test(depths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
