/* SPDX-License-Identifier: MIT
 * Tests replays of contexts and drawables: what is created, bound and freed, for which thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

/* A context is made current again if any part of the binding differs. Otherwise nothing is called. */
static void test_bindings(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                         "glXMakeContextCurrent dpy=0x10 draw=77 read=78 ctx=0x30 = 1\n"
                         "glXMakeContextCurrent dpy=0x10 draw=78 read=78 ctx=0x30 = 1\n"
                         "glXMakeContextCurrent dpy=0x10 draw=77 read=78 ctx=0x30 = 1\n"
                         "glXMakeCurrent dpy=0x10 drawable=79 ctx=0x30 = 0\n"
                         "glXMakeContextCurrent dpy=0x10 draw=79 read=79 ctx=0x30 = 0\n"
                         "glXSwapBuffers dpy=0x10 drawable=78\n");
    stub_gl_expect("drawable 3: of context 1, 32 x 32\n"
                   "current: 1, 3, 3\n"
                   "current: 1, 2, 2\n"
                   "current: 1, 2, 3\n"
                   "current: 1, 3, 3\n"
                   "current: 1, 2, 3\n"
                   "swap 3\n");
}

/* An option makes bindings that failed in the trace. */
static void test_bindings_that_failed(void **state)
{
    (void)state;
    static const struct replay_options ignores = {.ignore_results = true};
    static const char *const calls[] = {"glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 0\n",
                                        "glXMakeContextCurrent dpy=0x10 draw=78 read=78 ctx=0x30 = 0\n",
                                        "eglMakeCurrent dpy=0x10 draw=0x4e read=0x4e ctx=0x30 = 0\n"};
    for (size_t i = 0; i < 2 * sizeof calls / sizeof *calls; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(i % 2 ? &ignores : NULL, calls[i / 2]);
        stub_gl_expect(i % 2 ? "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n" : "");
    }
}

/* A destroyed context lives on while a thread has it current, and so does a drawable. */
static void test_destroyed_while_bound(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glXDestroyContext dpy=0x10 ctx=0x30\n"
                         "glXDestroyWindow dpy=0x10 window=77\n"
                         "glDrawArrays mode=4 first=0 count=1\n"
                         "glXSwapBuffers dpy=0x10 drawable=77\n"
                         "glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x30\n"
                         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n");
    stub_gl_expect("glDrawArrays(0, 1)\n"
                   "context 3: gl 0.0, shares with 0\n"
                   "drawable 4: of context 3, 32 x 32\n"
                   "current: 3, 4, 4\n"
                   "context 1 ends\n"
                   "drawable 2 ends\n");
}

/* Which context the replayer creates for GLX and EGL attributes. */
static void test_configurations(void **state)
{
    (void)state;
    static const struct replay_options core = {.core = true}, single = {.single_buffered = true};
#define GLX(attributes)                                                                                      \
    "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 attrib_list=" attributes     \
    " = 0x30\n"
#define EGL(attributes)                                                                                      \
    "eglCreateContext dpy=0x10 config=0x20 share_context=0x0 attrib_list=" attributes " = 0x30\n"
#define DESKTOP "eglBindAPI api=12450 = 1\n"
    static const struct {
        const struct replay_options *options;
        const char *calls, *line;
    } cases[] = {
        {NULL, "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n", "gl 0.0"},
        {NULL, GLX("[8337,4,8338,1,0]"), "gl 4.1 core"},
        {NULL, GLX("[8337,3,8338,2,37158,2,0]"), "gl 3.2 compatibility"},
        {NULL, GLX("[8337,3,8338,1,37158,1,0]"), "gl 3.1"},
        {NULL, GLX("[8340,3,0]"), "gl 1.0 debug forward"},
        {NULL, GLX("[8337,2,37158,4,0]"), "es 2.0"},
        {&core, GLX("[0]"), "gl 3.2 core"},
        {&core, GLX("[8337,4,8338,0,37158,2,0]"), "gl 4.0 compatibility"},
        {&core, GLX("[8337,2,37158,4,0]"), "es 2.0"},
        {&single, GLX("[0]"), "gl 1.0 single"},
        {NULL, EGL("[12440,2,12344]"), "es 2.0"},
        {NULL, EGL("[12440,3,12539,2,12344]"), "es 3.2"},
        {NULL, DESKTOP EGL("[12440,3,12539,3,12344]"), "gl 3.3 core"},
        {NULL, DESKTOP EGL("[12440,3,12539,3,12541,2,12344]"), "gl 3.3 compatibility"},
        {NULL, DESKTOP EGL("[12440,3,12539,1,12344]"), "gl 3.1"},
        {NULL, DESKTOP EGL("[12440,4,12539,6,12541,1,12720,1,12721,1,12344]"), "gl 4.6 core debug forward"},
        {NULL, "eglBindAPI api=12450 = 0\n" EGL("[12440,2,12344]"), "es 2.0"},
        {&single, EGL("[12440,2,12344]"), "es 2.0 single"},
        {NULL, GLX("[8340,4,33366,33362,0]"), "gl 1.0 robust lose"},
        {NULL, GLX("[8340,4,33366,33377,0]"), "gl 1.0 robust"},
        {NULL, GLX("[12723,1,0]"), "gl 1.0 no-error"},
        {NULL, GLX("[8343,0,0]"), "gl 1.0 no-flush"},
        {NULL, GLX("[8343,8344,0]"), "gl 1.0"},
        {NULL, EGL("[12440,2,8343,0,12344]"), "es 2.0 no-flush"},
        {NULL, EGL("[12440,2,12479,1,12600,12735,12344]"), "es 2.0 robust lose"},
        {NULL, DESKTOP EGL("[12540,4,12733,12735,12344]"), "gl 1.0 robust lose"},
        {NULL, EGL("[12440,2,12723,1,12344]"), "es 2.0 no-error"},
        {NULL, DESKTOP EGL("[12540,1,12344]"), "gl 1.0 debug"},
        {NULL, DESKTOP EGL("[12540,2,12344]"), "gl 1.0 forward"},
        {NULL, DESKTOP EGL("[12722,1,12344]"), "gl 1.0 robust"},
        {&core, DESKTOP EGL("[12344]"), "gl 3.2 core"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char expected[200];
        snprintf(expected, sizeof expected, "context 1: %s, shares with 0\ncontext 1 ends\n", cases[i].line);
        stub_gl_reset("4.6");
        stub_gl_replay_all(cases[i].options, cases[i].calls);
        stub_gl_expect(expected);
    }
#undef GLX
#undef EGL
#undef DESKTOP
}

/* What only matters when something goes wrong is omitted if the driver does not support it. */
static void test_relaxed_configurations(void **state)
{
    (void)state;
    static const char *const attributes[] = {
        "12723,1,8340,1",     /* no errors, for debugging */
        "8340,5",             /* robust */
        "33366,33362,8340,1", /* lost on a reset */
        "8343,0,8340,1",      /* released without a flush */
        "12723,1,8340,5,33366,33362,8343,0",
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i) {
        char calls[300];
        snprintf(calls, sizeof calls,
                 "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 "
                 "attrib_list=[%s,0] = 0x30\n",
                 attributes[i]);
        stub_gl_reset("4.6");
        stub_windows_refuse_extras = true;
        stub_gl_replay_all(NULL, calls);
        stub_gl_expect("context 1: gl 1.0 debug, shares with 0\ncontext 1 ends\n");
        assert_int_equal(stub_gl.failures, 0);
    }
}

/* The first viewport of a context, which the tracer adds, has the size of the window. Later ones make it
 * larger. At the beginning of a frame, they can also make it smaller, but not once a part of it was drawn to.
 */
static void test_sizes_of_windows(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "~glViewport x=0 y=0 width=300 height=20\n"
                         "glViewport x=0 y=0 width=200 height=10\n" /* before the first swap */
                         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                         "glViewport x=0 y=0 width=300 height=200\n"
                         "glClear mask=16384\n"
                         "glXSwapBuffers dpy=0x10 drawable=78\n"
                         "glViewport x=0 y=0 width=300 height=200\n"
                         "glXSwapBuffers dpy=0x10 drawable=78\n"
                         "glViewport x=0 y=0 width=100 height=200\n"
                         "glDrawArrays mode=4 first=0 count=1\n"
                         "glXSwapBuffers dpy=0x10 drawable=78\n"
                         "glDrawArrays mode=4 first=0 count=1\n"
                         "glViewport x=0 y=0 width=50 height=50\n" /* too late in the frame */
                         "glXSwapBuffers dpy=0x10 drawable=78\n"
                         "glViewport x=0 y=0 width=50 height=50\n"
                         "glXQueryDrawable dpy=0x10 draw=78 attribute=32797 value=[64]\n"
                         "glXQueryDrawable dpy=0x10 draw=78 attribute=32800 value=[9]\n"
                         "eglQuerySurface dpy=0x10 surface=0x4e attribute=12374 value=[48] = 1\n"
                         "eglQuerySurface dpy=0x10 surface=0x4e attribute=12374 value=[47] = 0\n");
    stub_gl_expect("resize 2: 300 x 20\n"
                   "glViewport(0, 0, 300, 20)\n"
                   "glViewport(0, 0, 200, 10)\n"
                   "drawable 3: of context 1, 200 x 10\n"
                   "current: 1, 3, 3\n"
                   "resize 3: 300 x 200\n"
                   "glViewport(0, 0, 300, 200)\n"
                   "swap 3\n"
                   "glViewport(0, 0, 300, 200)\n"
                   "swap 3\n"
                   "resize 3: 100 x 200\n"
                   "glViewport(0, 0, 100, 200)\n"
                   "glDrawArrays(0, 1)\n"
                   "swap 3\n"
                   "glDrawArrays(0, 1)\n"
                   "glViewport(0, 0, 50, 50)\n"
                   "swap 3\n"
                   "glViewport(0, 0, 50, 50)\n"
                   "resize 3: 64 x 200\n"
                   "resize 3: 64 x 48\n");
}

/* Another window of the same context has the size of the viewport, until the program sets one for it. */
static void test_size_of_another_window(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glViewport x=0 y=0 width=300 height=200\n"
                         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                         "glViewport x=0 y=0 width=100 height=50\n"
                         "glXMakeCurrent dpy=0x10 drawable=79 ctx=0x30 = 1\n");
    stub_gl_expect("resize 2: 300 x 200\n"
                   "glViewport(0, 0, 300, 200)\n"
                   "drawable 3: of context 1, 300 x 200\n"
                   "current: 1, 3, 3\n"
                   "resize 3: 100 x 50\n"
                   "glViewport(0, 0, 100, 50)\n"
                   "drawable 4: of context 1, 100 x 50\n"
                   "current: 1, 4, 4\n");
}

/* A smaller viewport at the beginning of a frame is a part of the window if a larger one follows, also in
 * later frames: the window stays as it is. */
static void test_parts_of_windows(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glViewport x=0 y=0 width=300 height=200\n"
                         "glXSwapBuffers dpy=0x10 drawable=77\n"
                         "glViewport x=0 y=0 width=100 height=100\n"
                         "glViewport x=100 y=100 width=200 height=100\n"
                         "glXSwapBuffers dpy=0x10 drawable=77\n"
                         "glViewport x=0 y=0 width=100 height=100\n");
    stub_gl_expect("resize 2: 300 x 200\n"
                   "glViewport(0, 0, 300, 200)\n"
                   "swap 2\n"
                   "glViewport(0, 0, 100, 100)\n"
                   "glViewport(100, 100, 200, 100)\n"
                   "swap 2\n"
                   "glViewport(0, 0, 100, 100)\n");
}

/* Pbuffers keep the size that they were created with. */
static void test_sizes_of_pbuffers(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(
        NULL, "glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,40,32832,30,0] = 90\n"
              "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,50,12374,60,12344] = 0x91\n"
              "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n"
              "glViewport x=0 y=0 width=300 height=200\n"
              "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x30 = 1\n"
              "~glViewport x=0 y=0 width=300 height=200\n");
    stub_gl_expect("drawable 3: of context 1, 40 x 30\n"
                   "current: 1, 3, 3\n"
                   "glViewport(0, 0, 300, 200)\n"
                   "drawable 4: of context 1, 50 x 60\n"
                   "current: 1, 4, 4\n"
                   "glViewport(0, 0, 300, 200)\n");
}

/* Names belong to the share group, but those of containers to the context. */
static void test_sharing(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenTextures n=1 textures=[1]\n"
                         "glGenVertexArrays n=1 arrays=[1]\n"
                         "glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x40\n"
                         "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x50\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x40 = 1\n"
                         "glBindTexture target=3553 texture=1\n"
                         "glBindVertexArray array=1\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x50 = 1\n"
                         "glBindTexture target=3553 texture=1\n");
    stub_gl_expect("context 3: gl 0.0, shares with 1\n"
                   "context 4: gl 0.0, shares with 0\n"
                   "current: 3, 2, 2\n"
                   "glBindTexture(0xde1, 101)\n"
                   "glBindVertexArray(1)\n"
                   "current: 4, 2, 2\n"
                   "glBindTexture(0xde1, 1)\n");
}

/* Without a context, the driver is not called: by no handler, and not for an error. Calls after the program
 * has released its context are not failures, because they had no effect in the program either. */
static void test_calls_without_a_context(void **state)
{
    (void)state;
#define CALLS                                                                                                \
    "glShaderSource shader=1 count=1 string=[\"void\"] length=0x0\n"                                         \
    "glObjectLabel identifier=33505 name=1 length=1 label=\"x\"\n"                                           \
    "glBegin mode=4\n"                                                                                       \
    "glEnd\n"                                                                                                \
    "glVertexPointer size=2 type=5126 stride=0 pointer=#00000000\n"                                          \
    "glInterleavedArrays format=10784 stride=0 pointer=0x5000\n"                                             \
    "glSelectBuffer size=1 buffer=0x5000\n"                                                                  \
    "glMapBufferRange target=34962 offset=0 length=16 access=2 = 0x5000\n"                                   \
    "glClientWaitSync sync=0x900 flags=0 timeout=5 = 37146\n"                                                \
    "glEGLImageTargetTexture2DOES target=3553 image=0x5000\n"                                                \
    "glGetTexImage target=3553 level=0 format=6408 type=5121 pixels=#00\n"                                   \
    "glViewport x=0 y=0 width=100 height=100\n"                                                              \
    "glDeleteTextures n=1 textures=[1]\n"
    stub_gl_reset("4.6");
    stub_gl_replay_all(NULL, CALLS);
    stub_gl_expect("");
    assert_int_equal(stub_gl.failures, 13);
    stub_gl_expect_message("glShaderSource: no context is current");

    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n" CALLS);
    stub_gl_expect("current: 0, 0, 0\n");
    assert_int_equal(stub_gl.failures, 0);
#undef CALLS
}

/* What one context has drawn is flushed before another one is used, unless the program wanted it otherwise.
 */
static void test_release_behaviour(void **state)
{
    (void)state;
    static const char calls[] = "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x40 = 1\n"
                                "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n";
    static const struct {
        const char *attribs, *log;
    } cases[] = {
        {"[8343,8344,0]", "glFlush()\ncurrent: 3, 2, 2\nglFlush()\ncurrent: 1, 2, 2\n"},
        {"[8343,0,0]", "glFlush()\ncurrent: 3, 2, 2\ncurrent: 1, 2, 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[300];
        snprintf(
            text, sizeof text,
            "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 attrib_list=%s = "
            "0x40\n%s",
            cases[i].attribs, calls);
        stub_gl_reset("4.6");
        stub_gl.logs_flushes = true;
        stub_gl_replay(NULL, text);
        const char *bound = strstr(stub_gl.log, "glFlush()\ncurrent: 3");
        assert_non_null(bound);
        assert_string_equal(bound, cases[i].log);
    }
}

/* A driver that cannot flush is not made to when another context becomes current. */
static void test_driver_without_flushes(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glFlush";
    stub_gl_replay(NULL, "glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x40\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x40 = 1\n");
    stub_gl_expect("context 3: gl 0.0, shares with 1\ncurrent: 3, 2, 2\n");
}

/* Calls on a missing context do not reach the context that was current before. */
static void test_missing_context(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x99 = 1\n"
                         "glDrawArrays mode=4 first=0 count=1\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                         "glDrawArrays mode=4 first=0 count=2\n");
    stub_gl_expect("current: 0, 0, 0\n"
                   "current: 1, 2, 2\n"
                   "glDrawArrays(0, 2)\n");
    stub_gl_expect_message("context 0x99 was never created");
    assert_int_equal(stub_gl.failures, 2);
}

/* The handle of a destroyed context is valid while a thread has it current. */
static void test_destroyed_and_bound_again(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glXDestroyContext dpy=0x10 ctx=0x30\n"
                         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                         "glDrawArrays mode=4 first=0 count=1\n"
                         "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n");
    stub_gl_expect("drawable 3: of context 1, 32 x 32\n"
                   "current: 1, 3, 3\n"
                   "glDrawArrays(0, 1)\n"
                   "current: 0, 0, 0\n"
                   "context 1 ends\n"
                   "current: 0, 0, 0\n");
    assert_int_equal(stub_gl.failures, 1);
}

/* A thread that EGL has released begins anew: without a context, and with the API that is the default. */
static void test_released_threads(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   "eglBindAPI api=12450 = 1\n"
                   "eglReleaseThread = 1\n"
                   "glDrawArrays mode=4 first=0 count=1\n"
                   "eglCreateContext dpy=0x10 config=0x20 share_context=0x0 attrib_list=[12344] = 0x50\n"
                   "eglMakeCurrent dpy=0x10 draw=0x4d read=0x4e ctx=0x50 = 1\n"
                   "eglMakeCurrent dpy=0x10 draw=0x0 read=0x0 ctx=0x0 = 0\n"
                   "eglDestroyContext dpy=0x10 ctx=0x50 = 1\n");
    stub_gl_expect("current: 0, 0, 0\n"
                   "context 3: es 1.0, shares with 0\n"
                   "drawable 4: of context 3, 32 x 32\n"
                   "current: 3, 2, 4\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* Contexts of EGL share what others have made, too, and end with the call. */
static void test_contexts_of_egl(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   "eglCreateContext dpy=0x10 config=0x20 share_context=0x30 attrib_list=[12344] = 0x50\n"
                   "eglDestroyContext dpy=0x10 ctx=0x50 = 1\n"
                   "glDrawArrays mode=4 first=0 count=1\n"
                   "eglCreateContext dpy=0x10 config=0x20 share_context=0x50 attrib_list=[12344] = 0x51\n"
                   "glDrawArrays mode=4 first=0 count=1\n");
    stub_gl_expect("context 3: es 1.0, shares with 1\n"
                   "context 3 ends\n"
                   "glDrawArrays(0, 1)\n"
                   "context 4: es 1.0, shares with 0\n"
                   "glDrawArrays(0, 1)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_destroyed_while_bound),
        cmocka_unit_test(test_configurations),
        cmocka_unit_test(test_relaxed_configurations),
        cmocka_unit_test(test_sizes_of_windows),
        cmocka_unit_test(test_size_of_another_window),
        cmocka_unit_test(test_parts_of_windows),
        cmocka_unit_test(test_sizes_of_pbuffers),
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_calls_without_a_context),
        cmocka_unit_test(test_bindings_that_failed),
        cmocka_unit_test(test_driver_without_flushes),
        cmocka_unit_test(test_release_behaviour),
        cmocka_unit_test(test_missing_context),
        cmocka_unit_test(test_released_threads),
        cmocka_unit_test(test_contexts_of_egl),
        cmocka_unit_test(test_destroyed_and_bound_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
