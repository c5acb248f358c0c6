/* SPDX-License-Identifier: MIT
 * Tests --debug, which prints what the driver says, and --markers, which tells the driver which call it is
 * in: in every kind of context, by the functions that it has for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "stub_gl.h"

#define DRAW "glDrawArrays mode=4 first=0 count=1\n"

static const struct replay_options debug = {.debug = true};

/* Replays calls with markers, but for the first ones, which make the context current. */
static void replay_with_markers(const char *text)
{
    struct replay_options o = {.markers = true};
    assert_int_equal(trace_call_set_parse(&o.ignored_calls, "2"), 0);
    stub_gl_replay(&o, text);
    trace_call_set_fini(&o.ignored_calls);
}

/* How a context is asked for its messages, and how it gets markers. */
static const struct debugging {
    const char *version, *extensions;
    GLint count; /* of extensions that are asked for one by one */
    const char *messages, *marker;
} contexts[] = {
#define CORE_MARKER "marker 0x8249, 0x8268, 3, 0x826b: 3 glDrawArrays\n"
#define KHR         "by its KHR name\n"
    {"4.3", NULL, 0, "glDebugMessageCallback\n", CORE_MARKER},
    {"4.2", "GL_KHR_debugger GL_X", 2, "", ""},
    {"4.2", "GL_X GL_KHR_debug", 2, "glDebugMessageCallback\n", CORE_MARKER},
    {"4.2", "GL_KHR_debug", 0, "", ""},
    {"4.2", "GL_X GL_Y", 4, "", ""},
    {"2.1", "GL_X GL_KHR_debug", 0, "glDebugMessageCallback\n", CORE_MARKER},
    {"2.1", "GL_KHR_debugger XGL_KHR_debug", 0, "", ""},
    {"2.1", NULL, 0, "", ""},
    {"2.1", "GL_GREMEDY_string_marker GL_X", 0, "", "marker 3 glDrawArrays\n"},
    {"OpenGL ES 3.2", NULL, 0, "glDebugMessageCallback\n", CORE_MARKER},
    {"OpenGL ES 3.1", "GL_KHR_debug", 1, "glDebugMessageCallback\n" KHR, CORE_MARKER KHR},
    {"OpenGL ES 3.1", "GL_X", 1, "", ""},
    {"OpenGL ES-CM 1.1", "GL_X", 0, "", ""},
#undef CORE_MARKER
#undef KHR
};
enum { CONTEXT_COUNT = sizeof contexts / sizeof *contexts };

static void reset(const struct debugging *context)
{
    stub_gl_reset(context->version);
    stub_gl.extensions = context->extensions;
    stub_gl.integers[GL_NUM_EXTENSIONS] = context->count;
}

/* Contexts are made for debugging, and all their messages come during the call that they are about. */
static void test_contexts_for_debugging(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CONTEXT_COUNT; ++i) {
        char expected[300] = "context 1: gl 0.0 debug, shares with 0\n"
                             "drawable 2: of context 1, 32 x 32\n"
                             "current: 1, 2, 2\n";
        reset(&contexts[i]);
        stub_gl_replay_all(&debug, "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
                                   "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n" DRAW);
        strcat(expected, contexts[i].messages);
        strcat(expected, "glDrawArrays(0, 1)\n");
        stub_gl.log[stub_gl.log_end] = '\0';
        stub_gl_expect(expected);
        bool receives = contexts[i].messages[0] != '\0';
        assert_int_equal(stub_gl.integers[GL_DEBUG_OUTPUT], receives);
        assert_int_equal(stub_gl.integers[GL_DEBUG_OUTPUT_SYNCHRONOUS], receives);
    }
}

/* What a driver should have, and has not, is not called. One by one, it may not tell its extensions. */
static void test_drivers_without_functions(void **state)
{
    (void)state;
    static const struct {
        const char *version, *extensions, *lacks, *messages, *marker;
    } cases[] = {
        {"4.3", NULL, "glDebugMessageCallback", "", "marker 0x8249, 0x8268, 3, 0x826b: 3 glDrawArrays\n"},
        {"4.3", NULL, "glDebugMessageInsert", "glDebugMessageCallback\n", ""},
        {"OpenGL ES 3.1", "GL_KHR_debug", "glDebugMessageCallbackKHR", "",
         "marker 0x8249, 0x8268, 3, 0x826b: 3 glDrawArrays\nby its KHR name\n"},
        {"OpenGL ES 3.1", "GL_KHR_debug", "glDebugMessageInsertKHR",
         "glDebugMessageCallback\nby its KHR name\n", ""},
        {"2.1", "GL_GREMEDY_string_marker", "glStringMarkerGREMEDY", "", ""},
        {"4.2", "GL_X GL_KHR_debug", "glGetStringi", "glDebugMessageCallback\n",
         "marker 0x8249, 0x8268, 3, 0x826b: 3 glDrawArrays\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct debugging context = {cases[i].version, cases[i].extensions, 1, NULL, NULL};
        char expected[300] = "";
        reset(&context);
        stub_gl.timers.lacks = cases[i].lacks;
        replay_with_markers(DRAW);
        strcat(expected, cases[i].marker);
        strcat(expected, "glDrawArrays(0, 1)\n");
        stub_gl_expect(expected);
        reset(&context);
        stub_gl.timers.lacks = cases[i].lacks;
        stub_gl_replay_all(&debug, "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
                                   "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n" DRAW);
        snprintf(expected, sizeof expected, "current: 1, 2, 2\n%sglDrawArrays(0, 1)", cases[i].messages);
        stub_gl_expect_line(expected);
        assert_int_equal(stub_gl.integers[GL_DEBUG_OUTPUT], cases[i].messages[0] != '\0');
    }
}

/* Messages have the number of the call, and are named as in apitrace. */
static void test_messages(void **state)
{
    (void)state;
    static const struct {
        struct stub_message message;
        const char *printed;
    } cases[] = {
        {{GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_HIGH, 7, -1, "no texture"},
         "4: message: major error 7: no texture\n"},
        {{GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR, GL_DEBUG_SEVERITY_MEDIUM, 8, 3,
          "oldest"},
         "4: message: medium deprecated behaviour 8: old\n"},
        {{GL_DEBUG_SOURCE_WINDOW_SYSTEM, GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR, GL_DEBUG_SEVERITY_LOW, 9, -1,
          "two\nlines\n\n"},
         "4: message: minor undefined behaviour 9: two\nlines\n"},
        {{GL_DEBUG_SOURCE_OTHER, GL_DEBUG_TYPE_PORTABILITY, GL_DEBUG_SEVERITY_NOTIFICATION, 1, -1, "\n"},
         "4: message: note: portability 1: \n"},
        {{GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_PERFORMANCE, GL_DEBUG_SEVERITY_HIGH, 0, 0, "x"},
         "4: message: major performance 0: \n"},
        {{GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_OTHER, GL_DEBUG_SEVERITY_HIGH, 0, 1, "x"},
         "4: message: major other 0: x\n"},
        /* markers, also those of the program, are not the driver's */
        {{GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, GL_DEBUG_SEVERITY_HIGH, 0, -1, "x"}, ""},
        {{GL_DEBUG_SOURCE_THIRD_PARTY, GL_DEBUG_TYPE_MARKER, GL_DEBUG_SEVERITY_HIGH, 0, -1, "x"}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.draw_message = &cases[i].message;
        stub_gl_replay(&debug, "glFlush\n" DRAW);
        assert_string_equal(stub_gl.messages, cases[i].printed);
    }
    stub_gl_reset("4.6"); /* nobody has asked */
    stub_gl.draw_message = &cases[0].message;
    stub_gl_replay(NULL, DRAW);
    assert_string_equal(stub_gl.messages, "");
}

/* Messages also come with -b, between calls that need nothing else. */
static void test_messages_of_fast_calls(void **state)
{
    (void)state;
    static const struct replay_options fast = {.debug = true, .benchmark = true};
    static const struct stub_message message = {
        GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_HIGH, 7, -1, "no texture"};
    stub_gl_reset("4.6");
    stub_gl.draw_message = &message;
    stub_gl_replay(&fast, "glVertex2f x=1.5 y=2\nglVertex2f x=2.5 y=2\nglVertex2f x=3.5 y=2\n" DRAW DRAW);
    assert_string_equal(stub_gl.messages, "6: message: major error 7: no texture\n"
                                          "7: message: major error 7: no texture\n");
}

/* A marker comes before its call. */
static void test_markers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CONTEXT_COUNT; ++i) {
        char expected[300] = "";
        reset(&contexts[i]);
        replay_with_markers(DRAW);
        strcat(expected, contexts[i].marker);
        strcat(expected, "glDrawArrays(0, 1)\n");
        stub_gl_expect(expected);
    }
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, DRAW);
    stub_gl_expect("glDrawArrays(0, 1)\n");
}

/* Between glBegin() and glEnd(), markers would be errors. Without a context, there is nobody to tell. */
static void test_where_markers_are_not_possible(void **state)
{
    (void)state;
#define MARKER(text) "marker 0x8249, 0x8268, " text "\n"
    stub_gl_reset("4.6");
    replay_with_markers("glBegin mode=4\n"
                        "glVertex2f x=1.5 y=2\n"
                        "glEnd\n"
                        "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n" DRAW);
    stub_gl_expect(MARKER("3, 0x826b: 3 glBegin") "glVertex2f(1.5, 2)\n" MARKER(
        "6, 0x826b: 6 glXMakeCurrent") "current: 0, 0, 0\n");
#undef MARKER
}

/* A name that is too long for a marker is cut. */
static void test_long_names(void **state)
{
    (void)state;
    char name[161], expected[300];
    memset(name, 'x', 160);
    name[160] = '\0';
    stub_gl_reset("4.6");
    replay_with_markers(name);
    snprintf(expected, sizeof expected, "marker 0x8249, 0x8268, 3, 0x826b: 3 %.125s\n", name);
    stub_gl_expect(expected);
}

/* With --verbose, each call is printed before it is replayed. */
static void test_verbose(void **state)
{
    static const struct replay_options verbose = {.verbose = true};
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay_printing(&verbose, "glViewport x=0 y=1 width=20 height=30\n@3 glFlush\n");
    assert_string_equal(stub_gl.printed,
                        "0 @0 glXCreateContext(dpy = 0x10, vis = 0x20, shareList = NULL, direct = 1) = 0x30\n"
                        "1 @0 glXMakeCurrent(dpy = 0x10, drawable = 77, ctx = 0x30) = 1\n"
                        "2 @0 glFlush()\n"
                        "3 @0 glViewport(x = 0, y = 1, width = 20, height = 30)\n"
                        "4 @3 glFlush()\n");
    assert_int_equal(stub_gl.rc, 0);
}

/* The line of progress is drawn at the ends of frames. It is there as soon as a frame has ended, and erased
 * at the end. */
static void test_progress(void **state)
{
    (void)state;
    setenv("TRACE_CLI_PROGRESS", "always", 1);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glFlush\nglFlush\n");
    assert_string_equal(stub_gl.messages, "");
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glFlush\nglXSwapBuffers dpy=0x10 drawable=77\nglFlush\n");
    stub_gl_expect_message("\r\33[Kretrace: ");
    stub_gl_expect_message(" 1 frames, ");
    assert_string_equal(strrchr(stub_gl.messages, '\r'), "\r\33[K");
    unsetenv("TRACE_CLI_PROGRESS");
}

/* It is erased before something else is printed: warnings, failures, differences, and what the driver says.
 */
static void test_messages_during_progress(void **state)
{
    (void)state;
#define FRAME "glXSwapBuffers dpy=0x10 drawable=77\n"
    struct replay_options check = {.check = true}; /* differences go where dumps do not */
    static const struct stub_message message = {
        GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_HIGH, 7, -1, "no texture"};
    const struct {
        const struct replay_options *options;
        const char *text, *printed;
    } cases[] = {
        {NULL, "glCreateProgram = 3\n" FRAME "glUseProgram program=3\n",
         "frames/s\r\33[K5: warning: glGetError(glUseProgram)"},
        {NULL, FRAME "glVertex2f x=\"none\" y=1\n", "frames/s\r\33[K4: warning: glVertex2f: "},
        {&check, FRAME "glGetIntegerv pname=2967 params=[9]\n",
         "frames/s\r\33[K4: difference: glGetIntegerv: "},
        {&debug, FRAME DRAW, "frames/s\r\33[K4: message: major error 7: no texture\n"},
    };
#undef FRAME
    assert_int_equal(trace_call_set_parse(&check.dump_calls, "1000"), 0);
    setenv("TRACE_CLI_PROGRESS", "always", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.refused_program = 101;
        stub_gl.draw_message = &message;
        stub_gl_replay(cases[i].options, cases[i].text);
        stub_gl_expect_message(cases[i].printed);
    }
    unsetenv("TRACE_CLI_PROGRESS");
    trace_call_set_fini(&check.dump_calls);
}

/* So is it before the warning that a trace is cut off. */
static void test_progress_of_a_cut_trace(void **state)
{
    (void)state;
    char path[40];
    int fd = memfd_create("calls.trace", MFD_CLOEXEC);
    stub_gl_write_chunks(fd,
                         "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                         "glXSwapBuffers dpy=0x10 drawable=77\n",
                         3);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    setenv("TRACE_CLI_PROGRESS", "always", 1);
    stub_gl_reset("4.6");
    stub_gl_replay_file(NULL, path);
    unsetenv("TRACE_CLI_PROGRESS");
    close(fd);
    stub_gl_expect_message("frames/s\r\33[Kwarning: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verbose),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_messages_during_progress),
        cmocka_unit_test(test_progress_of_a_cut_trace),
        cmocka_unit_test(test_contexts_for_debugging),
        cmocka_unit_test(test_drivers_without_functions),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_messages_of_fast_calls),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_where_markers_are_not_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
