/* SPDX-License-Identifier: MIT
 * Tests replays of traces that are damaged, or that someone made to harm: the driver gets all the memory that
 * it accesses, and messages have call numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#include "base/error.h"

#define POINTER(bytes) "glVertexPointer size=2 type=5126 stride=0 pointer=#" bytes "\n"
#define FOUR           "aaaabbbbccccddddeeeeffffgggghhhh" /* vertices of 8 bytes */
#define DRAW(n)        "glDrawArrays mode=4 first=0 count=" n "\n"

struct draw_case {
    const char *calls, *log;
};

static void check_draws(const struct draw_case *cases, size_t count, const char *message)
{
    for (size_t i = 0; i < count; ++i) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        stub_gl_replay(NULL, cases[i].calls);
        stub_gl_expect(cases[i].log);
        if (message != NULL)
            stub_gl_expect_message(message);
        assert_int_equal(stub_gl.failures, message != NULL);
    }
}

/* Draws from arrays that are long enough are replayed, including the last vertex. */
static void test_arrays_that_suffice(void **state)
{
    (void)state;
    static const struct draw_case cases[] = {
        {POINTER(FOUR) DRAW("4"), "glVertexPointer(memory)\nglDrawArrays(0, 4)\n"},
        {POINTER(FOUR) "glDrawArrays mode=4 first=3 count=1\n",
         "glVertexPointer(memory)\nglDrawArrays(3, 1)\n"},
        {POINTER(FOUR) "glArrayElement i=3\n", "glVertexPointer(memory)\nglArrayElement(3)\n"},
        /* the last vertex may end before its stride */
        {"glVertexPointer size=2 type=5126 stride=24 pointer=#" FOUR "\n" DRAW("2"),
         "glVertexPointer(memory)\nglDrawArrays(0, 2)\n"},
        {"glVertexPointer size=4 type=5122 stride=0 pointer=#" FOUR "\n" DRAW("4"),
         "glVertexPointer(memory)\nglDrawArrays(0, 4)\n"},
        {POINTER("aaaabbbb") POINTER(FOUR) DRAW("4"),
         "glVertexPointer(memory)\nglVertexPointer(memory)\nglDrawArrays(0, 4)\n"},
        /* an array in a buffer has any number of vertices */
        {POINTER("aaaabbbb") "glGenBuffers n=1 buffers=[1]\n"
                             "glBindBuffer target=34962 buffer=1\n"
                             "glVertexPointer size=2 type=5126 stride=0 pointer=0x8\n" DRAW("9"),
         "glVertexPointer(memory)\nglBindBuffer(0x8892, 101)\nglVertexPointer(offset)\nglDrawArrays(0, 9)\n"},
    };
    check_draws(cases, sizeof cases / sizeof *cases, NULL);
    stub_gl_reset("4.6"); /* the array is not enabled */
    stub_gl_replay(NULL, POINTER(FOUR) DRAW("5"));
    stub_gl_expect("glVertexPointer(memory)\nglDrawArrays(0, 5)\n");
    stub_gl_reset("4.6"); /* 0xffff starts a new primitive */
    stub_gl.integers[GL_VERTEX_ARRAY] = stub_gl.integers[GL_PRIMITIVE_RESTART] = 1;
    stub_gl.integers[GL_PRIMITIVE_RESTART_INDEX] = 'a' << 8 | 'a';
    stub_gl_replay(NULL, POINTER(FOUR) "glDrawElements mode=4 count=2 type=5123 indices=#aaaa\n");
    stub_gl_expect("glVertexPointer(memory)\nglDrawElements(2, 'aaaa' of 4)\n");
    stub_gl_reset("4.6");
    stub_gl.integers[GL_VERTEX_ARRAY] = stub_gl.integers[GL_PRIMITIVE_RESTART] = 1;
    stub_gl.integers[GL_PRIMITIVE_RESTART_INDEX] = 77;
    stub_gl_replay(NULL, POINTER(FOUR) "glBegin mode=4\nglArrayElement i=77\nglArrayElement i=78\nglEnd\n");
    stub_gl_expect("glVertexPointer(memory)\nglArrayElement(77)\n");
}

/* Draws that would read beyond the end of an array are omitted. */
static void test_arrays_that_are_too_short(void **state)
{
    (void)state;
    static const struct draw_case cases[] = {
        {POINTER(FOUR) DRAW("5"), "glVertexPointer(memory)\n"},
        {POINTER(FOUR) DRAW("2147483647"), "glVertexPointer(memory)\n"},
        {POINTER(FOUR) "glDrawArrays mode=4 first=4 count=1\n", "glVertexPointer(memory)\n"},
        {POINTER("aaaabbb") DRAW("1"), "glVertexPointer(memory)\n"},
        {POINTER(FOUR) "glArrayElement i=4\n", "glVertexPointer(memory)\n"},
        {POINTER(FOUR) "glDrawElements mode=4 count=2 type=5123 indices=#aaaa\n",
         "glVertexPointer(memory)\n"},
        {"glVertexPointer size=2 type=5126 stride=25 pointer=#" FOUR "\n" DRAW("2"),
         "glVertexPointer(memory)\n"},
        {"glVertexPointer size=4 type=5126 stride=0 pointer=#" FOUR "\n" DRAW("3"),
         "glVertexPointer(memory)\n"},
        {"glVertexPointer size=4 type=5130 stride=0 pointer=#" FOUR "\n" DRAW("2"),
         "glVertexPointer(memory)\n"},
    };
    check_draws(cases, sizeof cases / sizeof *cases, ": a client array has fewer vertices than it reads");
}

/* NULL instead of memory that the call needs. */
static void test_null(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glUniform4fv location=1 count=1 value=0x0\n"
                         "glReadPixels x=0 y=0 width=2 height=2 format=6408 type=5121 pixels=0x0\n"
                         "glDrawElements mode=4 count=3 type=5123 indices=0x0\n"
                         "glBufferData target=34962 size=8 data=0x0 usage=35044\n");
    stub_gl_expect_line("glUniform4fv(1, 1, '................' of 16, zeros)");
    stub_gl_expect_line("glDrawElements(3, '......' of 6, zeros)");
    stub_gl_expect_line("glBufferData(0x8892, NULL)");
    assert_int_equal(stub_gl.failures, 0);
}

/* A few bytes are not extended to gigabytes. */
static void test_sizes_far_beyond_blobs(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glBufferData target=34962 size=2000000000 data=#abc usage=35044\n"
                         "glUniform4fv location=1 count=90000000 value=[1.0]\n"
                         "glMultiDrawElements mode=4 count=[90000000] type=5125 indices=[#abc] drawcount=1\n"
                         "glMultiDrawElements mode=4 count=[2147483647] type=5125 indices=[#a] drawcount=1\n"
                         "glBufferData target=34962 size=6 data=#abc usage=35044\n");
    assert_int_equal(stub_gl.rc, 0);
    stub_gl_expect("glBufferData(0x8892, 'abc...' of 6)\n");
    stub_gl_expect_message("3: warning: glBufferData: 'data' is too long\n");
    stub_gl_expect_message("4: warning: glUniform4fv: 'value' is too long\n");
    stub_gl_expect_message("5: warning: glMultiDrawElements: 'indices' is too long\n");
    assert_int_equal(stub_gl.failures, 4);
}

/* Sums of coordinates, and version numbers, do not overflow. (Sanitizers would notice.) */
static void test_numbers_that_overflow(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glViewport x=9223372036854775807 y=1 width=9223372036854775807 height=1\n"
                         "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 "
                         "attrib_list=[0x2091,2147483647,0x2092,2147483647,0] = 0x50\n");
    assert_int_equal(stub_gl.rc, 0);
    stub_gl_expect_line("context 3: gl 99.99 core, shares with 0");
}

#define BAD                                                                                                  \
    "glFlush\n"                                                                                              \
    "glUniform4fv location=1 count=1 value=\"text\"\n" DRAW("1")

/* --strict ends the replay at the first call that cannot be replayed. */
static void test_strict(void **state)
{
    (void)state;
    static const struct replay_options strict = {.strict = true};
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, BAD);
    assert_int_equal(stub_gl.rc, 0);
    stub_gl_expect("glDrawArrays(0, 1)\n");
    stub_gl_expect_message("4: warning: glUniform4fv: argument 'value' has the wrong type");
    stub_gl_reset("4.6");
    stub_gl_replay(&strict, BAD);
    assert_int_equal(stub_gl.rc, TRACE_ERR_FORMAT);
    assert_string_equal(trace_error_message(),
                        "call 4 glUniform4fv: glUniform4fv: argument 'value' has the wrong type");
    assert_string_equal(stub_gl.log, "");
    assert_int_equal(stub_gl.failures, 1);
    assert_int_equal(stub_gl.frames, 0);
    stub_gl_reset("4.6"); /* the frame that this call ends is over */
    stub_gl_replay(&strict, "wglSwapBuffers hdc=0x1\nglFlush\n");
    assert_int_equal(stub_gl.rc, TRACE_ERR_FORMAT);
    assert_int_equal(stub_gl.failures, 1);
    assert_int_equal(stub_gl.frames, 1);
}

/* Calls of the same function, one after the other, also if they are replayed together. */
static void test_strict_runs(void **state)
{
    (void)state;
    static const struct replay_options options[] = {
        {.strict = true}, {.strict = true, .benchmark = true}, {.strict = true, .single_thread = true}};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(&options[i], "glLineWidth width=1.0\nglLineWidth width=2.0\n" DRAW("1"));
        assert_int_equal(stub_gl.rc, TRACE_ERR_FORMAT);
        assert_string_equal(trace_error_message(),
                            "call 3 glLineWidth: glLineWidth: the driver does not have this function");
        assert_int_equal(stub_gl.failures, 1);
        assert_string_equal(stub_gl.log, "");
        stub_gl_reset("4.6");
        stub_gl_replay_all(&options[i], "glLineWidth width=1.0\n");
        assert_int_equal(stub_gl.rc, TRACE_ERR_FORMAT);
        assert_string_equal(trace_error_message(), "call 0 glLineWidth: glLineWidth: no context is current");
    }
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glLineWidth width=1.0\nglLineWidth width=2.0\n" DRAW("1"));
    stub_gl_expect("glDrawArrays(0, 1)\n");
    assert_int_equal(stub_gl.failures, 2);
}

#define FIVE_TIMES(call) call call call call call

/* Replays calls after some of the same functions. Those at the end of a trace are not read together. */
static void replay_runs(const struct replay_options *options, const char *calls)
{
    char text[1500];
    snprintf(text, sizeof text, "%s%s%s",
             "glClearStencil s=1\nglVertex2f x=1.5 y=2.0\nglVertex2f x=1.5 y=2.0\n", calls,
             FIVE_TIMES(FIVE_TIMES("glXWaitX\nglXWaitX\nglXWaitX\n")));
    stub_gl_reset("4.6");
    stub_gl_replay(options, text);
}

/* Calls that are replayed together are reported one by one: without a context, and if the driver does not
 * have them. */
static void test_runs_of_plain_calls(void **state)
{
    (void)state;
#define LACKING FIVE_TIMES("glLineWidth width=1.0\n")
#define MISSING "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x99 = 1\n" FIVE_TIMES("glVertex2f x=1.5 y=2.0\n")
    static const struct replay_options usual, benchmark = {.benchmark = true};
    static const struct {
        const struct replay_options *options;
        const char *calls, *message, *log;
        unsigned failures;
    } cases[] = {
        {&usual, LACKING, "warning: glLineWidth: the driver does not have this function\n", "", 5},
        {&benchmark, LACKING, "warning: 5 calls could not be replayed: glLineWidth (5)\n", "", 5},
        {&usual, MISSING, "warning: glVertex2f: no context is current\n", "current: 0, 0, 0\n", 6},
        {&benchmark, MISSING, "warning: 6 calls could not be replayed: ", "current: 0, 0, 0\n", 6},
    };
#undef LACKING
#undef MISSING
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        static const char first[] = "glVertex2f(1.5, 2)\nglVertex2f(1.5, 2)\n";
        replay_runs(cases[i].options, cases[i].calls);
        assert_memory_equal(stub_gl.log, first, sizeof first - 1);
        assert_string_equal(stub_gl.log + sizeof first - 1, cases[i].log);
        assert_int_equal(stub_gl.failures, cases[i].failures);
        stub_gl_expect_message(cases[i].message);
        assert_int_equal(stub_gl.rc, 0);
    }
}

/* --strict ends at the first one, here in a thread that has no context. */
static void test_strict_runs_of_plain_calls(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        const struct replay_options strict = {.strict = true, .single_thread = i == 1};
        replay_runs(&strict, FIVE_TIMES("@1 glVertex2f x=1.5 y=2.0\n") FIVE_TIMES("@1 glClearStencil s=1\n"));
        assert_int_equal(stub_gl.rc, TRACE_ERR_FORMAT);
        assert_string_equal(trace_error_message(), "call 6 glVertex2f: glVertex2f: no context is current");
        assert_int_equal(stub_gl.failures, 1);
    }
}

/* What is no call of OpenGL needs no context. */
static void test_memory_without_a_context(void **state)
{
    static const struct replay_options usual, check = {.check = true};
    static const struct replay_options *const options[] = {&usual, &check};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(options[i], "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                                   "malloc size=8 = 0x5000\nmemcpy dest=0x5000 src=#ab n=2\n"
                                   "glGetString name=7938 = \"4.5\"\n"
                                   "glXGetProcAddress procName=\"glFlush\" = 0x0\n"
                                   "glXGetCurrentReadDrawable = 0\n");
        assert_int_equal(stub_gl.failures, 0);
        assert_int_equal(stub_gl.rc, 0);
        assert_int_equal(stub_gl.answers[0], 0); /* these are no questions to the driver */
    }
}

/* What --strict ends at: functions that are not supported, calls without a context, handles that were never
 * created, missing arguments. */
static void test_what_is_not_strict(void **state)
{
    (void)state;
    static const struct replay_options strict = {.strict = true};
    static const struct {
        const char *calls, *message;
    } cases[] = {
        {"glXFoo\n", "unsupported glXFoo call"},
        {"glFlush\n", "no context is current"},
        {"glXMakeCurrent dpy=0x10 drawable=77 ctx=0x99 = 1\n", "context 0x99 was never created"},
        {"glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
         "memcpy dest=0x5000 src=#ab n=2\n",
         "0x5000 is not in a mapped buffer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay_all(&strict, cases[i].calls);
        assert_int_not_equal(stub_gl.rc, 0);
        assert_non_null(strstr(trace_error_message(), cases[i].message));
        stub_gl_reset("4.6");
        stub_gl_replay_all(NULL, cases[i].calls);
        assert_int_equal(stub_gl.rc, 0);
        assert_int_equal(stub_gl.failures, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_that_suffice),
        cmocka_unit_test(test_arrays_that_are_too_short),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_sizes_far_beyond_blobs),
        cmocka_unit_test(test_numbers_that_overflow),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_strict_runs),
        cmocka_unit_test(test_what_is_not_strict),
        cmocka_unit_test(test_runs_of_plain_calls),
        cmocka_unit_test(test_strict_runs_of_plain_calls),
        cmocka_unit_test(test_memory_without_a_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
