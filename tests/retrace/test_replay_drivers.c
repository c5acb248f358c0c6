/* SPDX-License-Identifier: MIT
 * Tests replays on drivers and window systems of several kinds: contexts that they do not have, what they say
 * of themselves, and windows of one buffer.
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
#include "windows/window_system.h"

#define GLX(attributes)                                                                                      \
    "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 attrib_list=" attributes     \
    " = 0x30\n"
#define BIND "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"

/* --no-context-check: any context is better than none. */
static void test_any_version(void **state)
{
    (void)state;
    static const struct replay_options any = {.no_context_check = true};
    static const struct {
        const char *attributes, *context;
    } cases[] = {
        {GLX("[8337,4,8338,1,8340,2,37158,1,0]"), "context 1: gl 0.0, shares with 0\n"},
        {GLX("[8337,3,8338,1,37158,4,0]"), "context 1: es 2.0, shares with 0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_windows_refuse_versions = true;
        stub_gl_replay_all(&any, cases[i].attributes);
        assert_int_equal(stub_gl.rc, 0);
        stub_gl_expect_message("warning: no such version; trying any version\n");
        assert_ptr_equal(strstr(stub_gl.log, cases[i].context), stub_gl.log);
        stub_gl_reset("4.6");
        stub_windows_refuse_versions = true;
        stub_gl_replay_all(NULL, cases[i].attributes);
        assert_int_equal(stub_gl.rc, TRACE_ERR_IO);
        assert_string_equal(stub_gl.messages, "");
    }
}

/* It shares objects, too. */
static void test_any_version_that_shares(void **state)
{
    (void)state;
    static const struct replay_options any = {.no_context_check = true};
    stub_gl_reset("4.6");
    stub_windows_refuse_versions = true;
    stub_gl_replay_all(&any, "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x40\n"
                             "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x40 direct=1 "
                             "attrib_list=[8337,4,0] = 0x30\n");
    assert_non_null(strstr(stub_gl.log, "context 2: gl 0.0, shares with 1\n"));
}

/* Where there is no window, the user is told who draws; once. */
static void test_what_drivers_are(void **state)
{
    (void)state;
    stub_gl_reset("4.6 of a test");
    strcpy(stub_windows.description, "no windows");
    stub_gl_replay_all(NULL,
                       GLX("[0]") BIND "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x40\n"
                                       "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x40 = 1\n");
    assert_string_equal(stub_gl.messages, "headless: no windows, 4.6 of a test\n");
    setenv("TRACE_CLI_PROGRESS", "always", 1); /* on a line of its own */
    stub_gl_reset("4.6");
    strcpy(stub_windows.description, "no windows");
    stub_gl_replay_all(NULL, "glXSwapBuffers dpy=0x10 drawable=77\n" GLX("[0]") BIND);
    unsetenv("TRACE_CLI_PROGRESS");
    stub_gl_expect_message("frames/s\r\33[Kheadless: no windows, 4.6\n");
    stub_gl_reset(NULL);
    strcpy(stub_windows.description, "no windows");
    stub_gl_replay_all(NULL, GLX("[0]") BIND);
    assert_string_equal(stub_gl.messages, "headless: no windows, unknown driver\n");
    stub_gl_reset("4.6");
    strcpy(stub_windows.description, "windows");
    stub_windows.headless = false;
    stub_gl_replay_all(NULL, GLX("[0]") BIND);
    assert_string_equal(stub_gl.messages, "");
}

/* --driver: anything else is an error. */
static void test_kinds_of_drivers(void **state)
{
    (void)state;
    static const struct {
        const char *renderer;
        enum driver_kind kind;
        const char *error;
    } cases[] = {
        {"1.0 llvmpipe", DRIVER_ANY, NULL},
        {"1.0 llvmpipe", DRIVER_SOFTWARE, NULL},
        {"1.0 of a GPU", DRIVER_HARDWARE, NULL},
        {"1.0 llvmpipe", DRIVER_HARDWARE, "--driver: this is not a GPU: 1.0 llvmpipe"},
        {"1.0 of a GPU", DRIVER_SOFTWARE, "--driver: this is not a renderer in software: 1.0 of a GPU"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset(cases[i].renderer);
        stub_windows.settings.driver = cases[i].kind;
        stub_gl_replay_all(NULL, GLX("[0]") BIND "glDrawArrays mode=4 first=0 count=1\n");
        assert_int_equal(stub_gl.rc, cases[i].error != NULL ? TRACE_ERR_IO : 0);
        assert_int_equal(strstr(stub_gl.log, "glDrawArrays") != NULL, cases[i].error == NULL);
        if (cases[i].error != NULL)
            assert_non_null(strstr(trace_error_message(), cases[i].error));
    }
}

/* Windows of EGL have a back buffer, to which a program that has none must not draw. It is the context's
 * state, and the first window's. */
static void test_single_buffers(void **state)
{
    (void)state;
    static const struct replay_options single = {.single_buffered = true};
    static const char selects[] = "glDrawBuffer(0x404)\nglReadBuffer(0x404)\n";
    static const struct {
        const struct replay_options *options;
        const char *version;
        bool headless, is_glx, selects;
    } cases[] = {
        {&single, "4.6", false, false, true},
        {NULL, "4.6", false, false, false},
        {&single, "OpenGL ES 3.0", false, false, false},
        {&single, "4.6", true, false, false},
        {&single, "4.6", false, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset(cases[i].version);
        stub_windows.headless = cases[i].headless;
        stub_gl.is_glx = cases[i].is_glx;
        stub_gl_replay(cases[i].options, "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n");
        bool is_selected = strncmp(stub_gl.log, selects, sizeof selects - 1) == 0;
        assert_int_equal(is_selected, cases[i].selects);
        stub_gl_expect_line("current: 1, 3, 3");
        assert_true(is_selected || strstr(stub_gl.log, "Buffer") == NULL);
    }
    stub_gl_reset("4.6"); /* a pbuffer has what it has */
    stub_windows.headless = false;
    stub_gl_replay_all(
        &single, GLX("[0]") "glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,6,32832,7,0] = 145\n"
                            "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x30 = 1\n");
    stub_gl_expect_no_line("Buffer");
    /* A window of EGL is as it is in the trace, unless an option says what it has. */
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_windows.headless = false;
        stub_gl_replay_all(
            i ? &single : NULL,
            "eglBindAPI api=12450 = 1\n"
            "eglCreateContext dpy=0x10 config=0x20 share_context=0x0 attrib_list=[12344] = 0x30\n"
            "eglCreateWindowSurface dpy=0x10 config=0x20 win=5 attrib_list=[12422,12421,12344] = 0x70\n"
            "eglMakeCurrent dpy=0x10 draw=0x70 read=0x70 ctx=0x30 = 1\n");
        assert_int_equal(strstr(stub_gl.log, selects) != NULL, i == 1);
        assert_int_equal(stub_gl.rc, 0);
    }
    static const char *const functions[] = {"glDrawBuffer", "glReadBuffer"};
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_windows.headless = false;
        stub_gl.timers.lacks = functions[i];
        stub_gl_replay_all(&single, GLX("[0]") BIND);
        assert_int_equal(stub_gl.rc, 0);
        stub_gl_expect_no_line("Buffer(");
    }
    stub_gl_reset("4.6"); /* nor is there a drawable without one */
    stub_windows.headless = false;
    stub_gl_replay_all(&single, GLX("[0]") "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x30 = 1\n");
    stub_gl_expect_no_line("Buffer");
}

/* The driver lacks what the replayer cannot do without. */
static void test_poor_drivers(void **state)
{
    (void)state;
    static const char *const lacks[] = {"glGetIntegerv", "glGetError", "glGetString"};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        stub_gl_reset("4.6");
        stub_gl.timers.lacks = lacks[i];
        stub_gl_replay_all(NULL, GLX("[0]") BIND);
        assert_int_equal(stub_gl.failures, 1);
        stub_gl_expect_message("the driver lacks glGetIntegerv, glGetError or glGetString");
        stub_gl_reset("4.6"); /* what is called then does not reach it, and each binding is tried */
        stub_gl.timers.lacks = lacks[i];
        stub_gl_replay_all(NULL, GLX("[0]") BIND BIND "glDrawArrays mode=4 first=0 count=1\n" BIND);
        assert_int_equal(stub_gl.failures, 4);
        stub_gl_expect("context 1: gl 1.0, shares with 0\ndrawable 2: of context 1, 32 x 32\n"
                       "current: 1, 2, 2\ncurrent: 1, 2, 2\ncurrent: 1, 2, 2\n"
                       "context 1 ends\ndrawable 2 ends\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_version),      cmocka_unit_test(test_any_version_that_shares),
        cmocka_unit_test(test_what_drivers_are), cmocka_unit_test(test_kinds_of_drivers),
        cmocka_unit_test(test_single_buffers),   cmocka_unit_test(test_poor_drivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
