/* SPDX-License-Identifier: MIT
 * Tests which calls are recorded, and what happens around them: nested calls, calls that were left by
 * longjmp(), hooks, and threads that start, end and share rings.
 */
#include "stub_process.h"

#include "process/capture_process.h"
#include "memory/program_memory.h"

#include "cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A stack of the program's. Frames of inner calls are lower. The word at a frame's top is not an address in
 * the program's code. */
struct stack {
    uintptr_t free[64];
    struct capture_call call;
    uintptr_t above[8];
};

static const union spec_arg no_arguments[8];
static union spec_arg no_result;

static capture_function enter(struct capture_call *c, uint32_t function, const void *frame)
{
    return capture_enter(c, function, no_arguments, frame);
}

static void leave(struct capture_call *c)
{
    capture_leave(c, no_arguments, &no_result);
}

static void make(uint32_t function)
{
    stub_process_call(function, no_arguments, NULL);
}

static void expect(const char *calls)
{
    assert_string_equal(stub_process_calls(), calls);
    stub_process_stop();
}

/* --- calls within calls -----------------------------------------------------------------------------------
 */

static void test_calls_within(void **state)
{
    (void)state;
    struct stack s = {.call = {.thread = NULL}};
    struct capture_call inner, innermost;
    stub_process_start(2, false);
    enter(&s.call, SPEC_FN_glFlush, &s.above[4]);
    enter(&inner, SPEC_FN_glClear, &s.free[40]);
    enter(&innermost, SPEC_FN_glEnd, &s.free[20]);
    leave(&innermost);
    leave(&inner);
    assert_ptr_equal(capture_self.outermost, &s.call);
    enter(&inner, SPEC_FN_glClear, &s.free[40]);
    leave(&inner);
    leave(&s.call);
    assert_null(capture_self.outermost);
    make(SPEC_FN_glFinish);
    expect("glFlush glFinish ");
}

static void set_omit(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                     union spec_arg *ret)
{
    (void)f;
    (void)args;
    (void)ret;
    t->omit = true;
}

static void add_fakes(struct capture_thread *t)
{
    capture_fake_call(t, SPEC_FN_glFlush, NULL);
    capture_fake_call(t, SPEC_FN_glFinish, NULL);
}

static void set_complete(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                         union spec_arg *ret)
{
    (void)f;
    (void)args;
    (void)ret;
    t->complete = add_fakes;
}

static void omit_and_complete(struct capture_thread *t, const struct spec_function *f,
                              const union spec_arg *args, union spec_arg *ret)
{
    set_omit(t, f, args, ret);
    set_complete(t, f, args, ret);
}

/* The program leaves a call by longjmp(). Nothing of it becomes a part of the next call. */
static void test_calls_that_were_left(void **state)
{
    (void)state;
    struct stack s = {.call = {.thread = NULL}};
    stub_process_start(2, false);
    enter(&s.call, SPEC_FN_glFlush, &s.above[4]);
    make(SPEC_FN_glFinish); /* from elsewhere */
    stub_process.before = omit_and_complete;
    enter(&s.call, SPEC_FN_glBegin, &s.above[4]); /* omitted, and left */
    assert_true(capture_self.omit);
    stub_process.before = NULL;
    make(SPEC_FN_glFinish);
    assert_false(capture_self.omit);
    assert_null(capture_self.complete);
    make(SPEC_FN_glEndList);
    expect("glFinish glFinish glEndList glFlush! ");
}

static jmp_buf out;

static bool jump_out(void)
{
    stub_process.on_wait = NULL;
    longjmp(out, 1);
}

/* The program leaves a call while its body is being recorded. The next call does not get any part of that
 * body. */
static void test_calls_left_in_their_bodies(void **state)
{
    (void)state;
    static uint8_t data[5 << 20], small[8] = "abcdefg";
    const union spec_arg large[4] = {{.u = 0x8892}, {.u = sizeof data}, {.p = data}, {.u = 0x88E4}};
    const union spec_arg next[4] = {{.u = 0x8892}, {.u = 8}, {.p = small}, {.u = 0x88E4}};
    stub_process_start(2, false);
    stub_process.on_wait = jump_out;
    if (setjmp(out) == 0)
        stub_process_call(SPEC_FN_glBufferData, large, NULL);
    assert_true(capture_self.in_body);
    stub_process_call(SPEC_FN_glBufferData, next, NULL);
    assert_false(capture_self.in_body);
    struct trace_reader *r = stub_process_open_trace();
    const struct trace_call *call;
    assert_int_equal(trace_reader_next_call(r, &call), 0);
    assert_int_equal(call->flags & TRACE_CALL_INCOMPLETE, 0);
    assert_int_equal(call->args[2].count, 8);
    assert_memory_equal(call->args[2].u.blob, small, 8);
    trace_call_release(r, call);
    trace_reader_close(r);
    assert_int_equal(stub_process.merger.damaged, 0);
    stub_process_stop();
}

/* --- hooks -------------------------------------------------------------------------------------------------
 */

static void test_hooks(void **state)
{
    (void)state;
    stub_process_start(2, false);
    stub_process.before = set_omit;
    make(SPEC_FN_glBegin);
    stub_process.before = omit_and_complete;
    make(SPEC_FN_glBegin);
    stub_process.before = NULL;
    make(SPEC_FN_glBegin);
    stub_process.after = set_complete;
    make(SPEC_FN_glLinkProgram);
    stub_process.after = NULL;
    make(SPEC_FN_glLinkProgram);
    expect("glFlush* glFinish* glBegin glLinkProgram glFlush* glFinish* glLinkProgram ");
}

/* Memory that was unreadable before a call is checked again after it, once, and only by that call. */
static unsigned looks, again_looks;
static uint64_t looked_for;
static bool misses;

static void look(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                 union spec_arg *ret)
{
    (void)f;
    (void)args;
    (void)ret;
    looks++;
    again_looks += t->again_arrays != 0;
    looked_for = t->again_arrays;
    if (misses) {
        t->missed = t->outermost;
        t->missed_arrays |= 5;
    }
}

static void look_and_omit(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                          union spec_arg *ret)
{
    look(t, f, args, ret);
    t->omit = true;
}

static void expect_looks(unsigned all, unsigned again)
{
    assert_int_equal(looks, all);
    assert_int_equal(again_looks, again);
    looks = again_looks = 0;
}

static void test_second_looks(void **state)
{
    (void)state;
    struct stack s = {.call = {.thread = NULL}};
    stub_process_start(2, false);
    stub_process.before = look;
    misses = true;
    make(SPEC_FN_glDrawArrays);
    assert_int_equal(looked_for, 5);
    expect_looks(2, 1);
    assert_null(capture_self.missed);
    assert_int_equal(capture_self.missed_arrays | capture_self.again_arrays, 0);
    misses = false;
    make(SPEC_FN_glDrawArrays);
    expect_looks(1, 0);
    misses = true; /* in a call that is not recorded */
    stub_process.before = look_and_omit;
    make(SPEC_FN_glDrawArrays);
    expect_looks(1, 0);
    misses = false;
    stub_process.before = look;
    make(SPEC_FN_glDrawArrays);
    expect_looks(1, 0);
    misses = true; /* in a call that is left, with the same frame as the next one */
    enter(&s.call, SPEC_FN_glDrawArrays, &s.above[4]);
    misses = false;
    looks = 0;
    enter(&s.call, SPEC_FN_glDrawArrays, &s.above[5]);
    leave(&s.call);
    expect_looks(1, 0);
    assert_int_equal(capture_self.missed_arrays, 0);
    stub_process.before = NULL;
    expect("glDrawArrays glDrawArrays glDrawArrays glDrawArrays glDrawArrays! ");
}

static struct stack interrupted;

/* A signal handler of the program calls GL while a call is being recorded. The inner call cannot be
 * recorded. */
static void call_from_handler(struct capture_thread *t, const struct spec_function *f,
                              const union spec_arg *args, union spec_arg *ret)
{
    (void)t;
    (void)f;
    (void)args;
    (void)ret;
    struct capture_call inner;
    interrupted.free[39] = (uintptr_t)call_from_handler; /* an address in the program's code */
    enter(&inner, SPEC_FN_glFinish, &interrupted.free[40]);
    leave(&inner);
}

static void test_handlers_within_our_work(void **state)
{
    (void)state;
    stub_process_start(2, false);
    stub_process.before = stub_process.after = call_from_handler;
    enter(&interrupted.call, SPEC_FN_glBegin, &interrupted.above[4]);
    leave(&interrupted.call);
    enter(&interrupted.call, SPEC_FN_glLinkProgram, &interrupted.above[4]);
    leave(&interrupted.call);
    expect("glBegin glLinkProgram ");
}

/* Writes to mapped memory are recorded before calls that may read them, and only there. */
static void test_persistent_writes(void **state)
{
    (void)state;
    stub_process_start(2, false);
    make(SPEC_FN_glDrawArrays);
    assert_int_equal(stub_process.persistent_writes, 0);
    capture_persistent_mappings = 1;
    make(SPEC_FN_glDrawArrays);
    assert_int_equal(stub_process.persistent_writes, 1);
    make(SPEC_FN_glClearStencil);
    assert_int_equal(stub_process.persistent_writes, 1);
    make(SPEC_FN_glDispatchCompute);
    assert_int_equal(stub_process.persistent_writes, 2);
    stub_process_stop();
}

/* At the end of a frame, what is known about the program's memory is discarded. Frames and draws may write
 * the file. */
static void test_ends_of_frames(void **state)
{
    (void)state;
    stub_process_start(2, false);
    make(SPEC_FN_glFlush);
    program_pages[5] = 77;
    unsigned before = stub_process.flush_offers;
    make(SPEC_FN_glClearStencil);
    assert_int_equal(stub_process.flush_offers, before);
    make(SPEC_FN_glDrawArrays);
    assert_int_equal(stub_process.flush_offers, before + 1);
    assert_int_equal(program_pages[5], 77);
    make(SPEC_FN_glXSwapBuffers);
    assert_int_equal(stub_process.flush_offers, before + 2);
    assert_int_equal(program_pages[5], 0);
    stub_process_stop();
}

static void some_function(void)
{
}

static void test_real_functions(void **state)
{
    (void)state;
    /* Without a ring yet, quick, without parameters, with an array, and with hooks. */
    static const uint16_t functions[] = {SPEC_FN_glFlush, SPEC_FN_glFlush, SPEC_FN_glVertex3fv,
                                         SPEC_FN_glBufferData};
    const struct stack s = {.above = {0}};
    struct capture_call c;
    stub_process_start(1, false);
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        thunk_real = some_function;
        assert_ptr_equal(enter(&c, functions[i], s.above), some_function);
        assert_null(thunk_real);
        leave(&c);
        assert_ptr_not_equal(enter(&c, functions[i], s.above), some_function);
        leave(&c);
    }
    stub_process_stop();
}

/* Only the selected APIs are recorded. */
static void test_apis(void **state)
{
    (void)state;
    static const struct {
        uint32_t mask;
        const char *calls;
    } masks[] = {{SPEC_API_GL | SPEC_API_GLX, "glFlush glXWaitGL "},
                 {SPEC_API_GL | SPEC_API_EGL, "glFlush eglWaitGL "},
                 {SPEC_API_EGL, "eglWaitGL "}};
    for (unsigned i = 0; i < sizeof masks / sizeof masks[0]; ++i) {
        stub_process_start(2, false);
        capture_api_mask = masks[i].mask;
        make(SPEC_FN_glFlush);
        make(SPEC_FN_glXWaitGL);
        make(SPEC_FN_eglWaitGL);
        expect(masks[i].calls);
    }
}

/* --- processes and threads ---------------------------------------------------------------------------------
 */

/* A forked child has no part in its parent's rings. It starts with its first call. */
static void test_generations(void **state)
{
    (void)state;
    stub_process_start(4, false);
    make(SPEC_FN_glFlush);
    struct ring_control *parents = capture_self.ring.control;
    assert_int_equal(stub_process.starts, 1);
    make(SPEC_FN_glFlush);
    assert_int_equal(stub_process.starts, 1);
    capture_self.omit = true; /* another thread may fork at any time */
    stub_generation = 0;
    make(SPEC_FN_glFinish);
    assert_int_equal(stub_process.starts, 2);
    assert_false(capture_self.omit);
    assert_ptr_not_equal(capture_self.ring.control, parents);
    assert_int_equal(parents->state, RING_OWNED);
    expect("glFlush glFlush glFinish ");
    stub_process_start(4, false);
    stub_process.not_recorded = true;
    make(SPEC_FN_glFlush);
    make(SPEC_FN_glFlush);
    assert_int_equal(stub_process.starts, 1); /* once is enough */
    assert_null(capture_self.ring.control);
    expect("");
}

/* A thread without a ring looks for one after 1, 2, 4, … calls, and later after every 256. */
static void test_no_ring(void **state)
{
    (void)state;
    struct ring_producer other;
    unsigned logs = 0;
    for (unsigned calls = 0; calls < 900; calls = calls * 3 / 2 + 1) {
        stub_process_start(1, false);
        assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
        for (unsigned i = 0; i < calls; ++i)
            make(SPEC_FN_glFlush);
        assert_int_equal(stub_process.lost, calls);
        logs += stub_process.logs;
        ring_producer_fini(&other);
        unsigned lost = 0;
        while (capture_self.ring.control == NULL && lost++ < 1000)
            make(SPEC_FN_glFinish);
        assert_in_range(lost, 1, calls < 256 ? calls + 2 : 257);
        unsigned before = stub_process.lost;
        make(SPEC_FN_glFinish);
        assert_int_equal(stub_process.lost, before);
        stub_process_stop();
    }
    assert_int_equal(logs, 1); /* it is reported once */
    stub_process_start(1, false);
    assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
    make(SPEC_FN_glFlush);
    stub_process.gave_up = true; /* nothing is recorded, so nothing is lost */
    unsigned starts = stub_process.starts;
    make(SPEC_FN_glFlush);
    assert_int_equal(stub_process.lost, 1);
    assert_int_equal(stub_process.starts, starts);
    ring_producer_fini(&other);
    stub_process_stop();
}

/* Forks a child of a thread that has no ring; the child is not recorded. */
static void test_no_ring_and_no_record(void **state)
{
    (void)state;
    struct ring_producer other;
    stub_process_start(1, false);
    assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
    make(SPEC_FN_glFlush);
    assert_int_not_equal(capture_self.calls_without, 0);
    stub_generation = 0;
    stub_process.not_recorded = true;
    for (unsigned i = 0; i < 5; ++i)
        make(SPEC_FN_glFlush);
    assert_int_equal(capture_self.calls_without, 0);
    assert_int_equal(stub_process.lost, 1); /* of the parent */
    ring_producer_fini(&other);
    stub_process_stop();
}

/* Fake calls return 0, and are entered and left. */
static void test_fake_calls(void **state)
{
    (void)state;
    const struct trace_call *call;
    const union spec_arg args[1] = {{.u = 0x8892}};
    stub_process_start(1, false);
    make(SPEC_FN_glFlush);
    capture_fake_call(&capture_self, SPEC_FN_glUnmapBuffer, args);
    struct trace_reader *reader = stub_process_open_trace();
    for (unsigned i = 0; i < 2; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_non_null(call);
        if (i == 1) {
            assert_string_equal(call->sig->name, "glUnmapBuffer");
            assert_int_equal(call->flags & (TRACE_CALL_FAKE | TRACE_CALL_INCOMPLETE), TRACE_CALL_FAKE);
            assert_int_equal(trace_value_to_uint(&call->args[0], 99), 0x8892);
            assert_int_equal(trace_value_to_uint(&call->ret, 99), 0);
        }
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    stub_process_stop();
}

static const uint16_t by_words[] = {SPEC_FN_glFlush,    SPEC_FN_glTexCoord1f, SPEC_FN_glTexCoord2f,
                                    SPEC_FN_glVertex3f, SPEC_FN_glColor4f,    SPEC_FN_glMultiTexCoord4f};
#define MOST_WORDS 5

/* Call number i, as its stub makes it: with i % 6 arguments. */
static void make_numbered(uint32_t i)
{
    static const uintptr_t code[2];
    union spec_arg args[MOST_WORDS];
    struct capture_call c;
    for (unsigned k = 0; k < MOST_WORDS; ++k)
        args[k] = spec_arg_f32((float)(i + k));
    if (i % (MOST_WORDS + 1) == MOST_WORDS)
        args[0].u = i;
    capture_enter(&c, by_words[i % (MOST_WORDS + 1)], args, code + 1);
    capture_leave(&c, args, NULL);
}

static void check_numbered(const struct trace_call *call, uint32_t i)
{
    const unsigned words = i % (MOST_WORDS + 1);
    assert_int_equal(call->number, i);
    assert_int_equal(call->flags & TRACE_CALL_INCOMPLETE, 0);
    assert_string_equal(call->sig->name, spec_string(spec_functions[by_words[words]].name));
    for (unsigned k = 0; k < words; ++k) {
        if (k == 0 && words == MOST_WORDS)
            assert_int_equal(trace_value_to_uint(&call->args[0], 0), i);
        else
            assert_true(call->args[k].u.f32 == (float)(i + k));
    }
}

/* More than a ring has room for, at all places of it, and some far from each other in time. */
static void test_many_calls(void **state)
{
    (void)state;
    const uint32_t count = 200000;
    const struct trace_call *call;
    stub_process_start(1, false);
    stub_process.segment.control->clock = CAPTURE_CLOCK_COUNTER;
    for (uint32_t i = 0; i < count; ++i) {
        make_numbered(i);
        if (i % 1000 == 999)
            capture_self.ring.full_time -= (uint64_t)1 << 32;
    }
    assert_in_range(stub_process.waits, 1, count);
    struct trace_reader *reader = stub_process_open_trace();
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_non_null(call);
        check_numbered(call, i);
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    stub_process_stop();
}

static bool give_up(void)
{
    return false;
}

/* A thread that has left its ring full, with no reader, gives the ring back when it ends. */
static void test_full_ring(void **state)
{
    (void)state;
    struct ring_producer other;
    stub_process_start(1, false);
    assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
    ring_publish(&other, RING_SIZE - 8);
    ring_producer_fini(&other);
    stub_process.on_wait = give_up;
    make(SPEC_FN_glFlush);
    assert_null(capture_self.ring.control);
    assert_int_equal(stub_process.segment.control->rings[0].state, RING_RELEASED);
    assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
    ring_producer_fini(&other);
    stub_process_stop();
}

static bool are_signals_held_off(void)
{
    sigset_t held;
    return pthread_sigmask(SIG_BLOCK, NULL, &held) == 0 && sigismember(&held, SIGUSR1) == 1 &&
           sigismember(&held, SIGUSR2) == 1;
}

static bool signals_were_held_off;

static bool check_signals(void)
{
    signals_were_held_off = are_signals_held_off();
    return false;
}

static void write_nothing(struct capture_thread *t, const void *call)
{
    (void)t;
    (void)call;
    fail();
}

/* A thread without a ring of its own uses the common ring, and loses nothing. */
static void test_common_ring(void **state)
{
    (void)state;
    struct ring_producer other;
    stub_process_start(2, true);
    assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
    stub_process.before = omit_and_complete;
    make(SPEC_FN_glBegin);
    stub_process.before = NULL;
    make(SPEC_FN_glClear);
    assert_null(capture_self.ring.control);
    assert_int_equal(stub_process.lost, 0);
    uint32_t without = capture_self.calls_without;
    capture_self.calls_without = 0; /* a thread that does not record does not use the common ring */
    capture_thread_borrow(&capture_self, write_nothing, NULL);
    capture_self.calls_without = without;
    assert_string_equal(stub_process_calls(), "glFlush* glFinish* glClear ");
    stub_process.on_wait = check_signals; /* the collector has ended */
    for (unsigned i = 0; i < 300000 && stub_process.pool.common.slot != NULL; ++i)
        make(SPEC_FN_glClear);
    assert_null(stub_process.pool.common.slot);
    assert_true(signals_were_held_off);
    assert_false(are_signals_held_off());
    make(SPEC_FN_glClear);
    assert_int_not_equal(stub_process.lost, 0);
    ring_producer_fini(&other);
    stub_process_stop();
}

static struct gl_context contexts[2];

static void *use_context(void *argument)
{
    (void)argument;
    make(SPEC_FN_glFlush);
    capture_thread_set_context(&capture_self, &contexts[0]);
    capture_thread_set_context(&capture_self, &contexts[1]);
    return NULL;
}

/* A thread ends without notice. The thread that takes over its ring releases the old one's last context. */
static void test_contexts_of_ended_threads(void **state)
{
    (void)state;
    pthread_t thread;
    stub_process_start(2, false);
    assert_int_equal(pthread_create(&thread, NULL, use_context, NULL), 0);
    pthread_join(thread, NULL);
    assert_ptr_equal(stub_process.pool.slots[0].owner_data, &contexts[1]);
    assert_int_equal(stub_process.left_contexts, 2); /* no context, and the first one */
    make(SPEC_FN_glFlush);
    assert_int_equal(stub_process.left_contexts, 3);
    assert_ptr_equal(stub_process.pool.slots[0].owner_data, capture_self.context);
    expect("glFlush glFlush ");
}

static void *call_shortly(void *argument)
{
    make((uint32_t)(uintptr_t)argument);
    return NULL;
}

/* Each thread has its own number, and so do its calls. */
static void test_numbers(void **state)
{
    (void)state;
    stub_process_start(8, false);
    make(SPEC_FN_glFlush);
    for (unsigned i = 0; i < 5; ++i) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, call_shortly, (void *)(uintptr_t)SPEC_FN_glFinish), 0);
        pthread_join(thread, NULL);
    }
    struct trace_reader *r = stub_process_open_trace();
    for (unsigned i = 0; i < 6; ++i) {
        const struct trace_call *call;
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        assert_int_equal(call->thread, i);
        trace_call_release(r, call);
    }
    trace_reader_close(r);
    stub_process_stop();
}

/* Calls do not change the program's errno. */
static void test_errno(void **state)
{
    (void)state;
    struct ring_producer other;
    stub_process_start(1, false);
    assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
    errno = ESRCH;
    make(SPEC_FN_glFlush);
    make(SPEC_FN_glXSwapBuffers);
    assert_int_equal(errno, ESRCH);
    ring_producer_fini(&other);
    for (unsigned i = 0; i < 10; ++i)
        make(SPEC_FN_glFlush);
    assert_int_equal(errno, ESRCH);
    stub_process_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_within),
        cmocka_unit_test(test_calls_that_were_left),
        cmocka_unit_test(test_calls_left_in_their_bodies),
        cmocka_unit_test(test_hooks),
        cmocka_unit_test(test_second_looks),
        cmocka_unit_test(test_handlers_within_our_work),
        cmocka_unit_test(test_persistent_writes),
        cmocka_unit_test(test_ends_of_frames),
        cmocka_unit_test(test_real_functions),
        cmocka_unit_test(test_apis),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_no_ring),
        cmocka_unit_test(test_no_ring_and_no_record),
        cmocka_unit_test(test_fake_calls),
        cmocka_unit_test(test_many_calls),
        cmocka_unit_test(test_full_ring),
        cmocka_unit_test(test_common_ring),
        cmocka_unit_test(test_contexts_of_ended_threads),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_errno),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
