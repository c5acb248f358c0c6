/* SPDX-License-Identifier: MIT
 * What the replayer asks the driver on its own has no effect on the program's errors: those that the program
 * has caused are there when it asks for them, and those of the replayer's questions never are, nor are they
 * reported. Here, all its questions have errors.
 */
#include "check_expect.h"

#define RIGHT "glShadeModel mode=7425\n"
#define WRONG "glShadeModel mode=0\n"

#define ONE          "glVertexPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n"
#define ATTRIBUTE    "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=#aaaabbbb\n"
#define ELEMENTS     "glDrawElements mode=4 count=1 type=5125 indices=0x0\n"
#define BIND(target) "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=" target " buffer=1\n"

static const struct question {
    const char *before, *call; /* that makes the replayer ask */
    const char *lacks;         /* that the driver does not have; or NULL */
    bool single_buffered;
} questions[] = {
    /* which arrays are enabled, and which indices restart primitives */
    {ONE, "glDrawElements mode=4 count=1 type=5121 indices=#a\n", NULL, false},
    {ONE, "glBegin mode=4\nglEnd\n", NULL, false},
    {ATTRIBUTE, "glDrawArrays mode=4 first=0 count=2\n", "glIsEnabled", false},
    {ATTRIBUTE, "glBegin mode=4\nglEnd\n", "glIsEnabled", false},
    {ONE BIND("34963"), ELEMENTS, NULL, false},
    {"", "glEnableClientState array=32884\n", NULL, false},
    {"", "glEnableVertexAttribArray index=1\n", NULL, false},
    {"glVertexPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\n",
     "glDrawArrays mode=4 first=0 count=1\n", NULL, false},
    {"glVertexPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\n", "glBegin mode=4\nglEnd\n", NULL,
     false},
    /* parameters of draws */
    {ONE BIND("36671"), "glDrawArraysIndirect mode=4 indirect=0x0\n", NULL, false},
    /* programs */
    {"glCreateProgram = 3\nglGetUniformLocation program=3 name=\"a\" = 5\n", "glLinkProgram program=3\n",
     NULL, false},
    {"glCreateProgram = 3\n",
     "glGetProgramBinary program=3 bufSize=9 length=[9] binaryFormat=[9] binary=#abcabcabc\n", NULL, false},
    {"glCreateProgram = 3\n", "glUseProgram program=3\n", NULL, false},
    {"glCreateProgram = 3\n", "glProgramBinary program=3 binaryFormat=9 binary=#abcabcabc length=9\n", NULL,
     false},
    /* the state that lengths depend on */
    {"glPixelStorei pname=3317 param=1\n",
     "glGetTexImage target=3553 level=0 format=6408 type=5121 pixels=#aaaa\n", NULL, false},
    {"glPushClientAttrib mask=1\n", "glDrawElements mode=4 count=1 type=5121 indices=#a\n", NULL, false},
    /* windows */
    {"", "glViewport x=0 y=0 width=50 height=50\n", NULL, true},
    {"", "~glViewport x=0 y=0 width=50 height=50\n", NULL, true},
    {"glGenQueries n=1 ids=[5]\nglBeginConditionalRender id=5 mode=36371\n",
     "glViewport x=0 y=0 width=50 height=50\n", NULL, false},
    {"eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n",
     "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n", NULL, false},
    /* the program's own questions, of which these have no errors */
    {"", "glGetFloatv pname=2849 params=[0.0]\n", NULL, false},
    {"", "glStringMarkerGREMEDY len=1 string=\"a\"\n", NULL, false},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static const uint32_t contents[] = {0, 1, 0, 0, 0};

/* Calls the program's `first`, what makes the replayer ask, and then `last`. If again, it was asked before.
 */
static void replay(const struct question *q, const struct replay_options *options, bool again,
                   const char *first, const char *last)
{
    char calls[800];
    struct replay_options o = *options;
    snprintf(calls, sizeof calls, "%s%s%s%s%s", q->before, again ? q->call : "", first, q->call, last);
    stub_gl_reset("4.6");
    stub_gl.integers[GL_VERTEX_ARRAY] = stub_gl.integers[GL_PRIMITIVE_RESTART] = 1;
    stub_gl.question_error = GL_INVALID_ENUM;
    stub_gl.next_location = -1;
    stub_gl.binary_length = 9;
    stub_gl.texture_side = 1;
    stub_gl.timers.lacks = q->lacks;
    stub_gl.buffer = contents;
    stub_gl.buffer_size = sizeof contents;
    o.single_buffered = q->single_buffered;
    stub_gl_replay_printing(&o, calls);
    assert_int_equal(stub_gl.rc, 0);
}

/* Errors are asked for after each call; otherwise only where answers are compared. */
static const struct replay_options always = {.check = false}, checks = {.check = true},
                                   rarely = {.check = true, .benchmark = true};

static void test_errors_of_questions(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * QUESTIONS; ++i) {
        const struct question *q = &questions[i / 2];
        replay(q, &always, i % 2 != 0, RIGHT, "glFlush\n");
        if (strstr(stub_gl.messages, "glGetError(") != NULL)
            fail_msg("%s%s", q->call, stub_gl.messages);
        replay(q, &always, i % 2 != 0, WRONG, "glFlush\n");
        const char *first = strstr(stub_gl.messages, "glGetError(glShadeModel) = GL_INVALID_OPERATION\n");
        if (first == NULL || strstr(first + 1, "glGetError(") != NULL)
            fail_msg("%s%s", q->call, stub_gl.messages);
    }
}

/* Fails the test if a glGetError() differs. */
static void expect_error(const struct question *q, const struct replay_options *options, const char *first,
                         const char *last)
{
    for (int again = 0; again < 2; ++again) {
        replay(q, options, again != 0, first, last);
        if (strstr(stub_gl.printed, "glGetError") != NULL || stub_gl.answers[CHECK_FAILED] != 0 ||
            stub_gl.answers[CHECK_DRIVER] != 0)
            fail_msg("%s%s%s%s", first, q->call, stub_gl.printed, stub_gl.messages);
    }
}

static void test_errors_of_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < QUESTIONS; ++i) {
        expect_error(&questions[i], &checks, RIGHT, "glGetError = 0\n");
        expect_error(&questions[i], &rarely, RIGHT, "glGetError = 0\n");
        expect_error(&questions[i], &checks, WRONG, "glGetError = 1282\nglGetError = 0\n");
        expect_error(&questions[i], &rarely, WRONG, "glGetError = 1282\nglGetError = 0\n");
    }
}

/* The program has asked for the result itself, so this error is its own. It comes after the other one. */
static void test_results_of_queries(void **state)
{
    (void)state;
    static const struct question result = {"glGenQueries n=1 ids=[5]\n",
                                           "glGetQueryObjectuiv id=5 pname=34918 params=[0]\n", NULL, false};
    static const struct replay_options runs = {.check = true, .benchmark = true, .query_handling = QUERY_RUN};
    expect_error(&result, &runs, RIGHT, "glGetError = 1280\nglGetError = 0\n");
    expect_error(&result, &runs, WRONG, "glGetError = 1282\nglGetError = 0\n");
}

static void test_snapshots(void **state)
{
    (void)state;
    static const struct question draw = {"", "glDrawArrays mode=4 first=0 count=3\n", NULL, false};
    struct replay_options options = {.snapshot_prefix = "-", .snapshot_format = SNAPSHOT_RGB};
    assert_int_equal(trace_call_set_parse(&options.snapshot_calls, "*/draw"), 0);
    replay(&draw, &options, false, RIGHT, "glFlush\n");
    trace_call_set_fini(&options.snapshot_calls);
    assert_string_equal(stub_gl.messages, "");
    assert_int_equal(stub_gl.snapshots, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_of_questions),
        cmocka_unit_test(test_errors_of_programs),
        cmocka_unit_test(test_results_of_queries),
        cmocka_unit_test(test_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
