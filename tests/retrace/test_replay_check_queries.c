/* SPDX-License-Identifier: MIT
 * Tests --check of the results of queries, and --query-handling.
 */
#include "check_expect.h"

#define QUERY(target, result)                                                                                \
    "glGenQueries n=1 ids=[5]\n"                                                                             \
    "glBeginQuery target=" #target " id=5\n"                                                                 \
    "glEndQuery target=" #target "\n"                                                                        \
    "glGetQueryObjectuiv id=5 pname=34919 params=[0]\n"                                                      \
    "glGetQueryObjectuiv id=5 pname=34918 params=[" #result "]\n"

static void test_queries(void **state)
{
    (void)state;
    static const struct replay_options tolerant = {
        .check = true, .query_handling = QUERY_CHECK, .query_tolerance = 2};
    static const struct replay_options warns = {.query_handling = QUERY_CHECK},
                                       runs = {.query_handling = QUERY_RUN};
    static const struct replay_options skips = {.check = true};
    const struct {
        const struct replay_options *options;
        const char *calls;
        unsigned compared, differing;
        bool asked;
    } cases[] = {
        {&check, QUERY(35092, 40), 1, 0, true},    {&check, QUERY(35092, 42), 1, 1, true},
        {&tolerant, QUERY(35092, 42), 1, 0, true}, {&tolerant, QUERY(35092, 37), 1, 1, true},
        {&check, QUERY(35007, 999), 0, 0, true},   {&warns, QUERY(35092, 42), 0, 0, true},
        {&runs, QUERY(35092, 42), 0, 0, true},     {&skips, QUERY(35092, 42), 0, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.query_result = 40;
        expect(cases[i].options, cases[i].calls, cases[i].compared, cases[i].differing);
        assert_int_equal(stub_gl.query_polls, cases[i].asked ? 3 : 0); /* the first one by the program */
        if (cases[i].differing > 0 && cases[i].options == &check)
            expect_printed("difference: glGetQueryObjectuiv: 40, but 42 in the trace\n");
        assert_int_equal(strstr(stub_gl.messages, "the result of query 5 is 40, but 42") != NULL,
                         cases[i].options == &warns);
    }
}

static void test_results_that_are_the_same(void **state)
{
    static const struct replay_options options[] = {{.query_handling = QUERY_CHECK},
                                                    {.query_handling = QUERY_CHECK, .query_tolerance = 1}};
    (void)state;
    for (GLuint i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl.query_result = 40 + i;
        stub_gl_replay(&options[i], QUERY(35092, 40));
        assert_string_equal(stub_gl.messages, "");
    }
}

/* A driver that has an error instead of an answer is not asked again. */
static void test_drivers_that_refuse_to_tell(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.question_error = GL_INVALID_OPERATION;
    expect(&check,
           "glGenQueries n=1 ids=[5]\nglShadeModel mode=7425\n"
           "glGetQueryObjectuiv id=5 pname=34918 params=[40]\n",
           0, 0);
    assert_int_equal(stub_gl.query_polls, 1);
    assert_int_equal(stub_gl.answers[CHECK_FAILED], 1);
}

/* Between glBegin() and glEnd(), only the program asks: no answer comes however long one waits. */
static void test_queries_in_primitives(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check,
           "glGenQueries n=1 ids=[5]\nglBegin mode=4\n"
           "glGetQueryObjectuiv id=5 pname=34918 params=[40]\nglEnd\n",
           0, 0);
    stub_gl_expect("a question between glBegin() and glEnd()\n"); /* the program's */
}

/* Times are not compared, however their queries began. */
static void test_queries_of_times(void **state)
{
    (void)state;
#define RESULT "glGetQueryObjectuiv id=5 pname=34918 params=[999]\n"
#define INDEXED(target)                                                                                      \
    "glGenQueries n=1 ids=[5]\nglBeginQueryIndexed target=" target                                           \
    " index=0 id=5\nglEndQueryIndexed target=" target " index=0\n" RESULT
    static const struct {
        const char *calls;
        unsigned compared;
    } cases[] = {
        {INDEXED("35007"), 0},
        {INDEXED("35975"), 1}, /* GL_PRIMITIVES_GENERATED */
        {"glGenQueries n=1 ids=[5]\nglQueryCounter id=5 target=36392\n" RESULT, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.query_result = 40;
        expect(&check, cases[i].calls, cases[i].compared, cases[i].compared);
        assert_int_equal(stub_gl.answers[CHECK_TIME], 1 - cases[i].compared);
    }
#undef RESULT
#undef INDEXED
}

/* What a call left alone is not its answer: a call that failed, or one that did not wait. */
static void test_queries_without_results(void **state)
{
    (void)state;
#define ASKS(pname)                                                                                          \
    "glGenQueries n=1 ids=[5]\nglBeginQuery target=35092 id=5\nglEndQuery target=35092\n"                    \
    "glGetQueryObjectuiv id=5 pname=" pname " params=[12345]\n"
    static const struct {
        const char *calls;
        GLenum error;
        enum check_reason reason;
    } cases[] = {
        {ASKS("34918"), GL_INVALID_OPERATION, CHECK_FAILED},
        {ASKS("37268"), GL_NO_ERROR, CHECK_TIME}, /* GL_QUERY_RESULT_NO_WAIT */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.query_result = 40;
        stub_gl.query_error = cases[i].error;
        expect(&check, cases[i].calls, 0, 0);
        assert_int_equal(stub_gl.answers[cases[i].reason], 1);
        assert_int_equal(stub_gl.query_polls, 3); /* what does not wait gets the result all the same */
    }
#undef ASKS
}

/* A result may be recorded as a signed number, or not at all. Without a function that tells whether it is
 * there, the program's call waits for it. */
static void test_odd_results(void **state)
{
#define ASKS(result)                                                                                         \
    "glGenQueries n=1 ids=[5]\nglBeginQuery target=35092 id=5\nglEndQuery target=35092\n"                    \
    "glGetQueryObjectuiv id=5 pname=34918 params=" result "\n"
    static const struct {
        const char *calls;
        unsigned compared, differing;
    } cases[] = {
        {ASKS("[40]"), 1, 0}, {ASKS("[-40]"), 1, 1}, {ASKS("[]"), 0, 0},
        {ASKS("7"), 0, 0},    {ASKS("1.5"), 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.query_result = 40;
        expect(&check, cases[i].calls, cases[i].compared, cases[i].differing);
    }
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glGetQueryObjectuiv";
    expect(&check, ASKS("[40]"), 0, 0);
    stub_gl_expect_message("glGetQueryObjectuiv: the driver does not have this function");
#undef ASKS
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_results_that_are_the_same),
        cmocka_unit_test(test_drivers_that_refuse_to_tell),
        cmocka_unit_test(test_queries_in_primitives),
        cmocka_unit_test(test_queries_of_times),
        cmocka_unit_test(test_odd_results),
        cmocka_unit_test(test_queries_without_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
