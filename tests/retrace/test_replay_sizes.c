/* SPDX-License-Identifier: MIT
 * Tests how large drawables become: by viewports of all kinds, by what the program was told, and by limits of
 * window systems; and what happens to drawables that were never bound, or whose handle is used again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

struct size_case {
    const char *call, *log;
};

static void check(const struct size_case *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        stub_gl_reset("2.1"); /* which cannot keep what is drawn to windows */
        stub_gl_replay(NULL, cases[i].call);
        stub_gl_expect(cases[i].log);
    }
}

/* Each viewport of an array counts, if it is complete and of a size that windows can have. */
static void test_arrays_of_viewports(void **state)
{
    (void)state;
#define ARRAY "glViewportArrayv first=0 count=2 v="
    static const struct size_case cases[] = {
        {ARRAY "[0.0,0.0,40.0,50.0,10.0,20.0,60.0,70.0]\n",
         "resize 2: 40 x 50\nresize 2: 70 x 90\nglViewportArrayv(2)\n"},
        {ARRAY "[0.0,0.0,40.4,50.6]\n", "resize 2: 40 x 51\nglViewportArrayv(2)\n"},
        {ARRAY "[0.0,0.0,40.0,50.0,10.0,20.0,60.0]\n", "resize 2: 40 x 50\nglViewportArrayv(2)\n"},
        {ARRAY "[0.0,0.0,40.0]\n", "glViewportArrayv(2)\n"},
        {ARRAY "[0.0,0.0,65536.0,50.0]\n", "glViewportArrayv(2)\n"},
        {ARRAY "[-65536.0,0.0,60.0,50.0]\n", "glViewportArrayv(2)\n"},
        {ARRAY "[0.0,0.0,65535.0,50.0]\n", "resize 2: 16384 x 50\nglViewportArrayv(2)\n"},
        {ARRAY "[0.0,0.0,0.0,50.0]\n", "glViewportArrayv(2)\n"},
        {"glViewportIndexedfv index=1 v=[1.0,2.0,40.0]\n", "glViewportIndexedfv(1)\n"},
        {"glViewportIndexedfv index=1 v=[1.0,2.0,40.0,50.0]\n",
         "resize 2: 41 x 52\nglViewportIndexedfv(1)\n"},
        {"glViewportIndexedf index=1 x=10.0 y=20.0 w=40.0 h=50.0\n",
         "resize 2: 50 x 70\nglViewportIndexedf(1)\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
#undef ARRAY
}

/* A driver does not see the new size of a window without a back buffer before it flushes something. */
static void test_single_buffered(void **state)
{
    (void)state;
    static const struct replay_options options = {.single_buffered = true};
    for (int single = 0; single < 2; ++single) {
        stub_gl_reset("4.6");
        stub_gl.logs_flushes = true;
        stub_gl_replay(single ? &options : NULL, "glViewport x=0 y=0 width=50 height=50\n"
                                                 "glClear mask=16384\n"
                                                 "glViewport x=0 y=0 width=50 height=50\n");
        stub_gl_expect_line(single ? "resize 2: 50 x 50\nglClear(0x0)\nglFlush()\nglViewport(0, 0, 50, 50)\n"
                                     "glClear(0x4000)\nglViewport(0, 0, 50, 50)"
                                   : "resize 2: 50 x 50\nglViewport(0, 0, 50, 50)\nglClear(0x4000)");
    }
}

/* Nothing is flushed where that is not possible, or for another window. */
static void test_single_buffered_without_flushes(void **state)
{
    (void)state;
    static const struct replay_options options = {.single_buffered = true};
#define TOLD "glXQueryDrawable dpy=0x10 draw=77 attribute=32797 value=[50]\n"
    static const struct size_case cases[] = {
        {"glBegin mode=4\n" TOLD "glEnd\n", "resize 2: 50 x 32\n"},
        {"glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n" TOLD,
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\nresize 2: 50 x 32\n"},
        {"glXMakeContextCurrent dpy=0x10 draw=0 read=0 ctx=0x0 = 1\n" TOLD,
         "glFlush()\ncurrent: 0, 0, 0\nresize 2: 50 x 32\n"},
    };
#undef TOLD
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("2.1");
        stub_gl.logs_flushes = true;
        stub_gl_replay(&options, cases[i].call);
        assert_memory_equal(stub_gl.log, "glFlush()\n", 10); /* of the first calls */
        memmove(stub_gl.log, stub_gl.log + 10, strlen(stub_gl.log + 10) + 1);
        stub_gl_expect(cases[i].log);
    }
    stub_gl_reset("2.1");
    stub_gl.timers.lacks = "glClear";
    stub_gl_replay(&options, "glViewport x=0 y=0 width=50 height=50\n");
    stub_gl_expect("resize 2: 50 x 50\nglViewport(0, 0, 50, 50)\n");
}

/* Sizes beyond the limit are cut, wherever they come from. */
static void test_limits(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {"glViewport x=0 y=0 width=16384 height=16385\n",
         "resize 2: 16384 x 16384\nglViewport(0, 0, 16384, 16385)\n"},
        /* another window has the size of the viewport */
        {"glViewport x=0 y=0 width=20000 height=20001\n"
         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n",
         "resize 2: 16384 x 16384\nglViewport(0, 0, 20000, 20001)\ndrawable 3: of context 1, 16384 x 16384\n"
         "current: 1, 3, 3\n"},
        {"glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,16384,32832,16384,0] = 90\n"
         "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 16384 x 16384\ncurrent: 1, 3, 3\n"},
        {"glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,16385,32832,5,0] = 90\n"
         "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,5,32832,16385,0] = 90\n"
         "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"glXCreateGLXPbufferSGIX dpy=0x10 config=0x20 width=7 height=9 attrib_list=0x0 = 90\n"
         "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 7 x 9\ncurrent: 1, 3, 3\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* A viewport that was not at the corner, or is that of a framebuffer object, tells nothing about a window. */
static void test_viewports_that_do_not_count(void **state)
{
    (void)state;
    static const char calls[] = "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n";
    static const struct {
        GLint viewport[4], framebuffer;
        const char *version, *size;
    } cases[] = {
        {{0, 0, 70, 80}, 0, "4.6", "70 x 80"},
        {{1, 0, 70, 80}, 0, "4.6", "32 x 32"},
        {{0, 1, 70, 80}, 0, "4.6", "32 x 32"},
        {{0, 0, 0, 80}, 0, "4.6", "32 x 32"},
        {{0, 0, 70, 0}, 0, "4.6", "32 x 32"},
        {{0, 0, 70, 80}, 5, "4.6", "32 x 32"},
        {{0, 0, 70, 80}, 5, "3.0", "32 x 32"},
        {{0, 0, 70, 80}, 5, "2.1", "32 x 32"}, /* by an extension */
        {{0, 0, 70, 80}, 5, "OpenGL ES-CM 1.1", "32 x 32"},
        {{0, 0, 70, 80}, 5, "OpenGL ES 2.0", "32 x 32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char expected[100];
        stub_gl_reset(cases[i].version);
        for (int k = 0; k < 4; ++k)
            stub_gl.viewport[k] = cases[i].viewport[k];
        stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = cases[i].framebuffer;
        stub_gl_replay(NULL, calls);
        snprintf(expected, sizeof expected, "drawable 3: of context 1, %s\ncurrent: 1, 3, 3\n",
                 cases[i].size);
        stub_gl_expect(expected);
    }
}

/* Between glBegin() and glEnd(), a viewport is an error. */
static void test_viewports_inside_begin(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {"glBegin mode=0\nglViewport x=0 y=0 width=70 height=80\nglEnd\n", "glViewport(0, 0, 70, 80)\n"},
        {"glBegin mode=0\nglViewportIndexedf index=0 x=0 y=0 w=70 h=80\nglEnd\n", "glViewportIndexedf(0)\n"},
        /* nor can the driver be asked for it */
        {"glBegin mode=0\nglViewport x=0 y=0 width=70 height=80\n"
         "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\nglEnd\n",
         "glViewport(0, 0, 70, 80)\ndrawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* What has no window, and what has a size of its own, does not grow. */
static void test_viewports_without_windows(void **state)
{
    (void)state;
#define NO_WINDOW "glXMakeContextCurrent dpy=0x10 draw=0 read=0 ctx=0x30 = 1\n"
#define PBUFFER                                                                                              \
    "glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,7,32832,9,0] = 90\n"                           \
    "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n"
#define PBUFFER_LOG "drawable 3: of context 1, 7 x 9\ncurrent: 1, 3, 3\n"
#define INDEXED     "glViewportIndexedf index=0 x=0 y=0 w=70 h=80\n"
    static const struct size_case cases[] = {
        {NO_WINDOW "glViewport x=0 y=0 width=70 height=80\n", "current: 1, 0, 0\nglViewport(0, 0, 70, 80)\n"},
        {NO_WINDOW INDEXED, "current: 1, 0, 0\nglViewportIndexedf(0)\n"},
        {NO_WINDOW "glClear mask=16384\n", "current: 1, 0, 0\n"},
        {PBUFFER INDEXED, PBUFFER_LOG "glViewportIndexedf(0)\n"},
        {PBUFFER "glClear mask=16384\nglViewport x=0 y=0 width=70 height=80\n",
         PBUFFER_LOG "glViewport(0, 0, 70, 80)\n"},
        /* the window has gone while the list was made */
        {"glNewList list=1 mode=4864\nglXQueryDrawable dpy=0x10 draw=77 attribute=32797 "
         "value=[50]\n" NO_WINDOW "glEndList\n",
         "current: 1, 0, 0\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
#undef NO_WINDOW
#undef PBUFFER
#undef PBUFFER_LOG
#undef INDEXED
}

/* One side may be larger, and the other one smaller. A viewport without a side is none. */
static void test_sides_of_viewports(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {"glViewport x=0 y=0 width=20 height=50\n", "resize 2: 32 x 50\nglViewport(0, 0, 20, 50)\n"},
        {"glViewport x=0 y=0 width=50 height=20\n", "resize 2: 50 x 32\nglViewport(0, 0, 50, 20)\n"},
        {"glViewport x=0 y=0 width=50 height=0\n", "glViewport(0, 0, 50, 0)\n"},
        {"glViewport x=0 y=0 width=0 height=50\n", "glViewport(0, 0, 0, 50)\n"},
        /* the first one of a context counts as any other if it is not at the corner */
        {"~glViewport x=5 y=0 width=20 height=60\n", "resize 2: 32 x 60\nglViewport(5, 0, 20, 60)\n"},
        {"~glViewport x=0 y=5 width=60 height=20\n", "resize 2: 60 x 32\nglViewport(0, 5, 60, 20)\n"},
        {"glNewList list=1 mode=4864\nglViewportIndexedf index=0 x=0 y=0 w=70 h=80\nglEndList\n",
         "glViewportIndexedf(0)\nresize 2: 70 x 80\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* A driver without framebuffer objects is asked for them once. */
static void test_no_framebuffer_objects(void **state)
{
    (void)state;
    stub_gl_reset("1.4");
    stub_gl.unknown_pname = GL_DRAW_FRAMEBUFFER_BINDING;
    stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = 5;
    stub_gl_replay(NULL, "glViewport x=0 y=0 width=40 height=50\n"
                         "glViewport x=0 y=0 width=60 height=50\n");
    stub_gl_expect("resize 2: 40 x 50\nglViewport(0, 0, 40, 50)\n"
                   "resize 2: 60 x 50\nglViewport(0, 0, 60, 50)\n");
}

/* What the program was told is the size, unless it is that of a pbuffer, or no size. */
static void test_told_sizes(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {"glXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[50]\n", "resize 2: 32 x 50\n"},
        {"glXQueryDrawable dpy=0x10 draw=77 attribute=32797 value=[0]\n", ""},
        {"glXQueryDrawable dpy=0x10 draw=77 attribute=32797 value=[]\n", ""},
        {"glXQueryDrawable dpy=0x10 draw=77 attribute=32795 value=[50]\n", ""},
        {"glXQueryDrawable dpy=0x10 draw=99 attribute=32797 value=[50]\n", ""},
        {"eglQuerySurface dpy=0x10 surface=0x4d attribute=12375 value=[50] = 1\n", "resize 2: 50 x 32\n"},
        {"eglQuerySurface dpy=0x10 surface=0x4d attribute=12376 value=[50] = 1\n", ""},
        {"glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,7,32832,9,0] = 90\n"
         "glXQueryDrawable dpy=0x10 draw=90 attribute=32797 value=[50]\n"
         "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 7 x 9\ncurrent: 1, 3, 3\n"},
        /* before it is bound, too; and then, it does not have the size of another one */
        {"glXCreateWindow dpy=0x10 config=0x20 win=5 attrib_list=0x0 = 90\n"
         "glXQueryDrawable dpy=0x10 draw=90 attribute=32797 value=[50]\n"
         "glViewport x=0 y=0 width=40 height=40\n"
         "glXMakeCurrent dpy=0x10 drawable=90 ctx=0x30 = 1\n",
         "resize 2: 40 x 40\nglViewport(0, 0, 40, 40)\ndrawable 3: of context 1, 50 x 32\ncurrent: 1, 3, "
         "3\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* If the tracer tells the size whenever it changes, viewports and copies do not say more. */
static void test_sizes_that_the_tracer_tells(void **state)
{
    (void)state;
#define TOLD                                                                                                 \
    "~glXQueryDrawable dpy=0x10 draw=77 attribute=32797 value=[50]\n"                                        \
    "~glXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[40]\n"
    static const struct size_case cases[] = {
        {TOLD "glViewport x=0 y=0 width=60 height=70\n",
         "resize 2: 50 x 32\nresize 2: 50 x 40\nglViewport(0, 0, 60, 70)\n"},
        {"glNewList list=1 mode=4864\n"
         "~glXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[40]\nglEndList\n",
         "resize 2: 32 x 40\n"},
        /* that of another one is not drawn to by the list */
        {"glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\nglNewList list=1 mode=4864\n" TOLD "glEndList\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\nresize 2: 50 x 32\nresize 2: 50 x 40\n"},
        {TOLD "glXSwapBuffers dpy=0x10 drawable=77\nglViewport x=0 y=0 width=20 height=30\n"
              "glXSwapBuffers dpy=0x10 drawable=77\n",
         "resize 2: 50 x 32\nresize 2: 50 x 40\nswap 2\nglViewport(0, 0, 20, 30)\nswap 2\n"},
        {TOLD "~glXQueryDrawable dpy=0x10 draw=77 attribute=32797 value=[30]\n"
              "glViewport x=0 y=0 width=60 height=70\n",
         "resize 2: 50 x 32\nresize 2: 50 x 40\nresize 2: 30 x 40\nglViewport(0, 0, 60, 70)\n"},
        {"~glXQueryDrawable dpy=0x10 draw=78 attribute=32797 value=[50]\n" /* of another drawable */
         "glViewport x=0 y=0 width=60 height=70\n",
         "resize 2: 60 x 70\nglViewport(0, 0, 60, 70)\n"},
        /* a window that gets its size in a list would lose what is drawn */
        {"glNewList list=1 mode=4864\n" TOLD "glViewport x=0 y=0 width=60 height=70\nglEndList\n",
         "glViewport(0, 0, 60, 70)\nresize 2: 50 x 40\n"},
        {"glNewList list=1 mode=4865\n" TOLD "glViewport x=0 y=0 width=60 height=70\nglEndList\n"
         "glNewList list=1 mode=4865\nglEndList\n",
         "glViewport(0, 0, 60, 70)\nresize 2: 50 x 40\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
#undef TOLD
}

/* A size that the window system refuses is reported, and the replay goes on. */
static void test_refused_sizes(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.refuses_sizes = true;
    stub_gl_replay(NULL, "glViewport x=0 y=0 width=40 height=50\n");
    stub_gl_expect("glViewport(0, 0, 40, 50)\n");
    stub_gl_expect_message("3: warning: no window of 40x50\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* What was drawn is kept when a window grows, until it is swapped. */
static void test_contents(void **state)
{
    (void)state;
    stub_gl_reset("2.1");
    stub_gl_replay(NULL, "glDrawArrays mode=4 first=0 count=1\n"
                         "glViewport x=0 y=0 width=40 height=50\n"
                         "glXSwapBuffers dpy=0x10 drawable=77\n"
                         "glViewport x=0 y=0 width=60 height=50\n");
    stub_gl_expect("glDrawArrays(0, 1)\n"
                   "resize 2: 40 x 50, keeping it\n"
                   "glViewport(0, 0, 40, 50)\n"
                   "swap 2\n"
                   "resize 2: 60 x 50\n"
                   "glViewport(0, 0, 60, 50)\n");
}

/* A window becomes smaller when the frame ends that began with a smaller viewport, maybe in one direction
 * only. */
static void test_smaller(void **state)
{
    (void)state;
#define FIRST_FRAME "glViewport x=0 y=0 width=40 height=50\nglXSwapBuffers dpy=0x10 drawable=77\n"
#define FIRST_LOG   "resize 2: 40 x 50\nglViewport(0, 0, 40, 50)\nswap 2\n"
    static const struct size_case cases[] = {
        {FIRST_FRAME "glViewport x=0 y=0 width=40 height=49\nglXSwapBuffers dpy=0x10 drawable=77\n",
         FIRST_LOG "glViewport(0, 0, 40, 49)\nswap 2\nresize 2: 40 x 49\n"},
        {FIRST_FRAME "glViewport x=0 y=0 width=39 height=50\nglXSwapBuffers dpy=0x10 drawable=77\n",
         FIRST_LOG "glViewport(0, 0, 39, 50)\nswap 2\nresize 2: 39 x 50\n"},
        {FIRST_FRAME "glViewport x=0 y=0 width=39 height=49\nglViewport x=0 y=0 width=20 height=30\n"
                     "glXSwapBuffers dpy=0x10 drawable=77\nglXSwapBuffers dpy=0x10 drawable=77\n",
         FIRST_LOG "glViewport(0, 0, 39, 49)\nglViewport(0, 0, 20, 30)\nswap 2\nresize 2: 20 x 30\nswap 2\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* What is drawn to a framebuffer object, or after another window is current, does not make it smaller. */
static void test_not_smaller(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {FIRST_FRAME "glBindFramebuffer target=36160 framebuffer=5\nglViewport x=0 y=0 width=20 height=30\n"
                     "glBindFramebuffer target=36160 framebuffer=0\nglXSwapBuffers dpy=0x10 drawable=77\n",
         FIRST_LOG "glBindFramebuffer(0x8d40, 5)\nglViewport(0, 0, 20, 30)\nglBindFramebuffer(0x8d40, 0)\n"
                   "swap 2\n"},
        {FIRST_FRAME "glViewport x=0 y=0 width=20 height=30\n"
                     "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                     "glXSwapBuffers dpy=0x10 drawable=77\n"
                     "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                     "glXSwapBuffers dpy=0x10 drawable=77\n",
         FIRST_LOG "glViewport(0, 0, 20, 30)\ndrawable 3: of context 1, 20 x 30\ncurrent: 1, 3, 3\nswap 2\n"
                   "current: 1, 2, 2\nswap 2\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* A window whose parts are drawn to one after the other keeps its size, and what has been drawn. */
static void test_parts(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {FIRST_FRAME "glViewport x=0 y=0 width=20 height=50\n"
                     "glDrawArrays mode=4 first=0 count=1\n"
                     "glViewport x=20 y=0 width=20 height=50\n"
                     "glXSwapBuffers dpy=0x10 drawable=77\n"
                     "glViewport x=0 y=0 width=20 height=50\n"
                     "glXSwapBuffers dpy=0x10 drawable=77\n",
         FIRST_LOG "glViewport(0, 0, 20, 50)\nglDrawArrays(0, 1)\nglViewport(20, 0, 20, 50)\nswap 2\n"
                   "glViewport(0, 0, 20, 50)\nswap 2\n"},
        {FIRST_FRAME "glViewport x=0 y=0 width=20 height=50\n"
                     "glDrawArrays mode=4 first=0 count=1\n"
                     "glViewport x=0 y=0 width=60 height=20\n",
         FIRST_LOG "glViewport(0, 0, 20, 50)\nglDrawArrays(0, 1)\nresize 2: 60 x 50, keeping it\n"
                   "glViewport(0, 0, 60, 20)\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
#undef FIRST_FRAME
#undef FIRST_LOG
}

/* Swaps of nothing, of what is not there, and of what is current. */
static void test_swaps(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   "glXCreateWindow dpy=0x10 config=0x20 win=5 attrib_list=0x0 = 90\n"
                   "glXSwapBuffers dpy=0x10 drawable=90\n" /* never bound */
                   "glXSwapBuffers dpy=0x10 drawable=91\n"
                   "glXSwapBuffers dpy=0x10 drawable=0\n"
                   "eglSwapBuffers dpy=0x10 surface=0x4d = 1\n"
                   "glXSwapBuffersMscOML dpy=0x10 drawable=77 target_msc=0 divisor=0 remainder=0 = 1\n");
    stub_gl_expect("swap 2\nswap 2\nswap 2\n");
    assert_int_equal(stub_gl.frames, 5);
}

/* A swap of a pbuffer of EGL does nothing; GLX has pbuffers of two buffers. */
static void test_swaps_of_pbuffers(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,4,12374,5,12344] = "
                         "0x90\n"
                         "glXMakeCurrent dpy=0x10 drawable=144 ctx=0x30 = 1\n"
                         "eglSwapBuffers dpy=0x10 surface=0x90 = 1\n"
                         "glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,6,32832,7,0] = 145\n"
                         "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x30 = 1\n"
                         "glXSwapBuffers dpy=0x10 drawable=145\n");
    stub_gl_expect_line("swap 4");
    stub_gl_expect_no_line("swap 3");
    assert_int_equal(stub_gl.frames, 2);
}

/* One of whose sides nothing is known is as any other drawable. */
static void test_sides_of_pbuffers(void **state)
{
    (void)state;
    static const struct size_case cases[] = {
        {"glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32833,6,0] = 145\n"
         "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"glXCreatePbuffer dpy=0x10 config=0x20 attrib_list=[32832,7,0] = 145\n"
         "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"glXCreateGLXPbufferSGIX dpy=0x10 config=0x20 width=6 height=7 attrib_list=[0] = 145\n"
         "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 6 x 7\ncurrent: 1, 3, 3\n"},
        {"glXCreateGLXPbufferSGIX dpy=0x10 config=0x20 width=6 = 145\n"
         "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12344] = 0x90\n"
         "glXMakeCurrent dpy=0x10 drawable=144 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12374,40,12344] = 0x90\n"
         "glXMakeCurrent dpy=0x10 drawable=144 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,16385,12374,40,12344] = 0x90\n"
         "glXMakeCurrent dpy=0x10 drawable=144 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 32 x 32\ncurrent: 1, 3, 3\n"},
        {"eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,16384,12374,16384,12344] = 0x90\n"
         "glXMakeCurrent dpy=0x10 drawable=144 ctx=0x30 = 1\n",
         "drawable 3: of context 1, 16384 x 16384\ncurrent: 1, 3, 3\n"},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* A handle that is used again belongs to a new drawable. */
static void test_handles_used_again(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,4,12374,5,12344] = "
                         "0x90\n"
                         "glXMakeCurrent dpy=0x10 drawable=144 ctx=0x30 = 1\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                         "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,6,12374,7,12344] = "
                         "0x90\n"
                         "glXMakeCurrent dpy=0x10 drawable=144 ctx=0x30 = 1\n"
                         "eglDestroySurface dpy=0x10 surface=0x90 = 1\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n");
    stub_gl_expect("drawable 3: of context 1, 4 x 5\n"
                   "current: 1, 3, 3\n"
                   "current: 1, 2, 2\n"
                   "drawable 3 ends\n"
                   "drawable 4: of context 1, 6 x 7\n"
                   "current: 1, 4, 4\n"
                   "current: 1, 2, 2\n"
                   "drawable 4 ends\n");
}

/* What a list has made a window grow to, or was told while it was made, is not the size of the next one. */
static void test_lists_of_other_windows(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "glViewport x=0 y=0 width=50 height=60\n",
        "glXQueryDrawable dpy=0x10 draw=77 attribute=32797 value=[50]\n",
        "glXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[60]\n",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "glNewList list=1 mode=4864\n%sglEndList\nglViewport x=0 y=0 width=10 "
                 "height=10\nglXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                 "glNewList list=2 mode=4864\nglEndList\n",
                 calls[i]);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, text);
        assert_non_null(strstr(stub_gl.log, "resize 2: "));
        stub_gl_expect_no_line("resize 3: ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_of_viewports),
        cmocka_unit_test(test_single_buffered),
        cmocka_unit_test(test_single_buffered_without_flushes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_viewports_that_do_not_count),
        cmocka_unit_test(test_viewports_inside_begin),
        cmocka_unit_test(test_viewports_without_windows),
        cmocka_unit_test(test_sides_of_viewports),
        cmocka_unit_test(test_no_framebuffer_objects),
        cmocka_unit_test(test_told_sizes),
        cmocka_unit_test(test_sizes_that_the_tracer_tells),
        cmocka_unit_test(test_refused_sizes),
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_smaller),
        cmocka_unit_test(test_not_smaller),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_swaps),
        cmocka_unit_test(test_swaps_of_pbuffers),
        cmocka_unit_test(test_sides_of_pbuffers),
        cmocka_unit_test(test_handles_used_again),
        cmocka_unit_test(test_lists_of_other_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
