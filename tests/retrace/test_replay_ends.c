/* SPDX-License-Identifier: MIT
 * Tests how a replay ends: at the end of the trace, at damage, at a call that cannot be replayed, and after
 * loops; each with and without a thread that reads ahead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "call_queue.h"
#include "frame_pace.h"
#include "stub_gl.h"

#include "base/clock.h"
#include "base/error.h"

static const struct replay_options threaded, unthreaded = {.single_thread = true};
static const struct replay_options *const both[] = {&threaded, &unthreaded};

/* Replays a trace of two chunks. The second one is not Snappy, or only a part of a chunk header. */
static void replay_damaged(const struct replay_options *options, unsigned garbage)
{
    char path[40];
    int fd = memfd_create("damaged.trace", MFD_CLOEXEC);
    stub_gl_write_chunks(fd,
                         "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                         "glDrawArrays mode=4 first=0 count=1\n"
                         "+glDrawArrays mode=4 first=0 count=2\n",
                         garbage);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    stub_gl_reset("4.6");
    stub_gl_replay_file(options, path);
    close(fd);
}

/* Damage ends the replay with an error, after the calls before it. */
static void test_damage(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        replay_damaged(both[i], 40);
        assert_true(stub_gl.rc == TRACE_ERR_FORMAT || stub_gl.rc == TRACE_ERR_DAMAGED);
        assert_int_equal(stub_gl.calls, 3);
        stub_gl_expect_line("glDrawArrays(0, 1)");
        stub_gl_expect_no_line("glDrawArrays(0, 2)");
    }
}

/* A truncated trace ends with a warning, and with the calls that had not returned. */
static void test_cut_off(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        replay_damaged(both[i], 3);
        assert_int_equal(stub_gl.rc, 0);
        assert_int_equal(stub_gl.calls, 4);
        stub_gl_expect_message("warning: ");
        stub_gl_expect_line("glDrawArrays(0, 2)");
    }
}

/* With --strict, that is an error. */
static void test_strict(void **state)
{
    static const struct replay_options strict[] = {{.strict = true}, {.strict = true, .single_thread = true}};
    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        replay_damaged(&strict[i], 3);
        assert_int_equal(stub_gl.rc, TRACE_ERR_TRUNCATED);
        assert_int_equal(stub_gl.calls, 3);
        assert_string_equal(stub_gl.messages, "");
        stub_gl_expect_no_line("glDrawArrays(0, 2)");
    }
}

/* A trace may have no calls. */
static void test_no_calls(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay_all(both[i], "");
        stub_gl_expect("");
        assert_int_equal(stub_gl.calls, 0);
        assert_string_equal(stub_gl.messages, "");
    }
}

/* An error of the trace ends the queue. */
static void test_the_queue_behind_damage(void **state)
{
    (void)state;
    struct trace_reader *reader;
    struct replayer r;
    struct call_queue *queue;
    const struct ready_call *call;
    char path[40];
    unsigned calls = 0;
    int rc, fd = memfd_create("damaged.trace", MFD_CLOEXEC);
    stub_gl_write_chunks(fd, "glFlush\nglFinish\n", 40);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_int_equal(trace_reader_open(&reader, path), 0);
    assert_int_equal(replayer_init(&r, &threaded, &stub_windows, reader), 0);
    assert_int_equal(call_queue_start(&queue, &r, true), 0);
    while ((rc = call_queue_next(queue, &call)) == 0 && call != NULL)
        calls += call->call == NULL ? call->plain.count : 1;
    assert_int_not_equal(rc, 0);
    assert_int_equal(calls, 2);
    assert_int_equal(call_queue_next(queue, &call), 0);
    assert_null(call);
    call_queue_stop(queue);
    replayer_fini(&r);
    trace_reader_close(reader);
    close(fd);
}

/* Each function that fails is reported once, and all failures are counted. There are more functions than the
 * table holds at first. */
static void test_failures_are_counted(void **state)
{
    (void)state;
    char text[4096] = "", line[80];
    for (unsigned i = 0; i < 40; ++i) {
        snprintf(line, sizeof line, "glNoSuchFunction%u\n", i % 20);
        strcat(text, line);
    }
    for (unsigned i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(both[i], text);
        assert_int_equal(stub_gl.rc, 0);
        assert_int_equal(stub_gl.failures, 40);
        stub_gl_expect_message("3: warning: unsupported glNoSuchFunction0 call\n");
        assert_null(strstr(stub_gl.messages, "23: warning"));
        stub_gl_expect_message("glNoSuchFunction19 (2)");
        const char *list = strstr(stub_gl.messages, "warning: 40 calls could not be replayed: glNoSuch");
        unsigned count = 0;
        assert_non_null(list);
        for (const char *p = list; (p = strstr(p, " (2), glNoSuch")) != NULL; ++p)
            count++;
        assert_int_equal(count, 19);
    }
}

/* A part of a trace, without the calls that it depends on. */
static void test_no_context(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay_all(NULL, "glClear mask=16384\nglClear mask=16384\n");
    assert_int_equal(stub_gl.rc, 0);
    stub_gl_expect_message(
        "0: warning: glClear: no context is current\n"
        "warning: 2 calls could not be replayed: glClear (2)\n"
        "warning: no call makes a context current; a part of a trace is replayed only with ");
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glNoSuchFunction\n");
    assert_null(strstr(stub_gl.messages, "makes a context current"));
}

/* What is not replayed on purpose has a reason. */
static void test_exceptions(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glXUseXFont font=1 first=0 count=2 list=3\n");
    stub_gl_expect_message("3: warning: glXUseXFont is not replayed: the letters are in a font of the ");
    assert_int_equal(stub_gl.failures, 1);
}

/* The last frame is repeated as often as requested. The calls after it come at the end. */
static void test_loops(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        struct replay_options o = *both[i];
        o.loop = true;
        o.loop_count = 2;
        stub_gl_reset("4.6");
        stub_gl_replay(&o, "glDrawArrays mode=4 first=0 count=1\n"
                           "glXSwapBuffers dpy=0x10 drawable=77\n"
                           "glDrawArrays mode=4 first=0 count=2\n"
                           "glXSwapBuffers dpy=0x10 drawable=77\n"
                           "glDrawArrays mode=4 first=0 count=3\n");
        stub_gl_expect("glDrawArrays(0, 1)\n"
                       "swap 2\n"
                       "glDrawArrays(0, 2)\n"
                       "swap 2\n"
                       "glDrawArrays(0, 2)\n"
                       "swap 2\n"
                       "glDrawArrays(0, 2)\n"
                       "swap 2\n"
                       "glDrawArrays(0, 3)\n");
        assert_int_equal(stub_gl.frames, 4);
    }
}

static int64_t milliseconds_of(const struct replay_options *o)
{
    int64_t start = clock_milliseconds();
    stub_gl_reset("4.6");
    stub_gl_replay(o, "glXSwapBuffers dpy=0x10 drawable=77\n"
                      "glXSwapBuffers dpy=0x10 drawable=77\n"
                      "glXSwapBuffers dpy=0x10 drawable=77\n");
    return clock_milliseconds() - start;
}

/* Frames last as long as requested, from the second one on, and the delay comes after each of them. */
static void test_pace(void **state)
{
    (void)state;
    const struct replay_options lasting = {.min_frame_duration = 60000};
    const struct replay_options delayed = {.frame_delay = 40000};
    const struct replay_options twice = {.min_frame_duration = 60000, .frame_delay = 40000};
    assert_true(milliseconds_of(&lasting) >= 110);
    assert_true(milliseconds_of(&delayed) >= 110);
    assert_true(milliseconds_of(&twice) >= 230);
}

/* A frame ends when it has lasted long enough, and after a pause. The first one has not begun anywhere. */
static void test_ends_of_frames(void **state)
{
    enum { MICROSECOND = 1000, LONGEST_SLEEP = 100000000 };
    (void)state;
    int64_t now = clock_nanoseconds(), begin = now + 6 * LONGEST_SLEEP;
    struct frame_pace p = {.began = begin}, first = {.began = 0};
    frame_pace_end(&p, 7, 3);
    assert_int_equal(p.began, begin + 10 * MICROSECOND);
    assert_true(clock_nanoseconds() >= p.began);
    now = clock_nanoseconds();
    frame_pace_end(&p, 7, 0); /* it has lasted longer */
    assert_in_range(p.began, now, clock_nanoseconds());
    now = clock_nanoseconds();
    frame_pace_end(&first, 3600000000, 0);
    assert_in_range(first.began, now, clock_nanoseconds());
}

/* Errors of the driver are reported with the name of the call, up to ten for each function, and counted. With
 * -b, none are reported. */
static void test_driver_errors(void **state)
{
    (void)state;
    static const struct replay_options benchmark = {.benchmark = true};
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    stub_gl_replay(NULL, "glDrawArrays mode=4 first=0 count=1\n"
                         "glViewport x=0 y=0 width=1 height=1\n");
    stub_gl_expect_message("3: warning: glGetError(glDrawArrays) = GL_INVALID_OPERATION\n");
    assert_null(strstr(stub_gl.messages, "glViewport"));
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_ENUM;
    stub_gl_replay(NULL, "glBegin mode=4\n"
                         "glVertex2f x=1.0 y=2.0\n"
                         "glEnd\n");
    stub_gl_expect("glVertex2f(1, 2)\n");
    stub_gl_expect_message("5: warning: glGetError(glEnd) = GL_INVALID_ENUM\n");
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    stub_gl_replay(&benchmark, "glDrawArrays mode=4 first=0 count=1\n");
    assert_string_equal(stub_gl.messages, "");
}

/* Further errors of a function are only counted. */
static void test_many_driver_errors(void **state)
{
    (void)state;
    char text[1000] = "";
    unsigned count = 0;
    for (int i = 0; i < 12; ++i)
        strcat(text, "glDrawArrays mode=4 first=0 count=1\n");
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    stub_gl_replay(NULL, text);
    for (const char *at = stub_gl.messages; (at = strstr(at, "glGetError(")) != NULL; ++at)
        count++;
    assert_int_equal(count, 10);
}

/* The names of errors. */
static void test_names_of_errors(void **state)
{
    (void)state;
    static const struct {
        GLenum error;
        const char *name;
    } cases[] = {{GL_INVALID_ENUM, "GL_INVALID_ENUM"},
                 {GL_INVALID_VALUE, "GL_INVALID_VALUE"},
                 {GL_STACK_OVERFLOW, "GL_STACK_OVERFLOW"},
                 {GL_STACK_UNDERFLOW, "GL_STACK_UNDERFLOW"},
                 {GL_OUT_OF_MEMORY, "GL_OUT_OF_MEMORY"},
                 {GL_INVALID_FRAMEBUFFER_OPERATION, "GL_INVALID_FRAMEBUFFER_OPERATION"},
                 {GL_CONTEXT_LOST, "GL_CONTEXT_LOST"},
                 {77, "an unknown error"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char expected[100];
        snprintf(expected, sizeof expected, "3: warning: glGetError(glDrawArrays) = %s\n", cases[i].name);
        stub_gl_reset("4.6");
        stub_gl.draw_error = cases[i].error;
        stub_gl_replay(NULL, "glDrawArrays mode=4 first=0 count=1\n");
        assert_string_equal(stub_gl.messages, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_no_calls),
        cmocka_unit_test(test_the_queue_behind_damage),
        cmocka_unit_test(test_failures_are_counted),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_ends_of_frames),
        cmocka_unit_test(test_no_context),
        cmocka_unit_test(test_exceptions),
        cmocka_unit_test(test_driver_errors),
        cmocka_unit_test(test_many_driver_errors),
        cmocka_unit_test(test_names_of_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
