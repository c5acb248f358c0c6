/* SPDX-License-Identifier: MIT
 * Tests --check: what is the same, what differs, and what is left out. The driver is one whose answers the
 * tests choose.
 */
#include "check_expect.h"
#include "windows/window_system.h"

#define READ_PIXELS(blob) "glReadPixels x=0 y=0 width=2 height=1 format=6408 type=5121 pixels=#" blob "\n"

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
        for (int k = 0; k < 3; ++k) {
            static const double factors[] = {0.999999, 1, 1.000001};
            const struct replay_options o = {.check = true, .tolerance = cases[i].share * factors[k]};
            char calls[200];
            snprintf(calls, sizeof calls,
                     "glReadPixels x=0 y=0 width=4 height=1 format=6408 type=%u pixels=#%s\n", cases[i].type,
                     cases[i].traced);
            stub_gl_reset("4.6");
            stub_gl.pixel = 0x41;
            expect(&o, calls, 1, k == 0 || cases[i].type == GL_UNSIGNED_INT);
        }
    }
}

/* Negative values of signed types. */
static void test_tolerance_below_zero(void **state)
{
    static const struct {
        uint8_t real;
        const char *traced;
        unsigned differs;
    } cases[] = {
        {0xff, "\x01\xff\x02\xff\xff\xff\xff\xff", 0}, /* -1, but 1 and 2 */
        {0xff, "\x03\xff\xff\xff\xff\xff\xff\xff", 1},
        {0xfe, "\xfb\xfb\xfb\xfb\xfb\xfb\xfb\xfb", 0}, /* -2, but -5 */
        {0xfe, "\xfa\xfa\xfa\xfa\xfa\xfa\xfa\xfa", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct replay_options o = {.check = true, .tolerance = 3.0 / 127};
        char calls[200];
        snprintf(calls, sizeof calls,
                 "glReadPixels x=0 y=0 width=2 height=1 format=6408 type=5120 pixels=#%s\n", cases[i].traced);
        stub_gl_reset("4.6");
        stub_gl.pixel = cases[i].real;
        expect(&o, calls, 1, cases[i].differs);
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
    /* also by its interface */
#define FIND                                                                                                 \
    "glCreateProgram = 3\nglGetProgramResourceLocation program=3 programInterface=37601 name=\"a\" = "
    stub_gl_reset("4.6");
    expect(&check, FIND "5\n", 0, 0);
    assert_int_equal(stub_gl.answers[CHECK_NAME], 2); /* and the program */
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    expect(&check, FIND "5\n", 0, 1);
    expect_printed("glGetProgramResourceLocation: there is none, but not in the trace");
    stub_gl_reset("4.6");
    expect(&check, FIND "-1\n", 0, 1);
#undef FIND
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

/* Outputs get memory for all that the trace has of them, whatever their type, though the driver writes only
 * one number. (A sanitizer notices if it is too little.) */
static void test_long_outputs(void **state)
{
    (void)state;
    static const char *const functions[] = {"glGetIntegerv", "glGetDoublev"};
    enum { COUNT = 3900 };
    static char calls[2 * COUNT + 100];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        for (int first = 7; first < 9; ++first) {
            int n = snprintf(calls, sizeof calls, "%s pname=2967 params=[%d", functions[i], first);
            for (int k = 1; k < COUNT; ++k)
                n += snprintf(calls + n, sizeof calls - (size_t)n, ",%d", k % 10);
            snprintf(calls + n, sizeof calls - (size_t)n, "]\n");
            stub_gl_reset("4.6");
            stub_gl.integers[2967] = 7;
            expect(&check, calls, 1, first != 7);
            assert_int_equal(stub_gl.failures, 0);
        }
        expect_printed("data[0] is 7, but 8 in the trace (1 of 3900 differ)");
    }
}

/* A tracer records fake calls for what the driver did by itself. */
static void test_fake_calls(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, "~glGetIntegerv pname=2967 params=[9]\n" GET(2967, 9), 1, 1);
}

/* An error that the program has not fetched yet is still there after the tracer's calls. */
static void test_errors_before_fake_calls(void **state)
{
    static const struct replay_options fast = {.check = true, .benchmark = true};
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.refused_format = GL_RGB;
    expect(&fast,
           "glGenVertexArrays n=1 arrays=[1]\nglBindVertexArray array=1\n"
           "glCopyTexImage2D target=3553 level=0 internalformat=6407 x=0 y=0 width=1 height=1 border=0\n"
           "~glVertexAttribPointer index=0 size=1 type=5126 normalized=0 stride=0 pointer=#abcd\n"
           "glGetError = 1282\n",
           1, 0);
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
        cmocka_unit_test(test_tolerance_below_zero),
        cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_names_as_numbers),
        cmocka_unit_test(test_most_reports),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_larger_objects),
        cmocka_unit_test(test_fake_calls),
        cmocka_unit_test(test_errors_before_fake_calls),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_unchecked),
        cmocka_unit_test(test_long_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
