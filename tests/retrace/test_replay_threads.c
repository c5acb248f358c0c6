/* SPDX-License-Identifier: MIT
 * Tests replays of several traced threads: by a thread for each, in which its context stays current, and by
 * one thread, in which the contexts take turns. The driver gets the same calls in the same order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#include "base/error.h"

static const struct replay_options many, one = {.single_thread = true};

static void replay(const struct replay_options *options, const char *text)
{
    stub_gl_reset("4.6");
    stub_gl.shows_contexts = true;
    stub_gl_replay(options, text);
}

#define SECOND_CONTEXT                                                                                       \
    "@1 glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x40\n"                                 \
    "@1 glXMakeCurrent dpy=0x10 drawable=78 ctx=0x40 = 1\n"

static const char turns[] = SECOND_CONTEXT "glDrawArrays mode=4 first=0 count=1\n"
                                           "glDrawArrays mode=4 first=0 count=2\n"
                                           "@1 glDrawArrays mode=4 first=0 count=3\n"
                                           "@2 glDrawArrays mode=4 first=0 count=4\n"
                                           "glDrawArrays mode=4 first=0 count=5\n"
                                           "@1 glDrawArrays mode=4 first=0 count=6\n";

/* In its own thread, a context stays current. Threads without a context make no OpenGL calls. */
static void test_a_thread_for_each(void **state)
{
    (void)state;
    replay(&many, turns);
    stub_gl_expect("context 3: gl 0.0, shares with 1\n"
                   "drawable 4: of context 3, 32 x 32\n"
                   "current: 3, 4, 4\n"
                   "glDrawArrays(0, 1) in 1\n"
                   "glDrawArrays(0, 2) in 1\n"
                   "glDrawArrays(0, 3) in 3\n"
                   "glDrawArrays(0, 5) in 1\n"
                   "glDrawArrays(0, 6) in 3\n"
                   "current: 0, 0, 0\n"); /* threads release their contexts before they end */
    assert_int_equal(stub_gl.failures, 1);
}

/* Each traced thread has bindings of its own, which are current while its calls are replayed. */
static void test_one_thread(void **state)
{
    (void)state;
    replay(&one, turns);
    stub_gl_expect("current: 0, 0, 0\n"
                   "context 3: gl 0.0, shares with 1\n"
                   "drawable 4: of context 3, 32 x 32\n"
                   "current: 3, 4, 4\n"
                   "current: 1, 2, 2\n"
                   "glDrawArrays(0, 1) in 1\n"
                   "glDrawArrays(0, 2) in 1\n"
                   "current: 3, 4, 4\n"
                   "glDrawArrays(0, 3) in 3\n"
                   "current: 0, 0, 0\n"
                   "current: 1, 2, 2\n"
                   "glDrawArrays(0, 5) in 1\n"
                   "current: 3, 4, 4\n"
                   "glDrawArrays(0, 6) in 3\n");
    assert_int_equal(stub_gl.failures, 1);
}

/* A context moves from thread to thread: the program releases it, its thread ends, or the trace has the
 * release after the binding that waited for it. */
static void test_handed_on(void **state)
{
    (void)state;
    static const char release[] = "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n";
    static const char bind[] = "@1 glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n";
    static const char draw[] = "@1 glDrawArrays mode=4 first=0 count=2\n";
    static const char *const orders[][4] = {{release, bind, draw, ""},
                                            {bind, draw, "", ""},
                                            {bind, release, draw, ""},
                                            {bind, draw, release, ""}};
    char text[800];
    for (unsigned i = 0; i < 4; ++i) {
        for (int threads = 0; threads < 2; ++threads) {
            snprintf(text, sizeof text, "glDrawArrays mode=4 first=0 count=1\n%s%s%s%s", orders[i][0],
                     orders[i][1], orders[i][2], orders[i][3]);
            replay(threads == 0 ? &one : &many, text);
            stub_gl_expect_line("glDrawArrays(0, 1) in 1");
            stub_gl_expect_line("glDrawArrays(0, 2) in 1");
            assert_int_equal(stub_gl.failures, 0);
            assert_int_equal(stub_gl.rc, 0);
        }
    }
}

/* Two traced threads have the same context, which moves between them. A driver would have refused that, but
 * calls may be missing in a trace. The same for a drawable of two contexts. */
static void test_shared_bindings(void **state)
{
    (void)state;
    for (int threads = 0; threads < 2; ++threads) {
        replay(threads == 0 ? &one : &many, "@1 glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                                            "@1 glDrawArrays mode=4 first=0 count=1\n"
                                            "glDrawArrays mode=4 first=0 count=2\n"
                                            "@1 glDrawArrays mode=4 first=0 count=3\n");
        stub_gl_expect_line("glDrawArrays(0, 1) in 1");
        stub_gl_expect_line("glDrawArrays(0, 2) in 1");
        stub_gl_expect_line("glDrawArrays(0, 3) in 1");
        assert_int_equal(stub_gl.failures, 0);
    }
    /* Contexts without drawables have none in common. */
    replay(&many, "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x30 = 1\n"
                  "@1 glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x40\n"
                  "@1 glXMakeCurrent dpy=0x10 drawable=0 ctx=0x40 = 1\n"
                  "@1 glDrawArrays mode=4 first=0 count=1\n"
                  "glDrawArrays mode=4 first=0 count=2\n");
    stub_gl_expect("current: 1, 0, 0\n"
                   "context 3: gl 0.0, shares with 1\n"
                   "current: 3, 0, 0\n"
                   "glDrawArrays(0, 1) in 3\n"
                   "glDrawArrays(0, 2) in 1\n"
                   "current: 0, 0, 0\n"); /* when the threads end */
    replay(&many, "@1 glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x40\n"
                  "@1 glXMakeCurrent dpy=0x10 drawable=77 ctx=0x40 = 1\n"
                  "@1 glDrawArrays mode=4 first=0 count=1\n"
                  "glDrawArrays mode=4 first=0 count=2\n");
    stub_gl_expect("context 3: gl 0.0, shares with 1\n"
                   "current: 0, 0, 0\n" /* in the first thread */
                   "current: 3, 2, 2\n"
                   "glDrawArrays(0, 1) in 3\n"
                   "current: 0, 0, 0\n"
                   "current: 1, 2, 2\n"
                   "glDrawArrays(0, 2) in 1\n");
}

/* What another thread has bound for drawing or reading is released there first. */
static void test_shared_drawables(void **state)
{
    (void)state;
    static const struct {
        const char *draw, *read;
        bool shares;
    } cases[] = {{"77", "79", true}, {"78", "79", true},  {"79", "77", true},
                 {"79", "78", true}, {"79", "79", false}, {"0", "0", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[500];
        snprintf(text, sizeof text,
                 "glXMakeContextCurrent dpy=0x10 draw=77 read=78 ctx=0x30 = 1\n"
                 "@1 glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x40\n"
                 "@1 glXMakeContextCurrent dpy=0x10 draw=%s read=%s ctx=0x40 = 1\n"
                 "@1 glDrawArrays mode=4 first=0 count=1\n",
                 cases[i].draw, cases[i].read);
        replay(&many, text);
        const char *released = strstr(stub_gl.log, "current: 0, 0, 0\n"),
                   *bound = strstr(stub_gl.log, "current: 4, "), *drawn = strstr(stub_gl.log, "glDrawArrays");
        assert_non_null(bound);
        assert_non_null(drawn);
        if ((released != NULL && released < bound) != cases[i].shares)
            fail_msg("case %zu:\n%s", i, stub_gl.log);
    }
}

/* Threads beyond the second one are found again, too. */
static void test_many_threads(void **state)
{
    (void)state;
    char text[4000] = "";
    for (int turn = 0; turn < 3; ++turn)
        for (int i = 0; i < 6; ++i)
            sprintf(text + strlen(text), "@%d glXSwapBuffers dpy=0x10 drawable=77\n", i);
    replay(&many, text);
    assert_int_equal(stub_gl.frames, 18);
    assert_int_equal(stub_gl.failures, 0);
}

/* A context that another thread has destroyed lives until it is released. */
static void test_destroyed_by_another(void **state)
{
    (void)state;
    for (int threads = 0; threads < 2; ++threads) {
        replay(threads == 0 ? &one : &many,
               SECOND_CONTEXT "glXDestroyContext dpy=0x10 ctx=0x40\n"
                              "@1 glDrawArrays mode=4 first=0 count=1\n"
                              "@1 glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                              "glDrawArrays mode=4 first=0 count=2\n");
        stub_gl_expect_line("glDrawArrays(0, 1) in 3");
        stub_gl_expect_line("context 3 ends");
        stub_gl_expect_line("glDrawArrays(0, 2) in 1");
        assert_int_equal(stub_gl.failures, 0);
    }
}

/* An error in another thread ends the replay, with its message. */
static void test_error_in_another(void **state)
{
    (void)state;
    struct replay_options strict = {.strict = true};
    replay(&strict, "glDrawArrays mode=4 first=0 count=1\n"
                    "@1 glNoSuchFunction\n"
                    "glDrawArrays mode=4 first=0 count=2\n");
    assert_true(stub_gl.rc < 0);
    stub_gl_expect_line("glDrawArrays(0, 1) in 1");
    stub_gl_expect_no_line("glDrawArrays(0, 2)");
    assert_non_null(strstr(trace_error_message(), "glNoSuchFunction"));
}

/* --- what looks at the replay ----------------------------------------------------------------------- */

/* Many switches between threads, with plain and other numbers, and with the end of a frame in each thread. */
static char *many_turns(unsigned count)
{
    char *text = calloc(1, 200 + (size_t)count * 200);
    assert_non_null(text);
    strcpy(text, SECOND_CONTEXT);
    for (unsigned i = 0; i < count; ++i)
        sprintf(text + strlen(text),
                "@%u glPixelStorei pname=3314 param=%u\n"
                "@%u glVertex2f x=2.5 y=%u\n"
                "@%u glDrawArrays mode=4 first=0 count=%u\n"
                "@%u glGetError = 0\n"
                "%s",
                i % 2, i, i % 2, i, i % 2, i % 5, i % 2,
                i % 3 != 0   ? ""
                : i % 2 != 0 ? "@1 glXSwapBuffers dpy=0x10 drawable=78\n"
                             : "glXSwapBuffers dpy=0x10 drawable=77\n");
    return text;
}

/* Returns the lines of the log that are not about current contexts. */
static char *calls_of_log(void)
{
    char *calls = calloc(1, STUB_LOG);
    assert_non_null(calls);
    for (char *line = strtok(stub_gl.log, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, "current:", 8) != 0)
            strcat(strcat(calls, line), "\n");
    return calls;
}

static void assert_same_calls(const struct replay_options *options)
{
    char *text = many_turns(200);
    struct replay_options o = *options;
    char *calls[2];
    uint64_t answers[2];
    for (int threads = 0; threads < 2; ++threads) {
        o.single_thread = threads == 0;
        replay(&o, text);
        assert_int_equal(stub_gl.rc, 0);
        assert_int_equal(stub_gl.failures, 0);
        assert_int_equal(stub_gl.differing_calls, 0);
        answers[threads] = stub_gl.answers[0];
        calls[threads] = calls_of_log();
    }
    assert_string_equal(calls[0], calls[1]);
    assert_int_equal(answers[0], o.check ? 200 : 0);
    assert_int_equal(answers[0], answers[1]);
    assert_non_null(strstr(calls[0], "glDrawArrays(0, 4) in 3"));
    free(calls[0]);
    free(calls[1]);
    free(text);
}

static void test_same_calls(void **state)
{
    (void)state;
    static const struct replay_options loop = {.loop = true, .loop_count = 3}, check = {.check = true},
                                       benchmark = {.benchmark = true};
    assert_same_calls(&many);
    assert_same_calls(&loop);
    assert_same_calls(&check);
    assert_same_calls(&benchmark);
    struct replay_options ignoring = many;
    assert_int_equal(trace_call_set_parse(&ignoring.ignored_calls, "20-30"), 0);
    assert_same_calls(&ignoring);
    trace_call_set_fini(&ignoring.ignored_calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thread_for_each),
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_handed_on),
        cmocka_unit_test(test_shared_bindings),
        cmocka_unit_test(test_shared_drawables),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_destroyed_by_another),
        cmocka_unit_test(test_error_in_another),
        cmocka_unit_test(test_same_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
