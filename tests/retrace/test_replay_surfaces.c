/* SPDX-License-Identifier: MIT
 * Tests replays of calls that copy the contents of drawables: to their front buffers, and to textures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

/* Copies that a window system makes are made with OpenGL in a replay. The program's state is restored
 * afterwards. */
static void test_copies_of_drawables(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.integers[GL_SCISSOR_TEST] = 1;
    stub_gl.shows_framebuffers = true;
    stub_gl.integers[GL_READ_BUFFER] = GL_FRONT_RIGHT;
    stub_gl_replay(NULL, "glGenFramebuffers n=2 framebuffers=[2,3]\n"
                         "glBindFramebuffer target=36160 framebuffer=2\n"
                         "glBindFramebuffer target=36008 framebuffer=3\n"
                         "glXCopySubBufferMESA dpy=0x10 drawable=77 x=5 y=6 width=10 height=20\n");
    stub_gl_expect_line("glDrawBuffer(0x404)");
    stub_gl_expect_line("glBlitFramebuffer(5, 6, 15, 26)");
    stub_gl_expect_line("from framebuffer 0, buffer 0x405, to framebuffer 0, buffer 0x404");
    stub_gl_expect_no_line("(cut)");
    stub_gl_expect_no_line("(scaled");
    stub_gl_expect_no_line("(of buffers");
    assert_int_equal(stub_gl.integers[GL_DRAW_BUFFER], GL_BACK);
    assert_int_equal(stub_gl.integers[GL_READ_BUFFER], GL_FRONT_RIGHT);
    assert_int_equal(stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING], 101);
    assert_int_equal(stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], 102);
    assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 1);
    assert_int_equal(stub_gl.failures, 0);
}

/* What was off is off afterwards. */
static void test_copies_leave_the_scissor_test(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.logs_flushes = true; /* and the copy is seen at once */
    stub_gl_replay(NULL, "glXCopySubBufferMESA dpy=0x10 drawable=77 x=5 y=6 width=10 height=20\n");
    stub_gl_expect_line("glBlitFramebuffer(5, 6, 15, 26)\nglFlush()");
    assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 0);
}

/* A single buffer, or a drawable that is not current. */
static void test_copies_that_cannot_be_made(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   "eglCreatePbufferSurface dpy=0x10 config=0x99 attrib_list=[12422,12421,12375,4,12374,4,"
                   "12344] = 0x70\n"
                   "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
                   "glXCopySubBufferMESA dpy=0x10 drawable=0x70 x=0 y=0 width=1 height=1\n"
                   "glXCopySubBufferMESA dpy=0x10 drawable=77 x=0 y=0 width=1 height=1\n");
    stub_gl_expect_no_line("glBlitFramebuffer");
    stub_gl_expect_message("glXCopySubBufferMESA: the drawable is not current");
    assert_int_equal(stub_gl.failures, 1);
}

/* Where nothing can be copied, a copy fails. One of nothing is none. */
static void test_where_copies_fail(void **state)
{
#define COPY(size) "glXCopySubBufferMESA dpy=0x10 drawable=77 x=5 y=6 " size "\n"
    static const struct {
        const char *version, *calls;
        const char *lacks;
        bool fails;
    } cases[] = {
        {"4.6", COPY("width=10 height=20"), "glBlitFramebuffer", true},
        {"4.6", COPY("width=10 height=20"), "glBindFramebuffer", true},
        {"4.6", COPY("width=10 height=20"), "glIsEnabled", true},
        {"4.6", COPY("width=10 height=20"), "glDrawBuffer", true},
        {"4.6", COPY("width=10 height=20"), "glReadBuffer", true},
        {"4.6", COPY("width=10 height=20"), "glEnable", true},
        {"4.6", COPY("width=10 height=20"), "glDisable", true},
        {"2.1", COPY("width=10 height=20"), NULL, true},
        {"4.6", "glBegin mode=4\n" COPY("width=10 height=20"), NULL, true},
        {"OpenGL ES 3.2", "glBegin mode=4\n" COPY("width=10 height=20"), NULL, true},
        {"4.6", "glXMakeContextCurrent dpy=0x10 draw=0 read=0 ctx=0x30 = 1\n" COPY("width=10 height=20"),
         NULL, true},
        {"4.6", "glXMakeContextCurrent dpy=0x10 draw=0 read=0 ctx=0x0 = 1\n" COPY("width=10 height=20"), NULL,
         true},
        {"4.6", COPY("width=0 height=20"), NULL, false},
        {"4.6", COPY("width=10 height=0"), NULL, false},
        {"4.6", COPY("width=10 height=-1"), NULL, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset(cases[i].version);
        stub_gl.timers.lacks = cases[i].lacks;
        stub_gl_replay(NULL, cases[i].calls);
        assert_int_equal(stub_gl.rc, 0);
        if (stub_gl.failures != cases[i].fails)
            fail_msg("case %zu:\n%s%s", i, stub_gl.log, stub_gl.messages);
        stub_gl_expect_no_line("glBlitFramebuffer");
        stub_gl_expect_no_line("glDrawBuffer");
        stub_gl_expect_no_line("a question");
    }
#undef COPY
}

/* A copy does not depend on a query of the program. */
static void test_conditional_copies(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenQueries n=1 ids=[5]\n"
                         "glBeginConditionalRender id=5 mode=36371\n"
                         "glXCopySubBufferMESA dpy=0x10 drawable=77 x=5 y=6 width=10 height=20\n");
    stub_gl_expect("glBeginConditionalRender(101, 0x8e13)\n"
                   "glEndConditionalRender()\n"
                   "glBindFramebuffer(0x8d40, 0)\n"
                   "glDrawBuffer(0x404)\n"
                   "glReadBuffer(0x405)\n"
                   "glBlitFramebuffer(5, 6, 15, 26)\n"
                   "glDrawBuffer(0x405)\n"
                   "glReadBuffer(0x405)\n"
                   "glBindFramebuffer(0x8ca9, 0)\n"
                   "glBindFramebuffer(0x8ca8, 0)\n"
                   "glBeginConditionalRender(101, 0x8e13)\n");
}

/* Without a context, there is no texture, and nothing to flush. */
static void test_surfaces_without_a_context(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.logs_flushes = true;
    stub_gl_replay(NULL, "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                         "eglBindTexImage dpy=0x10 surface=0x4d buffer=12420 = 1\n"
                         "eglCopyBuffers dpy=0x10 surface=0x4d target=5 = 1\n");
    stub_gl_expect("glFlush()\nglFlush()\ncurrent: 0, 0, 0\n"); /* before it is released */
    stub_gl_expect_message("eglBindTexImage: no context is current");
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glCopyTexImage2D";
    stub_gl_replay(NULL, "eglBindTexImage dpy=0x10 surface=0x4d buffer=12420 = 1\n");
    stub_gl_expect("");
    assert_int_equal(stub_gl.failures, 1);
}

/* No surface has no picture. A context needs no drawable of its own to show one. */
static void test_no_surfaces(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(
        NULL, "eglBindTexImage dpy=0x10 surface=0x0 buffer=12420 = 0\n"
              "eglReleaseTexImage dpy=0x10 surface=0x0 buffer=12420 = 0\n"
              "glXMakeContextCurrent dpy=0x10 draw=0 read=0 ctx=0x30 = 1\n"
              "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
              "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n");
    stub_gl_expect("current: 1, 0, 0\n"
                   "drawable 3: of context 1, 40 x 50\n"
                   "current: 1, 3, 3\n"
                   "glCopyTexImage2D(40 x 50)\n"
                   "current: 1, 0, 0\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* A texture has alphas if the surface has. */
static void test_alphas_of_surfaces(void **state)
{
    (void)state;
    for (int bits = 0; bits < 3; ++bits) {
        char calls[400];
        snprintf(calls, sizeof calls,
                 "eglGetConfigAttrib dpy=0x10 config=0x20 attribute=12321 value=[%d] = 1\n"
                 "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
                 "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n",
                 bits);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line("glCopyTexImage2D(40 x 50)");
        assert_int_equal(strstr(stub_gl.log, "(as 0x1907)\n") != NULL, bits == 0); /* GL_RGB */
    }
}

#define PBUFFER "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
#define BIND    "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n"

/* Of colours of 10 bits, OpenGL ES has another texture. */
static void test_sized_copies(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.refused_format = GL_RGBA;
    stub_gl_replay(NULL, PBUFFER BIND);
    stub_gl_expect_line("(as 0x8059)\nglCopyTexImage2D(40 x 50)"); /* GL_RGB10_A2 */
    assert_int_equal(stub_gl.error, GL_NO_ERROR);
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.refused_format = GL_RGB;
    stub_gl_replay(NULL,
                   "eglGetConfigAttrib dpy=0x10 config=0x20 attribute=12321 value=[0] = 1\n" PBUFFER BIND);
    stub_gl_expect_no_line("glCopyTexImage2D");
    assert_int_equal(stub_gl.error, GL_NO_ERROR);
}

/* A framebuffer object that the program has bound for drawing and reading. */
static void test_copies_beside_a_framebuffer(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 2.0");
    stub_gl.unknown_pname = GL_READ_FRAMEBUFFER_BINDING;
    stub_gl_replay(NULL, "glGenFramebuffers n=1 framebuffers=[2]\n"
                         "glBindFramebuffer target=36160 framebuffer=2\n" PBUFFER BIND);
    stub_gl_expect_line("glBindFramebuffer(0x8d40, 0)\nglCopyTexImage2D(40 x 50)\n"
                        "glBindFramebuffer(0x8d40, 101)");
}

/* The same arguments. */
static void test_copies_by_egl(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "eglPostSubBufferNV dpy=0x10 surface=77 x=5 y=6 width=10 height=20 = 1\n");
    stub_gl_expect_line("glBlitFramebuffer(5, 6, 15, 26)");
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.logs_flushes = true;
    stub_gl_replay(NULL, "eglPostSubBufferNV dpy=0x10 surface=77 x=5 y=6 width=10 height=20 = 1\n"
                         "glBegin mode=4\n"
                         "eglCopyBuffers dpy=0x10 surface=77 target=5 = 1\n"
                         "glEnd\n"
                         "eglCopyBuffers dpy=0x10 surface=77 target=5 = 1\n");
    stub_gl_expect("glFlush()\nglFlush()\nglFlush()\n"); /* the first one is of the first calls */
    assert_int_equal(stub_gl.failures, 0);

    stub_gl_reset("4.6");
    stub_gl_replay(
        NULL, "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
              "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n" /* nothing was drawn */
              "eglReleaseTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n"
              "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
              "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
              "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n"
              "eglReleaseTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n"
              "eglCopyBuffers dpy=0x10 surface=0x70 target=5 = 1\n");
    stub_gl_expect("drawable 3: of context 1, 40 x 50\n"
                   "current: 1, 3, 3\n"
                   "glCopyTexImage2D(40 x 50)\n"
                   "current: 1, 2, 2\n"
                   "current: 1, 3, 3\n"
                   "current: 1, 2, 2\n"
                   "current: 1, 3, 3\n"
                   "glCopyTexImage2D(40 x 50)\n"
                   "current: 1, 2, 2\n");
    assert_int_equal(stub_gl.failures, 0);

    stub_gl_reset("4.6"); /* the program reads from another framebuffer */
    stub_gl_replay(NULL, "glGenFramebuffers n=1 framebuffers=[2]\n"
                         "glBindFramebuffer target=36008 framebuffer=2\n"
                         "eglBindTexImage dpy=0x10 surface=0x4d buffer=12420 = 1\n");
    stub_gl_expect("glBindFramebuffer(0x8ca8, 101)\n"
                   "current: 1, 2, 2\n"
                   "glBindFramebuffer(0x8ca8, 0)\n"
                   "glCopyTexImage2D(32 x 32)\n"
                   "glBindFramebuffer(0x8ca8, 101)\n"
                   "current: 1, 2, 2\n");
}

/* A texture shows what is drawn to a surface after it was bound, until it is released. */
static void test_textures_that_show_surfaces(void **state)
{
    (void)state;
#define LEAVE                                                                                                \
    "glDrawArrays mode=4 first=0 count=3\n"                                                                  \
    "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
#define ENTER "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
    stub_gl_reset("4.6");
    stub_gl_replay(
        NULL, "glGenTextures n=2 textures=[1,2]\n"
              "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
              "glBindTexture target=3553 texture=1\n"
              "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n"
              "glBindTexture target=3553 texture=2\n" ENTER LEAVE
              "eglReleaseTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n" ENTER LEAVE);
    stub_gl_expect("glBindTexture(0xde1, 101)\n"
                   "drawable 3: of context 1, 40 x 50\n"
                   "current: 1, 3, 3\n"
                   "glCopyTexImage2D(40 x 50)\n"
                   "current: 1, 2, 2\n"
                   "glBindTexture(0xde1, 102)\n"
                   "current: 1, 3, 3\n"
                   "glDrawArrays(0, 3)\n"
                   "glBindTexture(0xde1, 101)\n"
                   "glCopyTexImage2D(40 x 50)\n"
                   "glBindTexture(0xde1, 102)\n"
                   "current: 1, 2, 2\n"
                   "current: 1, 3, 3\n"
                   "glDrawArrays(0, 3)\n"
                   "current: 1, 2, 2\n");
    for (GLuint gone = 101; gone <= 102; ++gone) { /* another context has deleted one of them */
        stub_gl_reset("4.6");
        stub_gl.gone = gone;
        stub_gl_replay(
            NULL,
            "glGenTextures n=2 textures=[1,2]\n"
            "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
            "glBindTexture target=3553 texture=1\n"
            "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n"
            "glBindTexture target=3553 texture=2\n" ENTER LEAVE);
        assert_int_equal(stub_gl.integers[GL_TEXTURE_BINDING_2D], 102);
        stub_gl_expect_no_line("glDrawArrays(0, 3)\nglBindTexture");
    }
    stub_gl_reset("4.6"); /* the texture without a name */
    stub_gl_replay(
        NULL, "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
              "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n" ENTER LEAVE);
    stub_gl_expect_line("glBindTexture(0xde1, 0)\nglCopyTexImage2D(40 x 50)");
#undef LEAVE
#undef ENTER
}

/* What was not drawn, or is read from elsewhere, has not changed the texture. */
static void test_textures_that_stay(void **state)
{
    (void)state;
    static const char *const calls[] = {
        /* nothing is drawn */
        "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
        "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n",
        /* another drawable is read */
        "glXMakeContextCurrent dpy=0x10 draw=0x70 read=77 ctx=0x30 = 1\n"
        "glDrawArrays mode=4 first=0 count=3\n"
        "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n",
        /* an error of the program */
        "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
        "glDrawArrays mode=4 first=0 count=3\n"
        "glBegin mode=4\n"
        "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n",
        /* the same drawable */
        "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
        "glDrawArrays mode=4 first=0 count=3\n"
        "glXMakeContextCurrent dpy=0x10 draw=0x70 read=77 ctx=0x30 = 1\n",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        char all[600];
        snprintf(all, sizeof all,
                 "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
                 "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n%s",
                 calls[i]);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, all);
        const char *copy = strstr(stub_gl.log, "glCopyTexImage2D");
        assert_non_null(copy);
        if (strstr(copy + 1, "glCopyTexImage2D") != NULL)
            fail_msg("%s%s", calls[i], stub_gl.log);
    }
}

static unsigned count_lines(const char *part)
{
    unsigned count = 0;
    for (const char *at = stub_gl.log; (at = strstr(at, part)) != NULL; ++at)
        ++count;
    return count;
}

/* The texture belongs to the contexts that share objects. What others draw does not go to theirs of the same
 * name. */
static void test_surfaces_of_several_contexts(void **state)
{
    (void)state;
    static const struct {
        const char *share;
        unsigned copies;
    } cases[] = {{"0x0", 1}, {"0x30", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[1000];
        snprintf(calls, sizeof calls,
                 "eglCreatePbufferSurface dpy=0x10 config=0x20 attrib_list=[12375,40,12374,50,12344] = 0x70\n"
                 "eglBindTexImage dpy=0x10 surface=0x70 buffer=12420 = 1\n"
                 "glXCreateContext dpy=0x10 vis=0x20 shareList=%s direct=1 = 0x50\n"
                 "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x50 = 1\n"
                 "glDrawArrays mode=4 first=0 count=3\n"
                 "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x50 = 1\n"
                 "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n",
                 cases[i].share);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        assert_int_equal(count_lines("glCopyTexImage2D"), cases[i].copies);
        assert_int_equal(stub_gl.failures, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_of_drawables),
        cmocka_unit_test(test_copies_leave_the_scissor_test),
        cmocka_unit_test(test_copies_that_cannot_be_made),
        cmocka_unit_test(test_where_copies_fail),
        cmocka_unit_test(test_conditional_copies),
        cmocka_unit_test(test_surfaces_without_a_context),
        cmocka_unit_test(test_no_surfaces),
        cmocka_unit_test(test_alphas_of_surfaces),
        cmocka_unit_test(test_sized_copies),
        cmocka_unit_test(test_copies_beside_a_framebuffer),
        cmocka_unit_test(test_copies_by_egl),
        cmocka_unit_test(test_textures_that_show_surfaces),
        cmocka_unit_test(test_textures_that_stay),
        cmocka_unit_test(test_surfaces_of_several_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
