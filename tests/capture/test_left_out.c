/* SPDX-License-Identifier: MIT
 * Tests that the program does not record what the collector would leave out, and records everything else:
 * after a start, a stop, or a marker, in frames that are wanted, and of functions that are.
 */
#include "stub_process.h"

#include "collector/selection.h"
#include "formats/apitrace/call_flags.h"

#include "cmocka_all.h"

#include <pthread.h>
#include <string.h>

static struct selection selection;
static struct selection_options options;
static _Atomic bool recording;
static unsigned hooks_run;

static const union spec_arg no_arguments[8];

static void begin(void)
{
    stub_process_start(2, false);
    recording = !options.paused;
    assert_int_equal(
        selection_init(&selection, &options, &recording, &stub_process.encoder, stub_process.segment.control),
        0);
}

static void make(uint32_t function)
{
    stub_process_call(function, no_arguments, NULL);
}

/* Makes a call and has the collector read it, so that it decides about the function. */
static void introduce(uint32_t function)
{
    make(function);
    stub_process_drain();
}

static void mark(const char *text)
{
    const union spec_arg args[] = {{.u = 0}, {.u = (uintptr_t)text}};
    stub_process_call(SPEC_FN_glStringMarkerGREMEDY, args, NULL);
}

static void update(void)
{
    selection_update(&selection, stub_process.merger.next_order);
}

/* Returns whether a call of the function is recorded now. */
static bool is_recorded(uint32_t function)
{
    uint64_t head = capture_self.ring.head;
    make(function);
    return capture_self.ring.head != head;
}

static void end(const char *calls)
{
    assert_string_equal(stub_process_calls(), calls);
    assert_int_equal(stub_process.merger.damaged, 0);
    assert_int_equal(stub_process.merger.lost, 0);
    selection_fini(&selection);
    stub_process_stop();
    options = (struct selection_options){.paused = false};
}

static void test_start_and_stop(void **state)
{
    (void)state;
    options.paused = true;
    begin();
    introduce(SPEC_FN_glFlush); /* the function is unknown before */
    introduce(SPEC_FN_glDrawArrays);
    assert_false(is_recorded(SPEC_FN_glFlush));
    assert_false(is_recorded(SPEC_FN_glDrawArrays));
    recording = true;
    assert_false(selection_is_settled(&selection));
    update();
    assert_true(selection_is_settled(&selection));
    assert_true(is_recorded(SPEC_FN_glFlush));
    assert_true(is_recorded(SPEC_FN_glDrawArrays));
    recording = false;
    update(); /* nothing more is recorded, but earlier records are still read */
    assert_false(selection_is_settled(&selection));
    assert_false(is_recorded(SPEC_FN_glFlush));
    stub_process_drain();
    update();
    assert_true(selection_is_settled(&selection));
    assert_false(is_recorded(SPEC_FN_glFlush));
    end("glFlush glDrawArrays ");
}

/* A stop followed by a start: the program learns of both. */
static void test_changed_minds(void **state)
{
    (void)state;
    begin();
    introduce(SPEC_FN_glFlush);
    make(SPEC_FN_glFinish); /* not read yet */
    recording = false;
    update();
    recording = true;
    assert_false(selection_is_settled(&selection));
    stub_process_drain();
    update();
    assert_true(selection_is_settled(&selection));
    assert_true(is_recorded(SPEC_FN_glFlush));
    end("glFlush glFinish glFlush ");
}

/* Both ends of a call are recorded, or neither. */
static void test_changes_within_calls(void **state)
{
    static const uint32_t functions[] = {SPEC_FN_glFlush, SPEC_FN_glDrawArrays, SPEC_FN_glBegin};
    (void)state;
    options.paused = true;
    begin();
    for (unsigned i = 0; i < 3; ++i)
        introduce(functions[i]);
    for (unsigned i = 0; i < 3; ++i) {
        struct capture_call call;
        recording = false;
        update();
        stub_process_drain();
        update();
        capture_enter(&call, functions[i], no_arguments, __builtin_dwarf_cfa());
        recording = true;
        update();
        uint64_t head = capture_self.ring.head;
        capture_leave(&call, no_arguments, NULL);
        assert_int_equal(capture_self.ring.head, head);
        capture_enter(&call, functions[i], no_arguments, __builtin_dwarf_cfa());
        recording = false;
        update();
        capture_leave(&call, no_arguments, NULL);
        assert_null(capture_self.outermost);
        stub_process_drain();
        update();
    }
    end("glFlush glDrawArrays glBegin ");
}

static void count_and_fake(struct capture_thread *t, const struct spec_function *f,
                           const union spec_arg *args, union spec_arg *ret)
{
    (void)f;
    (void)args;
    (void)ret;
    hooks_run++;
    capture_fake_call(t, SPEC_FN_glFinish, NULL);
}

static void test_hooks(void **state)
{
    (void)state;
    options.paused = true;
    begin();
    introduce(SPEC_FN_glBegin);
    introduce(SPEC_FN_glFinish);
    stub_process.before = count_and_fake;
    assert_false(is_recorded(SPEC_FN_glBegin));
    assert_int_equal(hooks_run, 1);
    recording = true;
    update();
    make(SPEC_FN_glBegin);
    end("glFinish* glBegin ");
}

/* Frames below that of a call belong to calls within it, whether it is recorded or not. */
static void test_calls_within(void **state)
{
    struct {
        uintptr_t free[64];
        struct capture_call call;
        uintptr_t above[8];
    } s = {.call = {.thread = NULL}};
    struct capture_call inner;
    (void)state;
    options.functions = "glClear";
    begin();
    introduce(SPEC_FN_glFlush);
    introduce(SPEC_FN_glClear);
    capture_enter(&s.call, SPEC_FN_glFlush, no_arguments, &s.above[4]);
    assert_ptr_equal(capture_self.left_out, &s.call);
    capture_enter(&inner, SPEC_FN_glClear, no_arguments, &s.free[40]);
    capture_leave(&inner, no_arguments, NULL);
    assert_ptr_equal(capture_self.outermost, &s.call);
    assert_ptr_equal(capture_self.left_out, &s.call);
    capture_leave(&s.call, no_arguments, NULL);
    assert_null(capture_self.outermost);
    assert_null(capture_self.left_out);
    /* Left by longjmp(): the next call is elsewhere. */
    capture_enter(&s.call, SPEC_FN_glFlush, no_arguments, &s.above[4]);
    make(SPEC_FN_glClear);
    assert_null(capture_self.left_out);
    assert_null(capture_self.outermost);
#if defined __x86_64__ || defined __i386__
    /* The same if the program's own code calls, although the frame is lower. */
    capture_enter(&s.call, SPEC_FN_glFlush, no_arguments, &s.above[4]);
    s.free[39] = (uintptr_t)test_calls_within;
    capture_enter(&inner, SPEC_FN_glClear, no_arguments, &s.free[40]);
    assert_ptr_equal(inner.thread, &capture_self);
    capture_leave(&inner, no_arguments, NULL);
    capture_leave(&s.call, no_arguments, NULL);
    end("glClear glClear glClear ");
#else
    end("glClear glClear ");
#endif
}

/* Kinds of calls follow from the functions, so the program can decide. Numbers do not. */
static void test_kinds_of_calls(void **state)
{
    (void)state;
    struct trace_call_set draws = {.ranges = NULL}, numbers = {.ranges = NULL};
    assert_int_equal(trace_call_set_parse(&draws, "draw"), 0);
    options.calls = &draws;
    begin();
    introduce(SPEC_FN_glFlush);
    introduce(SPEC_FN_glClear);
    introduce(SPEC_FN_glXSwapBuffers);
    assert_false(is_recorded(SPEC_FN_glFlush));
    assert_true(is_recorded(SPEC_FN_glClear));
    assert_true(is_recorded(SPEC_FN_glXSwapBuffers)); /* counted by the collector */
    end("glClear glClear ");
    assert_int_equal(trace_call_set_parse(&numbers, "*/draw 5-9"), 0);
    options.calls = &numbers;
    begin();
    introduce(SPEC_FN_glFlush);
    assert_true(is_recorded(SPEC_FN_glFlush)); /* or the others would have other numbers */
    end("");
    trace_call_set_fini(&draws);
    trace_call_set_fini(&numbers);
}

static void test_functions(void **state)
{
    (void)state;
    options.functions = "glClear";
    options.state = true;
    begin();
    introduce(SPEC_FN_glClear);
    introduce(SPEC_FN_glDrawArrays);
    introduce(SPEC_FN_glEnable);
    introduce(SPEC_FN_glXSwapBuffers);
    assert_true(is_recorded(SPEC_FN_glClear));
    assert_false(is_recorded(SPEC_FN_glDrawArrays));
    assert_true(is_recorded(SPEC_FN_glEnable));       /* changes state */
    assert_true(is_recorded(SPEC_FN_glXSwapBuffers)); /* counted by the collector */
    end("glClear glEnable glClear glEnable ");
    begin();
    introduce(SPEC_FN_glClear);
    assert_true(is_recorded(SPEC_FN_glClear)); /* the next process starts from scratch */
    end("glClear glClear ");
}

/* The program obeys markers immediately. */
static void test_markers(void **state)
{
    (void)state;
    options.paused = true;
    begin();
    introduce(SPEC_FN_glFlush);
    mark("frame 1");
    assert_false(is_recorded(SPEC_FN_glFlush));
    mark("trace-cli:start");
    assert_true(is_recorded(SPEC_FN_glFlush));
    mark("trace-cli:stop");
    assert_false(is_recorded(SPEC_FN_glFlush));
    mark("and trace-cli:start again");
    assert_true(is_recorded(SPEC_FN_glFlush));
    stub_process_drain();
    assert_true(is_recorded(SPEC_FN_glFlush)); /* the collector has not overruled it with the first stop */
    assert_true(recording);
    mark("trace-cli:stop");
    stub_process_drain();
    assert_false(recording);
    recording = true; /* by the user */
    update();
    assert_true(is_recorded(SPEC_FN_glFlush));
    end("glStringMarkerGREMEDY glFlush glStringMarkerGREMEDY glStringMarkerGREMEDY glFlush glFlush "
        "glStringMarkerGREMEDY glFlush ");
}

/* The user's stop counts after the markers that the collector reads before it notices the stop. */
static void test_user_after_markers(void **state)
{
    (void)state;
    begin();
    introduce(SPEC_FN_glFlush);
    mark("trace-cli:start");
    recording = false;
    stub_process_drain();
    assert_false(recording);
    update();
    update();
    assert_true(selection_is_settled(&selection));
    assert_false(is_recorded(SPEC_FN_glFlush));
    end("glFlush glStringMarkerGREMEDY ");
}

/* The collector only corrects a program that has not obeyed later markers. */
static void test_agreement(void **state)
{
    static struct call_filter filter;
    static const uint8_t stop[] = "trace-cli:stop";
    (void)state;
    filter.obeys_markers = 1;
    call_filter_obey(&filter, stop, sizeof stop);
    call_filter_agree(&filter, 0, false);
    assert_int_equal(filter.state & CALL_FILTER_ANY, CALL_FILTER_STOPPED);
    call_filter_agree(&filter, 1, false);
    assert_int_equal(filter.state & CALL_FILTER_ANY, 0);
    filter.obeys_markers = 0;
    call_filter_obey(&filter, stop, sizeof stop);
    assert_int_equal(filter.state & CALL_FILTER_ANY, 0);
}

static void test_all_markers_are_known(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SPEC_FUNCTION_COUNT; ++i) {
        uint32_t flags = trace_call_flags(spec_string(spec_functions[i].name));
        assert_int_equal(call_filter_is_marker(i),
                         (flags & TRACE_CALL_MARKER) != 0 && (flags & TRACE_CALL_MARKER_POP) == 0);
    }
}

/* --- frames and numbers ------------------------------------------------------------------------------------
 */

static void make_frames(unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        make(SPEC_FN_glFlush);
        make(SPEC_FN_glXSwapBuffers);
    }
}

static void test_frames(void **state)
{
    struct trace_call_set frames = {.count = 0};
    (void)state;
    assert_int_equal(trace_call_set_parse(&frames, "2,4-5"), 0);
    options.frames = &frames;
    begin();
    introduce(SPEC_FN_glFlush);
    assert_false(is_recorded(SPEC_FN_glFlush));
    make_frames(2); /* the collector has not read them */
    assert_true(is_recorded(SPEC_FN_glFlush));
    make(SPEC_FN_glXSwapBuffers);
    assert_false(is_recorded(SPEC_FN_glFlush));
    make_frames(9);
    assert_int_equal(stub_process.encoder.ended_frames, 0);
    end("glFlush glXSwapBuffers glFlush glXSwapBuffers glFlush glXSwapBuffers ");
    trace_call_set_fini(&frames);
}

/* Sets of too many ranges are applied by the collector only. */
static void test_many_ranges(void **state)
{
    struct trace_call_set frames = {.count = 0};
    (void)state;
    for (unsigned i = 0; i < 2 * CALL_FILTER_RANGES; ++i)
        assert_int_equal(trace_call_set_parse(&frames, "1"), 0);
    options.frames = &frames;
    begin();
    introduce(SPEC_FN_glFlush);
    assert_true(is_recorded(SPEC_FN_glFlush));
    make_frames(3);
    end("glFlush glXSwapBuffers ");
    trace_call_set_fini(&frames);
}

/* Numbers count all calls, so all calls up to the last number are recorded. */
static void test_numbers(void **state)
{
    struct trace_call_set calls = {.count = 0};
    (void)state;
    assert_int_equal(trace_call_set_parse(&calls, "3"), 0);
    options.calls = &calls;
    options.paused = true;
    begin();
    introduce(SPEC_FN_glFlush);
    assert_true(is_recorded(SPEC_FN_glFlush));
    recording = true;
    stub_process_drain();
    update();
    make_frames(1);
    stub_process_drain();
    assert_false(is_recorded(SPEC_FN_glFlush));
    end("glXSwapBuffers ");
    trace_call_set_fini(&calls);
}

#define FRAMES_OF_THREAD 20000

static void *end_frames(void *filter)
{
    for (unsigned i = 0; i < FRAMES_OF_THREAD; ++i) {
        call_filter_end_frame(filter);
        call_filter_begin_frame(filter);
    }
    return NULL;
}

/* Whatever threads do at the same time, the right frame counts in the end. */
static void test_frames_of_threads(void **state)
{
    static struct call_filter filter;
    const struct call_filter_range range = {2 * FRAMES_OF_THREAD, 2 * FRAMES_OF_THREAD, 1};
    const struct call_filter_range all_but_last = {0, 2 * FRAMES_OF_THREAD - 1, 1};
    (void)state;
    for (unsigned round = 0; round < 10; ++round) {
        pthread_t other;
        memset(&filter, 0, sizeof filter);
        call_filter_set_frames(&filter, round % 2 == 0 ? &range : &all_but_last, 1);
        assert_int_equal(pthread_create(&other, NULL, end_frames, &filter), 0);
        end_frames(&filter);
        pthread_join(other, NULL);
        assert_int_equal((filter.state & CALL_FILTER_ANY) == 0, round % 2 == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_and_stop),
        cmocka_unit_test(test_changed_minds),
        cmocka_unit_test(test_changes_within_calls),
        cmocka_unit_test(test_hooks),
        cmocka_unit_test(test_calls_within),
        cmocka_unit_test(test_kinds_of_calls),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_user_after_markers),
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_all_markers_are_known),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_many_ranges),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_frames_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
