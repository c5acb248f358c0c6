/* SPDX-License-Identifier: MIT
 * Tests which frames and calls are replayed, and how often: loops, the frames that count, ignored calls; and
 * what ends a replay before its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "check/check_counts.h"
#include "replay_signals.h"
#include "stub_gl.h"

#include "base/clock.h"
#include "base/error.h"

#define SWAP "glXSwapBuffers dpy=0x10 drawable=77\n"

/* Four frames of a draw and a plain call, with text calls between them, and a last call after them. */
static const char frames[] = "glDrawArrays mode=4 first=0 count=0\n"
                             "glVertex2f x=0.5 y=0\n" SWAP "glDrawArrays mode=4 first=0 count=1\n"
                             "glVertex2f x=1.5 y=1\n" SWAP "glDrawArrays mode=4 first=0 count=2\n"
                             "glVertex2f x=2.5 y=2\n" SWAP "glDrawArrays mode=4 first=0 count=3\n"
                             "glVertex2f x=3.5 y=3\n" SWAP "glDrawArrays mode=4 first=0 count=4\n";

/* Returns which of them were replayed: "0 1 2 3 4". Each frame except the last one has a vertex. */
static const char *replayed(void)
{
    static char text[400];
    int draw, at = 0;
    double x, y;
    text[0] = '\0';
    for (const char *line = stub_gl.log; *line != '\0'; line = strchr(line, '\n') + 1) {
        if (sscanf(line, "glDrawArrays(0, %d)", &draw) == 1)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s%d", at > 0 ? " " : "", draw);
        else if (sscanf(line, "glVertex2f(%lg, %lg)", &x, &y) == 2 && (x != draw + 0.5 || y != draw))
            at += snprintf(text + at, sizeof text - (size_t)at, "!");
    }
    return text;
}

static void expect(const struct replay_options *options, const char *expected)
{
    for (int threads = 0; threads < 2; ++threads) {
        struct replay_options o = *options;
        o.single_thread = threads == 0;
        stub_gl_reset("4.6");
        stub_gl_replay(&o, frames);
        assert_string_equal(replayed(), expected);
    }
}

/* Calls after the last frame come after the loop. */
static void test_last_frame(void **state)
{
    (void)state;
    expect(&(struct replay_options){0}, "0 1 2 3 4");
    expect(&(struct replay_options){.loop = true, .loop_count = 0}, "0 1 2 3 4");
    expect(&(struct replay_options){.loop = true, .loop_count = 2}, "0 1 2 3 3 3 4");
    expect(&(struct replay_options){.loop = true, .loop_count = 1, .benchmark = true}, "0 1 2 3 3 4");
    assert_int_equal(stub_gl.frames, 5);
}

static void test_some_frames(void **state)
{
    (void)state;
    struct replay_options o = {.loop = true, .loop_count = 2, .has_loop_frames = true};
    o.loop_first = 1;
    o.loop_last = 2;
    expect(&o, "0 1 2 1 2 1 2 3 4");
    o.loop_first = o.loop_last = 0;
    expect(&o, "0 0 0 1 2 3 4");
    o.loop_first = 2;
    o.loop_last = 3;
    expect(&o, "0 1 2 3 2 3 2 3 4");
    assert_int_equal(stub_gl.rc, 0);
}

/* The trace ends within the selected frames, or before them. */
static void test_frames_that_are_not_there(void **state)
{
    (void)state;
    struct replay_options o = {.loop = true, .loop_count = 1, .has_loop_frames = true};
    o.loop_first = 3;
    o.loop_last = 7;
    expect(&o, "0 1 2 3 3 4");
    assert_int_equal(stub_gl.rc, 0);
    for (o.loop_first = 4; o.loop_first < 6; ++o.loop_first) {
        expect(&o, "0 1 2 3 4");
        assert_int_equal(stub_gl.rc, TRACE_ERR_USAGE);
        assert_string_equal(trace_error_message(), "--loop-frames: there are only 4 frames");
    }
}

static struct replay_options with_frames(const char *set)
{
    struct replay_options o = {.loop_count = 1};
    assert_int_equal(trace_call_set_parse(&o.frames, set), 0);
    return o;
}

/* The replay ends with the last selected frame, also before a loop. */
static void test_frames(void **state)
{
    (void)state;
    struct replay_options o = with_frames("1-2");
    expect(&o, "0 1 2");
    assert_int_equal(stub_gl.first_frame, 1); /* whose time counts */
    o.loop = true;
    expect(&o, "0 1 2 2");
    o.has_loop_frames = true;
    o.loop_last = 1;
    expect(&o, "0 1 0 1 2");
    trace_call_set_fini(&o.frames);
    o = with_frames("0");
    expect(&o, "0");
    trace_call_set_fini(&o.frames);
    o = with_frames("9");
    expect(&o, "0 1 2 3 4");
    trace_call_set_fini(&o.frames);
}

/* Only selected frames are slowed down. */
static void test_pace_of_frames(void **state)
{
    (void)state;
    struct replay_options o = with_frames("3");
    o.frame_delay = 400000;
    int64_t start = clock_milliseconds();
    expect(&o, "0 1 2 3");
    int64_t time = clock_milliseconds() - start;
    assert_in_range(time, 780, 2500); /* two replays; four frames of each would take 3200 */
    trace_call_set_fini(&o.frames);
}

/* All draws and the first swap are ignored. */
static void test_ignored_calls(void **state)
{
    (void)state;
    struct replay_options o = {0};
    assert_int_equal(trace_call_set_parse(&o.ignored_calls, "5,*/draw"), 0);
    stub_gl_reset("4.6");
    stub_gl_replay(&o, frames);
    stub_gl_expect("glVertex2f(0.5, 0)\n"
                   "glVertex2f(1.5, 1)\n"
                   "swap 2\n"
                   "glVertex2f(2.5, 2)\n"
                   "swap 2\n"
                   "glVertex2f(3.5, 3)\n"
                   "swap 2\n");
    trace_call_set_fini(&o.ignored_calls);
}

/* --- what ends a replay ----------------------------------------------------------------------------- */

/* A signal ends the replay after the current call, also in endless loops and long pauses. */
static void test_signal(void **state)
{
    (void)state;
    static const struct replay_options endless = {.loop = true, .loop_count = -1, .frame_delay = 3600000000};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (unsigned i = 0; i < 3; ++i) {
        replay_signals_catch(60);
        stub_gl_reset("4.6");
        stub_gl.draw_signal = signals[i];
        stub_gl_replay(&endless, "glDrawArrays mode=4 first=0 count=1\n"
                                 "glDrawArrays mode=4 first=0 count=2\n" SWAP);
        assert_string_equal(replayed(), "1");
        assert_int_equal(replay_signal, signals[i]);
        assert_int_equal(stub_gl.rc, 0);
        replay_signal = 0;
    }
}

static int status_of(void (*run)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        run();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void end_by_signal(void)
{
    replay_signals_catch(60);
    raise(SIGTERM);
    replay_signals_end();
}

static void interrupt_twice(void)
{
    replay_signals_catch(60);
    raise(SIGINT);
    raise(SIGINT);
}

static void ignore(void)
{
    signal(SIGINT, SIG_IGN);
    replay_signals_catch(60);
    raise(SIGINT);
    if (replay_is_interrupted())
        _exit(1);
}

/* The signal is not noticed in time. */
static void hang(void)
{
    replay_signals_catch(1);
    raise(SIGTERM);
    sleep(30);
}

static void take_long_to_end(void)
{
    replay_signals_catch(1);
    raise(SIGTERM);
    if (!replay_is_interrupted())
        _exit(1);
    sleep(2);
}

/* The process ends by the signal, as if it had not been caught. A second signal ends it immediately. An
 * ignored signal remains ignored. */
static void test_end_by_signal(void **state)
{
    (void)state;
    int status = status_of(end_by_signal);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    status = status_of(interrupt_twice);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    assert_int_equal(status_of(ignore), 0);
    status = status_of(hang);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_int_equal(status_of(take_long_to_end), 0);
}

static void replay_slowly(void)
{
    static const struct replay_options watched = {.watchdog = 1};
    stub_gl_reset("4.6");
    stub_gl.draw_seconds = 20;
    signal(SIGABRT, SIG_DFL);
    stub_gl_replay(&watched, "glDrawArrays mode=4 first=0 count=1\n");
}

/* A call that takes too long aborts the replay. Pauses between frames do not count. */
static void test_watchdog(void **state)
{
    (void)state;
    const struct replay_options patient = {.watchdog = 1, .frame_delay = 1500000};
    int status = status_of(replay_slowly);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    static const struct replay_options longer = {.watchdog = 3};
    stub_gl_reset("4.6");
    stub_gl.draw_seconds = 1;
    stub_gl_replay(&longer, "glDrawArrays mode=4 first=0 count=1\n");
    assert_string_equal(replayed(), "1");
    stub_gl_reset("4.6");
    stub_gl_replay(&patient, "glDrawArrays mode=4 first=0 count=1\n" SWAP);
    assert_string_equal(replayed(), "1");
}

/* --- with --check ------------------------------------------------------------------------------------- */

static const struct replay_options check = {.check = true, .query_handling = QUERY_CHECK};

/* Replays calls with --check. Expects that this many answers are compared, and this many calls differ. */
static void expect_answers(const struct replay_options *options, const char *calls, unsigned compared,
                           unsigned differing)
{
    stub_gl_replay_printing(options, calls);
    if (stub_gl.answers[CHECK_COMPARED] != compared || stub_gl.differing_calls != differing)
        fail_msg("%s%sprinted:\n%s%s", calls, stub_gl.messages, stub_gl.printed, stub_gl.log);
}

/* That nothing differs is only said if something was compared. */
static void test_nothing_to_check(void **state)
{
    (void)state;
    struct replay_options o = check;
    stub_gl_reset("4.6");
    expect_answers(&check, "glFlush\n", 0, 0);
    assert_non_null(strstr(stub_gl.printed, "Checked 0 answers\nNothing was compared\n"));
    assert_int_equal(trace_call_set_parse(&o.ignored_calls, "2-"), 0);
    stub_gl_reset("4.6");
    expect_answers(&o,
                   "glReadPixels x=0 y=0 width=2 height=1 format=6408 type=5121 pixels=#AAAAAAAA\n"
                   "glGetError = 5\n",
                   0, 0);
    assert_non_null(strstr(stub_gl.printed, "Checked 0 answers\nNothing was compared\n"));
    trace_call_set_fini(&o.ignored_calls);
}

/* The answers in the trace are those of the first time: here, the second time has an error, and another
 * result of the query. */
static void test_answers_in_loops(void **state)
{
    (void)state;
#define FRAME(result)                                                                                        \
    "glGetError = 0\nglGetQueryObjectuiv id=5 pname=34918 params=[" result "]\n"                             \
    "glDrawArrays mode=4 first=0 count=0\n" SWAP
    struct replay_options o = check;
    o.loop = o.has_loop_frames = true;
    o.loop_first = o.loop_last = 1;
    o.loop_count = 2;
    stub_gl_reset("4.6");
    stub_gl.query_result = 12;
    stub_gl.draw_error = GL_INVALID_OPERATION;
    expect_answers(&o, "glGenQueries n=1 ids=[5]\n" SWAP FRAME("12"), 2, 0);
    stub_gl_reset("4.6");
    stub_gl.query_result = 13;
    expect_answers(&o, "glGenQueries n=1 ids=[5]\n" SWAP FRAME("12"), 2, 1);
    assert_null(strstr(stub_gl.messages, "the result of query"));
#undef FRAME
}

/* Windows are asked for events now and then, however many frames there are. */
static void test_polls(void **state)
{
    (void)state;
    enum { FRAMES = 2000, INTERVAL = 20 };
    static char calls[FRAMES * 40];
    for (size_t i = 0, length = 0; i < FRAMES; ++i)
        length += (size_t)sprintf(calls + length, "glXSwapBuffers dpy=0x10 drawable=77\n");
    stub_gl_reset("4.6");
    int64_t start = clock_milliseconds();
    stub_gl_replay(NULL, calls);
    int64_t passed = clock_milliseconds() - start;
    assert_int_equal(stub_gl.frames, FRAMES);
    assert_in_range(stub_windows_polls, 1, passed / INTERVAL + 1);
}

/* Before the first frame that is wanted, everything is finished, unless a primitive has begun. */
static void test_finishing_before_frames(void **state)
{
    (void)state;
    struct replay_options options = {.single_thread = true};
    assert_int_equal(trace_call_set_parse(&options.frames, "1-1"), 0);
    for (int inside = 0; inside < 2; ++inside) {
        stub_gl_reset("4.6");
        stub_gl.logs_finishes = true;
        stub_gl_replay(&options,
                       inside ? "glBegin mode=4\nglXSwapBuffers dpy=0x10 drawable=77\nglEnd\n"
                                "glXSwapBuffers dpy=0x10 drawable=77\nglXSwapBuffers dpy=0x10 drawable=77\n"
                              : "glXSwapBuffers dpy=0x10 drawable=77\nglXSwapBuffers dpy=0x10 "
                                "drawable=77\nglXSwapBuffers dpy=0x10 drawable=77\n");
        stub_gl_expect(inside ? "swap 2\nswap 2\nglFinish()\n" : "swap 2\nglFinish()\nswap 2\nglFinish()\n");
        assert_int_equal(stub_gl.first_frame, 1);
    }
    /* Without a context, or by a driver that cannot, nothing is finished. */
    static const char *const calls[] = {
        "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\nglXSwapBuffers dpy=0x10 drawable=77\n"
        "glXSwapBuffers dpy=0x10 drawable=77\n",
        "glXSwapBuffers dpy=0x10 drawable=77\nglXSwapBuffers dpy=0x10 drawable=77\n"};
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl.logs_finishes = true;
        stub_gl.timers.lacks = i == 1 ? "glFinish" : NULL;
        stub_gl_replay(&options, calls[i]);
        stub_gl_expect(i == 1 ? "swap 2\nswap 2\n" : "current: 0, 0, 0\nswap 2\nswap 2\n");
        assert_int_equal(stub_gl.first_frame, 1);
    }
    trace_call_set_fini(&options.frames);
}

/* Pictures are made of the frames that are wanted. */
static void test_pictures_of_frames(void **state)
{
    (void)state;
#define FRAME "glDrawArrays mode=4 first=0 count=3\nglXSwapBuffers dpy=0x10 drawable=77\n"
    for (int wanted = 0; wanted < 2; ++wanted) {
        struct replay_options options = {.snapshot_prefix = "-", .snapshot_format = SNAPSHOT_RGB};
        assert_int_equal(trace_call_set_parse(&options.snapshot_calls, "*/draw"), 0);
        if (wanted)
            assert_int_equal(trace_call_set_parse(&options.frames, "1-1"), 0);
        stub_gl_reset("4.6");
        stub_gl_replay_printing(&options, FRAME FRAME FRAME);
        assert_int_equal(stub_gl.snapshots, wanted ? 1 : 3);
        trace_call_set_fini(&options.snapshot_calls);
        trace_call_set_fini(&options.frames);
    }
#undef FRAME
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_frame),
        cmocka_unit_test(test_some_frames),
        cmocka_unit_test(test_frames_that_are_not_there),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_pace_of_frames),
        cmocka_unit_test(test_ignored_calls),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_end_by_signal),
        cmocka_unit_test(test_watchdog),
        cmocka_unit_test(test_polls),
        cmocka_unit_test(test_finishing_before_frames),
        cmocka_unit_test(test_pictures_of_frames),
        cmocka_unit_test(test_nothing_to_check),
        cmocka_unit_test(test_answers_in_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
