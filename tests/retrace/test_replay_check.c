/* SPDX-License-Identifier: MIT
 * Tests --check: what is the same, what differs, and what is left out. The driver is one whose answers the
 * tests choose.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "check/check_counts.h"
#include "stub_gl.h"
#include "windows/window_system.h"

static const struct replay_options check = {.check = true, .query_handling = QUERY_CHECK};

/* Replays calls with --check. Expects that this many answers are compared, and this many calls differ. */
static void expect(const struct replay_options *options, const char *calls, unsigned compared,
                   unsigned differing)
{
    stub_gl_replay_printing(options, calls);
    if (stub_gl.answers[CHECK_COMPARED] != compared || stub_gl.differing_calls != differing)
        fail_msg("%s%sprinted:\n%s%s", calls, stub_gl.messages, stub_gl.printed, stub_gl.log);
}

static void expect_printed(const char *part)
{
    if (strstr(stub_gl.printed, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, stub_gl.printed);
}

#define READ_PIXELS(blob) "glReadPixels x=0 y=0 width=2 height=1 format=6408 type=5121 pixels=#" blob "\n"
#define GET(pname, value) "glGetIntegerv pname=" #pname " params=[" #value "]\n"

static void test_pixels(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.pixel = 0x41;
    expect(&check, READ_PIXELS("AAAAAAAA"), 1, 0);
    expect_printed("Checked 1 answers\nNo differences\n");
    stub_gl_reset("4.6");
    stub_gl.pixel = 0x41;
    expect(&check, READ_PIXELS("AA@AAABB"), 1, 1);
    expect_printed(
        ": difference: glReadPixels: pixels: 3 of 8 bytes differ, the first at 2: 0x41, but 0x40 in the "
        "trace\n");
    expect_printed("1 calls differ: glReadPixels (1)\n");
    /* memory that the call does not write contains what the program had there */
    stub_gl_reset("4.6");
    stub_gl.pixel = 0x41;
    expect(&check, READ_PIXELS("AAAAAAAA1234"), 1, 0);
}

static void test_tolerance(void **state)
{
    (void)state;
    static const struct replay_options small = {.check = true, .tolerance = 0.007},
                                       large = {.check = true, .tolerance = 0.008};
    stub_gl_reset("4.6");
    stub_gl.pixel = 0x41;
    expect(&small, READ_PIXELS("CCCCCCCC"), 1, 1);
    stub_gl_reset("4.6");
    stub_gl.pixel = 0x41;
    expect(&large, READ_PIXELS("CCC??CCC"), 1, 0);
    stub_gl_reset("4.6");
    stub_gl.integers[GL_LINE_WIDTH] = 150;
    expect(&check, "glGetFloatv pname=2849 params=[1.51]\n", 1, 1);
    expect_printed("glGetFloatv: data[0] is 1.5, but 1.50999999 in the trace (1 of 1 differ)");
    stub_gl_reset("4.6");
    stub_gl.integers[GL_LINE_WIDTH] = 150;
    expect(&large, "glGetFloatv pname=2849 params=[1.51]\n", 1, 0);
}

/* Channels of each type may differ by a share of the type's range. */
static void test_tolerance_of_types(void **state)
{
    (void)state;
    static const struct {
        GLenum type;
        const char *traced; /* 'A's, with a difference */
        double share;       /* of the range: the difference */
    } cases[] = {
        {GL_UNSIGNED_BYTE, "AAACAAAA", 2.0 / 255},      {GL_BYTE, "AAACAAAA", 2.0 / 127},
        {GL_UNSIGNED_SHORT, "AAAAAAAC", 512.0 / 65535}, {GL_SHORT, "AAAAAAAC", 512.0 / 32767},
        {GL_FLOAT, "AAAAAAABAAAAAAAA", 0.75},           {GL_UNSIGNED_INT, "AAAAAAACAAAAAAAA", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int more = 0; more < 2; ++more) {
            const struct replay_options o = {.check = true,
                                             .tolerance = cases[i].share * (more ? 1.001 : 0.999)};
            char calls[200];
            snprintf(calls, sizeof calls,
                     "glReadPixels x=0 y=0 width=4 height=1 format=6408 type=%u pixels=#%s\n", cases[i].type,
                     cases[i].traced);
            stub_gl_reset("4.6");
            stub_gl.pixel = 0x41;
            expect(&o, calls, 1, !more || cases[i].type == GL_UNSIGNED_INT);
        }
    }
}

/* What is not a number is the same as itself only. */
static void test_not_a_number(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, "glGetDoublev pname=1 params=[nan.]\n", 1, 0);
    stub_gl_reset("4.6");
    expect(&check, "glGetDoublev pname=1 params=[1.0]\nglGetDoublev pname=2967 params=[nan.]\n", 2, 2);
}

/* Names may be asked for as numbers of any type, and by an index. */
static void test_names_as_numbers(void **state)
{
    (void)state;
    static const struct replay_options exact = {.check = true};
    static const char calls[] = "glGenTextures n=2 textures=[1,2]\n"
                                "glBindTexture target=3553 texture=2\n"
                                "glGetDoublev pname=32873 params=[2.0]\n"
                                "glGetDoublev pname=32873 params=[1.0]\n";
    stub_gl_reset("4.6");
    expect(&exact, calls, 2, 1);
    expect_printed("glGetDoublev: data[0] is 102, but 101 in the trace");
    stub_gl_reset("4.6");
    stub_gl.integers[GL_LINE_WIDTH] = 0;
    expect(&exact,
           "glGenBuffers n=2 buffers=[1,2]\n"
           "glGenTextures n=2 textures=[1,2]\n"
           "glGetIntegeri_v target=35368 index=101 data=[1]\n" /* GL_UNIFORM_BUFFER_BINDING */
           "glGetIntegeri_v target=35368 index=101 data=[2]\n",
           2, 1);
    expect_printed("glGetIntegeri_v: data[0] is 101, but 102 in the trace");
}

/* At most 20 differences are printed, whatever the functions. */
static void test_most_reports(void **state)
{
    (void)state;
    char calls[4000] = "";
    for (int i = 0; i < 5; ++i)
        strcat(calls, GET(2967, 1) "glGetFloatv pname=2849 params=[1.0]\n"
                                   "glGetDoublev pname=2967 params=[1.0]\n"
                                   "glIsEnabled cap=3553 = 1\n");
    strcat(calls, READ_PIXELS("AAAAAAAA"));
    stub_gl_reset("4.6");
    expect(&check, calls, 21, 21);
    unsigned count = 0;
    for (const char *at = stub_gl.printed; (at = strstr(at, ": difference: ")) != NULL; ++at)
        count++;
    assert_int_equal(count, 20);
    assert_null(strstr(stub_gl.printed, "difference: glReadPixels"));
    expect_printed("glReadPixels (1)");
}

static void test_numbers(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.integers[GL_STENCIL_REF] = -7;
    expect(&check, GET(2967, -7) GET(2967, 249), 2, 1);
    expect_printed("glGetIntegerv: data[0] is -7, but 249 in the trace (1 of 1 differ)");
    /* names of objects may differ, but must refer to the same objects */
    stub_gl_reset("4.6");
    expect(&check,
           "glGenTextures n=2 textures=[1,2]\n"
           "glBindTexture target=3553 texture=2\n" GET(32873, 2) GET(32873, 1),
           2, 1);
    expect_printed("data[0] is 102, but 101 in the trace");
    assert_int_equal(stub_gl.answers[CHECK_NAME], 1);
    /* each query has another answer, but only as many as a reader wants are printed */
    stub_gl_reset("4.6");
    expect(&check, GET(2967, 1) GET(2967, 2) GET(2967, 3) GET(2967, 4) GET(2967, 5) GET(2967, 6), 6, 6);
    assert_non_null(strstr(stub_gl.printed, "but 5 in"));
    assert_null(strstr(stub_gl.printed, "but 6 in"));
    expect_printed("6 calls differ: glGetIntegerv (6)\n");
}

static void test_locations(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check,
           "glCreateProgram = 3\n"
           "glGetUniformLocation program=3 name=\"a\" = 5\n",
           0, 0);
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    expect(&check,
           "glCreateProgram = 3\n"
           "glGetUniformLocation program=3 name=\"a\" = 5\n",
           0, 1);
    expect_printed("glGetUniformLocation: there is none, but not in the trace");
    stub_gl_reset("4.6"); /* 0 is a location */
    expect(&check, "glCreateProgram = 3\nglGetUniformLocation program=3 name=\"a\" = 0\n", 0, 0);
    stub_gl_reset("4.6");
    expect(&check, "glCreateProgram = 3\nglGetUniformLocation program=3 name=\"a\" = -1\n", 0, 1);
    expect_printed("glGetUniformLocation: there is one, but not in the trace");
}

#define GET_IMAGE "glGetTexImage target=3553 level=0 format=6408 type=5121 pixels=#AAAAAAAA\n"

/* A call gets memory for what the driver's object has, whatever the trace has of it. */
static void test_larger_objects(void **state)
{
    (void)state;
    static const struct replay_options fast = {.check = true, .benchmark = true};
    stub_gl_reset("4.6");
    stub_gl.pixel = 0x41;
    stub_gl.texture_side = 2048;
    expect(&check, GET_IMAGE, 1, 0);
    /* to find that out, the replayer asks the driver, whose errors until then are those of the program */
    stub_gl_reset("4.6");
    stub_gl.texture_side = 1;
    stub_gl.pixel = 0x41;
    stub_gl.draw_error = GL_INVALID_VALUE;
    expect(&fast, "glDrawArrays mode=4 first=0 count=3\n" GET_IMAGE "glGetError = 1281\nglGetError = 0\n", 3,
           0);
    stub_gl_reset("4.6");
    stub_gl.texture_side = 2048; /* the driver has refused the mode, so it writes to the memory */
    expect(&check, "glBegin mode=99\n" GET_IMAGE "glEnd\n", 1, 1);
}

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
}

/* Between glBegin() and glEnd(), the program got no error, and asks again later. */
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

/* A tracer records fake calls for what the driver did by itself. */
static void test_fake_calls(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, "~glGetIntegerv pname=2967 params=[9]\n" GET(2967, 9), 1, 1);
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

static void test_left_out(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check,
           "glGetString name=7938 = \"4.5\"\n" GET(36392, 77)
               GET(34814, 4) "glMapBufferRange target=34962 "
                             "offset=0 length=8 access=2 = 0x5000\n",
           0, 0);
    assert_int_equal(stub_gl.answers[CHECK_DRIVER], 2);
    assert_int_equal(stub_gl.answers[CHECK_TIME], 1);
    assert_int_equal(stub_gl.answers[CHECK_POINTER], 1);
    expect_printed("not compared: 1 pointers, 1 times, 2 properties of the driver\n");
}

/* Drawables off screen have a single buffer, so the answers about it differ. */
static void test_windows(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_windows.is_offscreen = true;
    expect(&check, GET(3074, 1028), 0, 0);
    assert_int_equal(stub_gl.answers[CHECK_WINDOW], 1);
    stub_windows.is_offscreen = false;
    stub_gl_reset("4.6");
    expect(&check, GET(3074, 1028), 1, 1);
}

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
        assert_int_equal(stub_gl.query_polls >= 3, cases[i].asked);
        assert_int_equal(strstr(stub_gl.messages, "the result of query 5 is 40, but 42") != NULL,
                         cases[i].options == &warns);
    }
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

/* Without --check, queries are not replayed. */
static void test_unchecked(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.draw_error = GL_INVALID_OPERATION;
    stub_gl_replay(NULL, "glDrawArrays mode=4 first=0 count=3\n"
                         "glGetError = 0\n" GET(2967, 5) "glGetUniformLocation program=3 name=\"a\" = 5\n");
    assert_int_equal(stub_gl.differing_calls, 0);
    assert_int_equal(stub_gl.answers[CHECK_COMPARED], 0);
    assert_int_equal(stub_gl.calls, 5); /* two make a context current; two queries are not made */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_tolerance_of_types),
        cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_names_as_numbers),
        cmocka_unit_test(test_most_reports),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_larger_objects),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_fake_calls),
        cmocka_unit_test(test_results_of_failed_calls),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_errors_of_the_driver),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_errors_inside_begin),
        cmocka_unit_test(test_offered_functions),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_queries_of_times),
        cmocka_unit_test(test_unchecked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
