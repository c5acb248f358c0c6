/* SPDX-License-Identifier: MIT
 * Tests --check of errors: the program's questions have the right answers, although the replayer asks, too.
 */
#include "check_expect.h"

/* The replayer asks for errors after each call, and for its own purposes. Still, the program's queries have
 * the right answers. */
static void test_errors(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    expect(&check,
           "glGetError = 0\n"
           "glDrawArrays mode=4 first=0 count=3\n" GET(2967, 0) "glGetError = 1282\n"
                                                                "glGetError = 0\n"
                                                                "glDrawArrays mode=4 first=0 count=3\n"
                                                                "glGetError = 0\n",
           5, 1);
    expect_printed("glGetError: returned 1282, but 0 in the trace");
}

/* What is asked about arrays does not hide the error of the call that sets one. */
static void test_errors_of_arrays(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.array_error = GL_INVALID_OPERATION;
    expect(&check,
           "glBindVertexBuffer bindingindex=1 buffer=0 offset=0 stride=16\n"
           "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=#0011223344556677\n"
           "glGetError = 1282\n",
           1, 0);
}

/* A call that has failed has no outputs. What it returns counts. */
static void test_errors_of_questions(void **state)
{
    static const struct {
        const char *call;
        unsigned returned;
    } cases[] = {
        {"glGetFramebufferAttachmentParameteriv target=36160 attachment=36064 pname=36049 params=[8]\n", 0},
        {"glGetIntegeri_v target=33495 index=2 data=[77]\n", 0},
        {"glAreTexturesResident n=1 textures=[0] residences=[1] = 0\n", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[300];
        snprintf(calls, sizeof calls, "glShadeModel mode=7425\n%sglGetError = 1281\nglGetError = 0\n",
                 cases[i].call);
        stub_gl_reset("4.6");
        stub_gl.question_error = GL_INVALID_VALUE;
        expect(&check, calls, 2 + cases[i].returned, 0);
        assert_int_equal(stub_gl.answers[CHECK_FAILED], 1);
    }
}

/* A query that is not made in the replay may have caused an error in the program. */
static void test_errors_of_the_driver(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check,
           "glGetStringi name=7939 index=999 = 0x0\n"
           "glGetError = 1281\n"
           "glGetError = 1281\n"
           "glGetStringi name=7939 index=999 = 0x0\n"
           "glGetError = 0\n",
           2, 1);
    assert_int_equal(stub_gl.answers[CHECK_DRIVER], 3);
    stub_gl_reset("4.6"); /* without a context, there is no error */
    stub_gl_replay_all(&check, "glGetStringi name=7939 index=999 = 0x0\n");
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.answers[CHECK_DRIVER], 1);
}

/* A call that cannot be replayed may have had the error that the program got, but no other one does. */
static void test_errors_of_calls_left_out(void **state)
{
#define UPLOAD                                                                                               \
    "glTexImage2D target=3553 level=0 internalformat=6408 width=9 height=9 border=0 format=6408 type=5121 "  \
    "pixels=0x7f0000001000\n"
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, UPLOAD "glGetError = 1282\nglGetError = 1282\n", 1, 1);
    assert_int_equal(stub_gl.answers[CHECK_DRIVER], 1);
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("4.6");
    expect(&check, UPLOAD "glGetError = 0\nglGetError = 1282\n", 2, 1);
#undef UPLOAD
}

/* Between glBegin() and glEnd(), the program got no error, and asks again later. Its question is an error
 * itself, so the driver gets it, too. */
static void test_errors_inside_begin(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    expect(&check,
           "glDrawArrays mode=4 first=0 count=3\n"
           "glBegin mode=4\n"
           "glGetError = 0\n"
           "glEnd\n"
           "glGetError = 1282\n",
           1, 0);
    assert_non_null(strstr(stub_gl.log, "a question between glBegin() and glEnd()"));
}

/* A function that only the tracer offered has no error, and does not hide one either. */
static void test_offered_functions(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    expect(&check,
           "glStringMarkerGREMEDY len=1 string=\"a\"\n"
           "glGetError = 0\n"
           "glDrawArrays mode=4 first=0 count=3\n"
           "glStringMarkerGREMEDY len=1 string=\"a\"\n"
           "glPopGroupMarkerEXT\n"
           "glGetError = 1282\n",
           2, 0);
    assert_int_equal(stub_gl.failures, 0);
}

/* Between glBegin() and glEnd(), errors cannot be asked for. */
static void test_offered_functions_inside_begin(void **state)
{
    (void)state;
    stub_gl_reset("2.1");
    stub_gl.extensions = "GL_GREMEDY_string_marker";
    expect(&check, "glBegin mode=4\nglStringMarkerGREMEDY len=1 string=\"a\"\nglEnd\n", 0, 0);
    stub_gl_expect("marker a\n");
}

/* Some drivers write garbage when a call has an error. The error itself is compared, once. */
static void test_results_of_failed_calls(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, "glGetFloatv pname=0 params=[32606.0]\nglGetError = 1280\nglGetError = 0\n", 2, 0);
    assert_int_equal(stub_gl.answers[CHECK_FAILED], 1);
    expect_printed("not compared: 1 results of calls with errors\n");
    stub_gl_expect_message("3: warning: glGetError(glGetFloatv) = GL_INVALID_ENUM");
    assert_ptr_equal(strstr(stub_gl.messages, "GL_INVALID"), strrchr(stub_gl.messages, 'G'));
}

/* Also if errors are asked for only where answers are compared. */
static void test_errors_of_benchmarks(void **state)
{
    static const struct replay_options quick = {.check = true, .benchmark = true};
    (void)state;
    stub_gl_reset("4.6");
    expect(&quick, "glGetFloatv pname=0 params=[32606.0]\nglGetError = 1280\nglGetError = 0\n", 2, 0);
    assert_int_equal(stub_gl.answers[CHECK_FAILED], 1);
}

/* Before a draw with indices in a buffer, the replayer asks which arrays in memory are enabled. */
static void test_errors_before_draws(void **state)
{
    static const struct replay_options quick = {.check = true, .benchmark = true};
    static const uint32_t indices[] = {0, 1, 2};
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    stub_gl.buffer = indices;
    stub_gl.buffer_size = sizeof indices;
    expect(&quick,
           "glGenBuffers n=1 buffers=[1]\n"
           "glBindBuffer target=34963 buffer=1\n"
           "glVertexPointer size=2 type=5126 stride=0 pointer=#aaaabbbbccccddddeeeeffff\n"
           "glDrawArrays mode=4 first=0 count=3\n"
           "glDrawElements mode=4 count=3 type=5125 indices=0x0\n"
           "glGetError = 1282\n",
           1, 0);
}

/* Before a name of a block, the replayer asks for the number that the driver has for it. */
static void test_errors_before_names(void **state)
{
    static const struct replay_options quick = {.check = true, .benchmark = true};
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    expect(&quick,
           "glCreateProgram = 3\n"
           "glDrawArrays mode=4 first=0 count=3\n"
           "glGetActiveUniformBlockName program=3 uniformBlockIndex=1 bufSize=9 length=[1] "
           "uniformBlockName=\"n\"\n"
           "glGetError = 1282\n",
           3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_errors_of_arrays),
        cmocka_unit_test(test_errors_of_questions),
        cmocka_unit_test(test_errors_of_the_driver),
        cmocka_unit_test(test_errors_of_calls_left_out),
        cmocka_unit_test(test_errors_inside_begin),
        cmocka_unit_test(test_offered_functions),
        cmocka_unit_test(test_offered_functions_inside_begin),
        cmocka_unit_test(test_results_of_failed_calls),
        cmocka_unit_test(test_errors_of_benchmarks),
        cmocka_unit_test(test_errors_before_draws),
        cmocka_unit_test(test_errors_before_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
