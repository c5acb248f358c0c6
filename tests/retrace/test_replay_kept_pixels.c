/* SPDX-License-Identifier: MIT
 * Tests what becomes of a frame that is begun before its window gets another size: what was drawn is copied
 * to a framebuffer object and back, and what was cleared is cleared where it is new.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#define DRAW "glDrawArrays mode=4 first=0 count=1\n"
#define GROW "glViewport x=0 y=0 width=50 height=60\n"
#define SWAP "glXSwapBuffers dpy=0x10 drawable=77\n"

#define COPIES(from, from_buffer, to, to_buffer)                                                             \
    COPY(from, from_buffer, to, to_buffer)                                                                   \
    "\n" COPY(from, from_buffer, to, to_buffer) "\n" COPY(from, from_buffer, to, to_buffer) "\n"
#define COPY(from, from_buffer, to, to_buffer)                                                               \
    "glBlitFramebuffer(0, 0, 32, 32)\n"                                                                      \
    "from framebuffer " from ", buffer " from_buffer ", to framebuffer " to ", buffer " to_buffer
/* Whatever the program has selected, and what it binds and enables is as before. */
#define TAKEN                                                                                                \
    "glBindFramebuffer(0x8ca9, 0)\n"                                                                         \
    "glBindFramebuffer(0x8ca9, 101)\n"                                                                       \
    "glRenderbufferStorage(102, 0x8058, 32 x 32)\n"                                                          \
    "glFramebufferRenderbuffer(0x8ce0, 102)\n"                                                               \
    "glRenderbufferStorage(103, 0x88f0, 32 x 32)\n"                                                          \
    "glFramebufferRenderbuffer(0x821a, 103)\n"                                                               \
    "glBindFramebuffer(0x8ca8, 0)\n"
#define DROPPED                                                                                              \
    "glBindFramebuffer(0x8ca9, 0)\n"                                                                         \
    "glBindFramebuffer(0x8ca8, 7)\n"                                                                         \
    "glDeleteFramebuffers(101)\n"                                                                            \
    "glDeleteRenderbuffers(102)\n"                                                                           \
    "glDeleteRenderbuffers(103)\n"

static void reset_window(const char *version)
{
    stub_gl_reset(version);
    stub_gl.shows_framebuffers = true;
    stub_gl.has_window = true;
    stub_gl.window.red = 8;
    stub_gl.window.depth = 24;
    stub_gl.window.stencil = 8;
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_BACK;
    stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING] = 7;
}

static unsigned count_of(const char *line)
{
    unsigned count = 0;
    for (const char *at = stub_gl.log; (at = strstr(at, line)) != NULL; ++at)
        ++count;
    return count;
}

static void test_copies(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.integers[GL_SCISSOR_TEST] = 1;
    stub_gl.integers[GL_RENDERBUFFER_BINDING] = 8;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect("glDrawArrays(0, 1)\n" TAKEN COPIES("0", "0x405", "101", "0x405") /* GL_BACK */
                   "glBindFramebuffer(0x8ca9, 0)\n"
                   "glBindFramebuffer(0x8ca8, 7)\n"
                   "resize 2: 50 x 60, keeping it\n"
                   "glBindFramebuffer(0x8ca8, 101)\n"
                   "glBindFramebuffer(0x8ca9, 0)\n" COPIES("101", "0x405", "0", "0x405") DROPPED
                   "glViewport(0, 0, 50, 60)\n");
    assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 1);
    assert_int_equal(stub_gl.integers[GL_RENDERBUFFER_BINDING], 8);
    assert_int_equal(stub_gl.failures, 0);
}

/* All of a window is copied, whatever its shape. */
static void test_shapes(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl_replay(NULL, GROW DRAW "glViewport x=0 y=0 width=70 height=60\n");
    for (int i = 0; i < 2; ++i)
        stub_gl_expect_line(i == 0 ? "glRenderbufferStorage(102, 0x8058, 50 x 60)"
                                   : "glRenderbufferStorage(103, 0x88f0, 50 x 60)");
    assert_int_equal(count_of("glBlitFramebuffer(0, 0, 50, 60)\n"), 6);
    stub_gl_expect_no_line("(scaled");
    reset_window("4.6");
    stub_gl.integers[GL_SAMPLES] = 4;
    stub_gl_replay(NULL, GROW DRAW "glViewport x=0 y=0 width=70 height=60\n");
    stub_gl_expect_line("4 samples:\nglRenderbufferStorage(102, 0x8058, 50 x 60)");
}

/* A renderbuffer that another context has deleted cannot be bound again: its name would be another one's. */
static void test_deleted_renderbuffer(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.integers[GL_RENDERBUFFER_BINDING] = 8;
    stub_gl.gone = 8;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line(TAKEN "glBlitFramebuffer(0, 0, 32, 32)");
    assert_int_equal(stub_gl.integers[GL_RENDERBUFFER_BINDING], 0);
}

/* The back buffer is copied, or the only one. Afterwards, all outputs of the program go where they went. */
static void test_selected_buffers(void **state)
{
    (void)state;
    static const struct replay_options single_buffered = {.single_buffered = true};
    reset_window("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_FRONT;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line("glReadBuffer(0x405)\n" COPY("0", "0x405", "101", "0x404"));
    stub_gl_expect_line("glReadBuffer(0x404)\n"
                        "glFramebufferRenderbuffer(0x8ce0, 102)\n" /* the front buffer */
                        COPY("0", "0x404", "101", "0x404") "\nglBindFramebuffer(0x8ca9, 0)");
    stub_gl_expect_line("glBindFramebuffer(0x8ca9, 0)\n" COPY(
        "101", "0x404", "0", "0x404") "\n"
                                      "glFramebufferRenderbuffer(0x8ce0, 103) to be read\n"
                                      "glDrawBuffer(0x405)\n" COPY("101", "0x404", "0", "0x405"));
    stub_gl_expect_line("glDrawBuffer(0x404)\n"
                        "glBindFramebuffer(0x8ca9, 0)\n"
                        "glBindFramebuffer(0x8ca8, 7)\n"
                        "glDeleteFramebuffers(101)\n"
                        "glDeleteRenderbuffers(103)\n"
                        "glDeleteRenderbuffers(102)\n"
                        "glDeleteRenderbuffers(104)");
    assert_int_equal(stub_gl.integers[GL_READ_BUFFER], GL_FRONT);
    assert_int_equal(stub_gl.integers[GL_DRAW_BUFFER], GL_FRONT);

    reset_window("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_FRONT;
    stub_gl_replay(&single_buffered, DRAW GROW);
    stub_gl_expect_line(COPY("0", "0x404", "101", "0x404"));
    stub_gl_expect_line(COPY("101", "0x404", "0", "0x404"));
    assert_int_equal(count_of("glBlitFramebuffer"), 6); /* nothing else */
    stub_gl_expect_no_line("0x405");
    reset_window("4.6"); /* it has two all the same */
    stub_gl_replay(&single_buffered, DRAW GROW);
    stub_gl_expect_line(COPY("0", "0x405", "101", "0x405"));
    stub_gl_expect_line(COPY("101", "0x405", "0", "0x405"));

    reset_window("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_NONE;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line("glReadBuffer(0x405)\n" COPY("0", "0x405", "101", "0x0"));
    stub_gl_expect_line("glReadBuffer(0x0)\nglBindFramebuffer(0x8ca9, 0)");
    stub_gl_expect_line("glDrawBuffer(0x405)\n" COPY("101", "0x0", "0", "0x405"));
    stub_gl_expect_line("glDrawBuffer(0x0)\nglBindFramebuffer(0x8ca9, 0)");

    reset_window("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = GL_NONE;
    stub_gl.integers[GL_DRAW_BUFFER1] = GL_BACK;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_no_line("glDrawBuffer");

    reset_window("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = GL_FRONT_LEFT;
    stub_gl.integers[GL_DRAW_BUFFER1] = GL_BACK_LEFT;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line("glDrawBuffer(0x405)\n" COPY("101", "0x405", "0", "0x405"));
    stub_gl_expect_line("glDrawBuffers(0x400, 0x402)\nglBindFramebuffer(0x8ca9, 0)");

    reset_window("OpenGL ES 3.2"); /* which has a choice between one and none */
    stub_gl.integers[GL_READ_BUFFER] = stub_gl.integers[GL_DRAW_BUFFER0] = GL_NONE;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line("glReadBuffer(0x405)\nglBlitFramebuffer(0, 0, 32, 32)");
    stub_gl_expect_line("glReadBuffer(0x0)\nglBindFramebuffer(0x8ca9, 0)");
    stub_gl_expect_line("glDrawBuffers(0x405, 0x0)\nglBlitFramebuffer(0, 0, 32, 32)");
    stub_gl_expect_line("glDrawBuffers(0x0, 0x0)\nglBindFramebuffer(0x8ca9, 0)");

    reset_window("OpenGL ES 3.2");
    stub_gl.integers[GL_DRAW_BUFFER0] = GL_BACK;
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_FRONT;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line(COPY("0", "0x404", "101", "0x404"));
    assert_int_equal(count_of("glBlitFramebuffer"), 6);
    stub_gl_expect_no_line("glReadBuffer");
    stub_gl_expect_no_line("glDrawBuffer");
}

/* Where both are drawn to, each gets its own pixels. */
static void test_both_buffers(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = GL_FRONT_AND_BACK;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line("glDrawBuffer(0x404)\n" COPY("101", "0x405", "0", "0x404"));
    stub_gl_expect_line("glDrawBuffer(0x405)\n" COPY("101", "0x405", "0", "0x405"));
}

/* OpenGL ES calls the only buffer of a window the back one, too. */
static void test_one_buffer_of_es(void **state)
{
    (void)state;
    static const struct replay_options single_buffered = {.single_buffered = true};
    reset_window("OpenGL ES 3.2");
    stub_gl.integers[GL_READ_BUFFER] = stub_gl.integers[GL_DRAW_BUFFER0] = GL_NONE;
    stub_gl_replay(&single_buffered, DRAW GROW);
    stub_gl_expect_line("glReadBuffer(0x405)\nglBlitFramebuffer(0, 0, 32, 32)");
    stub_gl_expect_line("glDrawBuffers(0x405, 0x0)\nglBlitFramebuffer(0, 0, 32, 32)");
    stub_gl_expect_no_line("glReadBuffer(0x404)");
}

/* Copies and clears must not depend on a query of the program. It may end what it has not begun. */
static void test_conditional_rendering(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_BACK;
    stub_gl_replay(NULL, "glGenQueries n=1 ids=[5]\n" DRAW "glBeginConditionalRender id=5 mode=36371\n" GROW
                         "glEndConditionalRender\n" DRAW "glViewport x=0 y=0 width=70 height=80\n");
    stub_gl_expect_line("glBeginConditionalRender(101, 0x8e13)\n"
                        "glEndConditionalRender()\n"
                        "glBindFramebuffer(0x8ca9, 0)");
    stub_gl_expect_line("glDeleteRenderbuffers(104)\n"
                        "glBeginConditionalRender(101, 0x8e13)\n"
                        "glViewport(0, 0, 50, 60)\n"
                        "glEndConditionalRender()\n"
                        "glDrawArrays(0, 1)\n"
                        "glBindFramebuffer(0x8ca9, 0)");
    reset_window("4.6");
    stub_gl_replay(NULL, "glNewList list=3 mode=4864\n"
                         "glBeginConditionalRender id=5 mode=36371\n"
                         "glEndList\n" DRAW GROW);
    stub_gl_expect_no_line("glEndConditionalRender()");
}

#define BEGIN "glGenQueries n=2 ids=[5,6]\n" DRAW "glBeginConditionalRender id=5 mode=36371\n"
#define BEGUN "glDrawArrays(0, 1)\nglBeginConditionalRender(101, 0x8e13)\n"

/* The condition is that of the first call: a second one is an error. One in a list that is only compiled ends
 * nothing. */
static void test_conditions_that_stay(void **state)
{
    static const struct {
        const char *calls, *log;
    } cases[] = {
        {BEGIN "glBeginConditionalRender id=6 mode=36371\n", "glBeginConditionalRender(102, 0x8e13)\n"},
        {BEGIN "glNewList list=3 mode=4864\nglEndConditionalRender\nglEndList\n",
         "glEndConditionalRender()\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[400], log[300];
        snprintf(calls, sizeof calls, "%s" GROW, cases[i].calls);
        snprintf(log, sizeof log, BEGUN "%sglEndConditionalRender()\nglBindFramebuffer(0x8ca9, 0)",
                 cases[i].log);
        reset_window("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line(log);
        stub_gl_expect_line("glBeginConditionalRender(101, 0x8e13)\nglViewport(0, 0, 50, 60)");
    }
}

/* It does not end where that would be an error, would become a part of a list, or is not possible. */
static void test_conditions_that_do_not_end(void **state)
{
    static const struct {
        const char *calls, *lacks;
    } cases[] = {
        {BEGIN "glBegin mode=4\nglXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[50]\nglEnd\n", NULL},
        {BEGIN "glNewList list=3 mode=4865\n" GROW "glEndList\n", NULL},
        {BEGIN GROW, "glEndConditionalRender"},
        {"glGenQueries n=1 ids=[5]\nglBeginConditionalRenderNV id=5 mode=36371\n" GROW,
         "glBeginConditionalRender"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset_window("4.6");
        stub_gl.timers.lacks = cases[i].lacks;
        stub_gl_replay(NULL, cases[i].calls);
        assert_non_null(strstr(stub_gl.log, "glBeginConditionalRender(101, 0x8e13)"));
        assert_non_null(strstr(stub_gl.log, "resize 2: "));
        stub_gl_expect_no_line("glEndConditionalRender()");
        assert_int_equal(stub_gl.rc, 0);
    }
}
#undef BEGIN
#undef BEGUN

/* Depth and stencil are only copied between equal formats. */
static void test_formats(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        struct stub_window window;
        const char *colours, *depth;
    } cases[] = {
        {"4.6", {8, 24, 8, GL_LINEAR}, "0x8058", "0x88f0"},
        {"4.6", {10, 24, 0, GL_LINEAR}, "0x805b", "0x81a6"},
        {"4.6", {8, 32, 8, GL_SRGB}, "0x8058", "0x8cad"},
        {"4.6", {8, 32, 0, GL_LINEAR}, "0x8058", "0x81a7"},
        {"4.6", {8, 25, 0, GL_LINEAR}, "0x8058", "0x81a7"},
        {"4.6", {9, 16, 0, GL_LINEAR}, "0x805b", "0x81a5"},
        {"4.6", {8, 17, 0, GL_LINEAR}, "0x8058", "0x81a6"},
        {"4.6", {8, 0, 1, GL_LINEAR}, "0x8058", "0x88f0"},
        {"OpenGL ES 3.2", {8, 24, 8, GL_LINEAR}, "0x8058", "0x88f0"},
        {"OpenGL ES 3.2", {8, 24, 8, GL_SRGB}, "0x8c43", "0x88f0"},
        {"OpenGL ES 3.2", {10, 32, 0, GL_SRGB}, "0x8059", "0x8cac"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char colours[99], depth[99];
        reset_window(cases[i].version);
        stub_gl.window = cases[i].window;
        stub_gl_replay(NULL, DRAW GROW);
        snprintf(colours, sizeof colours, "glRenderbufferStorage(102, %s, 32 x 32)", cases[i].colours);
        snprintf(depth, sizeof depth,
                 "glRenderbufferStorage(103, %s, 32 x 32)\nglFramebufferRenderbuffer(0x%x, 103)",
                 cases[i].depth,
                 cases[i].window.stencil > 0 ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT);
        stub_gl_expect_line(colours);
        stub_gl_expect_line(depth);
        stub_gl_expect_no_line("(a window has no buffer");
    }
}

/* Samples are kept, where copies can have them. */
static void test_samples(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.integers[GL_SAMPLES] = 4;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line("4 samples:\nglRenderbufferStorage(102, 0x8058, 32 x 32)");
    stub_gl_expect_line("4 samples:\nglRenderbufferStorage(103, 0x88f0, 32 x 32)");
    reset_window("OpenGL ES 3.2");
    stub_gl.integers[GL_SAMPLES] = 4;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_no_line("4 samples:");
    reset_window("4.6"); /* a driver without them */
    stub_gl.integers[GL_SAMPLES] = 4;
    stub_gl.timers.lacks = "glRenderbufferStorageMultisample";
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_line("glRenderbufferStorage(102, 0x8058, 32 x 32)");
    stub_gl_expect_no_line("4 samples:");
}

/* Errors that the copies cause are not the program's; earlier ones are. */
static void test_errors(void **state)
{
    (void)state;
    static const struct replay_options check[] = {{.check = true}, {.check = true, .benchmark = true}};
    for (int i = 0; i < 4; ++i) {
        reset_window("4.6");
        stub_gl.draw_error = i < 2 ? GL_INVALID_ENUM : GL_NO_ERROR;
        stub_gl.copy_error = GL_INVALID_OPERATION;
        stub_gl_replay(&check[i % 2], i < 2 ? DRAW GROW "glGetError = 1280\nglGetError = 0\n"
                                            : DRAW GROW "glGetError = 0\nglGetError = 0\n");
        stub_gl_expect_line(COPY("101", "0x405", "0", "0x405"));
        assert_int_equal(stub_gl.differing_calls, 0);
        assert_int_equal(stub_gl.answers[0], 2);
    }
}

/* Without a function that copies need, nothing is kept. OpenGL ES needs none that select buffers. */
static void test_drivers_that_cannot_copy(void **state)
{
    static const char *const lacks[] = {"glBindFramebuffer",
                                        "glBlitFramebuffer",
                                        "glFramebufferRenderbuffer",
                                        "glGetFramebufferAttachmentParameteriv",
                                        "glDrawBuffer",
                                        "glReadBuffer"};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof lacks / sizeof *lacks; ++i) {
        bool is_es = i % 2 != 0, copies = is_es && i / 2 >= 4;
        reset_window(is_es ? "OpenGL ES 3.2" : "4.6");
        stub_gl.timers.lacks = lacks[i / 2];
        stub_gl_replay(NULL, DRAW GROW);
        stub_gl_expect_line("resize 2: 50 x 60, keeping it");
        if ((strstr(stub_gl.log, "glRenderbufferStorage") != NULL) != copies)
            fail_msg("without %s:\n%s", lacks[i / 2], stub_gl.log);
    }
}

/* The window is not read where there is none. */
static void test_no_window_to_read(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl_replay(NULL, "glXMakeContextCurrent dpy=0x10 draw=77 read=0 ctx=0x30 = 1\n" DRAW GROW);
    stub_gl_expect_line("current: 1, 2, 0\nglDrawArrays(0, 1)");
    stub_gl_expect_line("glBindFramebuffer(0x8ca8, 0)\n" COPY("0", "0x405", "101", "0x405"));
}

static void test_nothing_to_keep(void **state)
{
    (void)state;
    static const char *const calls[] = {
        GROW,
        DRAW SWAP GROW,
        "glBegin mode=4\nglDrawArrays mode=4 first=0 count=1\n" GROW "glEnd\n",
        DRAW "glNewList list=1 mode=4865\n" GROW "glEndList\n",
        /* the size of another drawable */
        DRAW "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
             "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
             "glXQueryDrawable dpy=0x10 draw=78 attribute=32798 value=[50]\n",
        DRAW "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
             "glXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[50]\n",
        /* told where nothing can be copied */
        DRAW "glBegin mode=4\nglXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[50]\nglEnd\n",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        reset_window("4.6");
        stub_gl_replay(NULL, calls[i]);
        stub_gl_expect_no_line("glBlitFramebuffer");
        stub_gl_expect_no_line("a question");
    }
    reset_window("2.1");
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect_no_line("glBlitFramebuffer");
    reset_window("4.6"); /* surfaces do it themselves */
    stub_windows.is_offscreen = true;
    stub_gl_replay(NULL, DRAW GROW);
    stub_gl_expect("glDrawArrays(0, 1)\nresize 2: 50 x 60, keeping it\nglViewport(0, 0, 50, 60)\n");
}

/* --- clearing ----------------------------------------------------------------------------------------- */

#define CLEAR              "glClear mask=16384\n"
#define CLEARED(mask, box) CLEARED_WITH(mask, box, "")
#define CLEARED_WITH(mask, box, depth)                                                                       \
    "glColorMask(1, 1, 1, 1)\nglDepthMask(1)\nglStencilMaskSeparate(0x404, 0xffffffff)\n"                    \
    "glClearColor(0)\n" depth "glScissor(" box ")\nglClear(" mask ")\nglClearColor(0)\n" depth               \
    "glStencilMaskSeparate(0x404, 0x5)\nglDepthMask(0)\nglColorMask(0, 0, 0, 0)\nglScissor(0, 0, 0, 0)\n"

/* A frame that clears a window before its viewport makes it larger has cleared the larger one, whatever has
 * been masked in between: all of a window, which loses what it had, and the rest of a surface. */
static void test_cleared_before(void **state)
{
    static const struct {
        const char *calls;
        bool is_offscreen;
        const char *log;
    } cases[] = {
        {"glClear mask=256\n" CLEAR GROW, false,
         "resize 2: 50 x 60, keeping it\n" CLEARED_WITH("0x4100", "0, 0, 50, 60",
                                                        "glClearDepth(0)\n") "glViewport(0, 0, 50, 60)"},
        {CLEAR GROW, true,
         "resize 2: 50 x 60, keeping it\n" CLEARED("0x4000", "0, 32, 50, 28")
             CLEARED("0x4000", "32, 0, 18, 32") "glViewport(0, 0, 50, 60)"},
        {CLEAR "glViewport x=0 y=0 width=50 height=32\n", true,
         "resize 2: 50 x 32, keeping it\n" CLEARED("0x4000", "32, 0, 18, 32") "glViewport(0, 0, 50, 32)"},
        {CLEAR SWAP GROW, false, "swap 2\nresize 2: 50 x 60\nglViewport(0, 0, 50, 60)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("2.1");
        stub_gl.logs_flushes = true;
        stub_gl.integers[GL_STENCIL_WRITEMASK] = 5;
        stub_windows.is_offscreen = cases[i].is_offscreen;
        stub_gl_replay(NULL, cases[i].calls);
        stub_gl_expect_line(cases[i].log);
        assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 0);
    }
}

/* OpenGL ES cannot copy to samples, so off-screen all is cleared, too. So is a single-buffered window. */
static void test_other_windows(void **state)
{
    static const struct {
        const char *version;
        struct replay_options options;
        bool is_offscreen;
        const char *box;
    } cases[] = {
        {"OpenGL ES 3.2", {.samples = 4}, true, "glScissor(0, 0, 50, 60)"},
        {"OpenGL ES 3.2", {.samples = 1}, true, "glScissor(0, 32, 50, 28)"},
        {"4.6", {.samples = 4}, true, "glScissor(0, 32, 50, 28)"},
        {"4.6", {.single_buffered = true}, false, "glScissor(0, 0, 50, 60)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset_window(cases[i].version);
        stub_gl.logs_flushes = true;
        stub_windows.is_offscreen = cases[i].is_offscreen;
        stub_gl_replay(&cases[i].options, CLEAR GROW);
        stub_gl_expect_line(cases[i].box);
    }
    /* The surface has samples, though the context has none. */
    reset_window("OpenGL ES 3.2");
    stub_gl.logs_flushes = stub_windows.is_offscreen = true;
    stub_gl_replay(NULL, "eglChooseConfig dpy=0x10 attrib_list=[12337,4,12344] configs=[0x20] config_size=1 "
                         "num_config=[1] = 1\n"
                         "eglCreateWindowSurface dpy=0x10 config=0x20 win=5 attrib_list=[12344] = 0x70\n"
                         "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n" CLEAR GROW);
    stub_gl_expect_line("glScissor(0, 0, 50, 60)");
    /* What was cleared in a window that is no longer current is not cleared in another one. */
    reset_window("2.1");
    stub_gl.logs_flushes = true;
    stub_gl_replay(NULL, CLEAR "glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                               "glXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[50]\n");
    stub_gl_expect_line("resize 2: 32 x 50, keeping it");
    stub_gl_expect_no_line("glScissor");
}

/* The window grows for the viewports of a list when the list has ended, which can be copied then. */
static void test_compiled_list(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl_replay(NULL, DRAW "glNewList list=1 mode=4864\n" GROW "glEndList\n");
    stub_gl_expect_line("resize 2: 50 x 60, keeping it\n"
                        "glBindFramebuffer(0x8ca8, 101)\n"
                        "glBindFramebuffer(0x8ca9, 0)\n" COPY("101", "0x405", "0", "0x405"));
}

/* What was cleared and drawn in a window is copied over what is cleared again. */
static void test_cleared_and_drawn(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.logs_flushes = true;
    stub_gl.integers[GL_STENCIL_WRITEMASK] = 5;
    stub_gl_replay(NULL, CLEAR DRAW GROW);
    stub_gl_expect_line("resize 2: 50 x 60, keeping it\n" CLEARED(
        "0x4000", "0, 0, 50, 60") "glBindFramebuffer(0x8ca8, 101)\n"
                                  "glBindFramebuffer(0x8ca9, 0)\n" COPY("101", "0x405", "0", "0x405"));
}

static void test_nothing_to_clear(void **state)
{
    (void)state;
    static const char *const calls[] = {
        DRAW GROW,
        "glNewList list=1 mode=4864\n" CLEAR "glEndList\n" GROW,
        CLEAR "glNewList list=1 mode=4865\n" GROW "glEndList\n",
        "glBegin mode=4\n" CLEAR "glEnd\n" GROW,
        CLEAR "glBindFramebuffer target=36160 framebuffer=5\n"
              "glXQueryDrawable dpy=0x10 draw=77 attribute=32798 value=[50]\n",
        "glBindFramebuffer target=36160 framebuffer=5\n" CLEAR
        "glBindFramebuffer target=36160 framebuffer=0\n" GROW,
        "glEnable cap=35977\n" CLEAR "glDisable cap=35977\n" GROW, /* GL_RASTERIZER_DISCARD */
        /* the fifth clear of a frame: no more questions */
        "glBindFramebuffer target=36160 framebuffer=5\n" CLEAR CLEAR CLEAR CLEAR
        "glBindFramebuffer target=36160 framebuffer=0\n" CLEAR GROW,
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        stub_gl_reset("4.6");
        stub_gl.logs_flushes = true;
        stub_gl_replay(NULL, calls[i]);
        assert_non_null(strstr(stub_gl.log, "resize 2: "));
        stub_gl_expect_no_line("glScissor");
    }
    static const struct replay_options benchmark = {.benchmark = true};
    stub_gl_reset("4.6");
    stub_gl.logs_flushes = true;
    stub_gl_replay(&benchmark, CLEAR GROW); /* nothing is asked */
    stub_gl_expect_no_line("glScissor");
}

#define COLOUR(red) "glClearColor red=" red " green=0 blue=0 alpha=1\n"
#define BOX(width)  "glEnable cap=3089\nglScissor x=0 y=0 width=" width " height=40\n"

/* It is cleared to what the program had cleared it to, not to what it clears a part to, or next. */
static void test_values(void **state)
{
    static const struct {
        const char *calls, *colour;
    } cases[] = {
        {COLOUR("0.5") CLEAR COLOUR("0.25") GROW, "0.5"},
        {COLOUR("0.5") "glBindFramebuffer target=36160 framebuffer=5\n" CLEAR CLEAR CLEAR CLEAR
                       "glBindFramebuffer target=36160 framebuffer=0\n" SWAP CLEAR GROW,
         "0.5"},
        {COLOUR("0.5") CLEAR COLOUR("0.25") CLEAR GROW, "0.25"},
        {COLOUR("0.5") CLEAR BOX("20") COLOUR("0.25") CLEAR GROW, "0.5"},
        {BOX("20") COLOUR("0.25") CLEAR GROW, "0.25"},
        {COLOUR("0.5") CLEAR BOX("40") COLOUR("0.25") CLEAR GROW, "0.25"},
        {COLOUR("0.5") CLEAR "glDrawBuffer mode=1028\n" COLOUR("0.25") CLEAR "glDrawBuffer mode=1029\n" GROW,
         "0.5"},
        {COLOUR("0.5") "glClearBufferfv buffer=6144 drawbuffer=0 value=[0.75,0,0,1]\n" GROW, "0.75"},
        {COLOUR("0.5") CLEAR "glClearBufferfv buffer=6144 drawbuffer=1 value=[0.75,0,0,1]\n" GROW, "0.5"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char line[99];
        reset_window("4.6");
        stub_gl.logs_flushes = true;
        stub_gl.integers[GL_COLOR_WRITEMASK] = 1;
        stub_gl_replay(NULL, cases[i].calls);
        snprintf(line, sizeof line, "glClearColor(%s)\nglScissor(0, 0, 50, 60)\nglClear(0x4000)",
                 cases[i].colour);
        stub_gl_expect_line(line);
    }
}

/* All components of it. */
static void test_colours(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.logs_flushes = stub_gl.logs_whole_colours = true;
    stub_gl.integers[GL_COLOR_WRITEMASK] = 1;
    stub_gl_replay(NULL, "glClearBufferfv buffer=6144 drawbuffer=0 value=[0.75,0.5,0.25,0.125]\n" GROW);
    stub_gl_expect_line("glClearColor(0.75, 0.5, 0.25, 0.125)\nglScissor(0, 0, 50, 60)");
}

/* What is masked keeps the value of the clear before. */
static void test_masked_values(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.logs_flushes = true; /* the masks are 0 */
    stub_gl_replay(NULL, COLOUR("0.5") CLEAR COLOUR("0.25") CLEAR GROW);
    stub_gl_expect_line("glClearColor(0.5)");
    stub_gl_expect_no_line("glClearColor(0.25)\nglScissor");
}

/* A depth, too, is masked. */
static void test_masked_depths(void **state)
{
    (void)state;
    for (int masked = 0; masked < 2; ++masked) {
        reset_window("4.6");
        stub_gl.logs_flushes = true;
        stub_gl.integers[GL_DEPTH_WRITEMASK] = !masked;
        stub_gl_replay(NULL, "glClearBufferfv buffer=6145 drawbuffer=0 value=[0.25]\n"
                             "glClearBufferfv buffer=6145 drawbuffer=0 value=[0.75]\n" GROW);
        stub_gl_expect_line(masked ? "glClearDepth(0.25)\nglScissor(0, 0, 50, 60)"
                                   : "glClearDepth(0.75)\nglScissor(0, 0, 50, 60)");
    }
}

static void test_depth_and_stencil(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl.logs_flushes = true;
    stub_gl_replay(NULL, "glClearBufferfi buffer=34041 drawbuffer=0 depth=0.5 stencil=3\n" GROW);
    stub_gl_expect_line("glClearDepth(0.5)\nglClearStencil(3)\nglScissor(0, 0, 50, 60)\nglClear(0x500)");
    for (int masked = 0; masked < 2; ++masked) {
        reset_window("OpenGL ES 3.2");
        stub_gl.logs_flushes = true;
        stub_gl.integers[GL_STENCIL_WRITEMASK] = masked ? 0 : 0xff;
        stub_windows.is_offscreen = true;
        stub_gl_replay(NULL, "glClearBufferfi buffer=34041 drawbuffer=0 depth=0.5 stencil=3\n"
                             "glClearBufferiv buffer=6146 drawbuffer=0 value=[5]\n" GROW);
        stub_gl_expect_line(masked ? "glClearDepthf(0.5)\nglClearStencil(3)\nglScissor(0, 32, 50, 28)"
                                   : "glClearDepthf(0.5)\nglClearStencil(5)\nglScissor(0, 32, 50, 28)");
    }
    stub_windows.is_offscreen = false;
}

/* What is kept is that of the window that is drawn to, though the program reads another one. */
static void test_another_window_to_read(void **state)
{
    (void)state;
    reset_window("4.6");
    stub_gl_replay(NULL, "glXMakeContextCurrent dpy=0x10 draw=77 read=78 ctx=0x30 = 1\n" DRAW GROW);
    stub_gl_expect_line(
        "glBindFramebuffer(0x8ca8, 0)\ncurrent: 1, 2, 2\n" COPY("0", "0x405", "101", "0x405"));
    const char *copied = strstr(stub_gl.log, "current: 1, 2, 2\nglBlit");
    const char *again = copied != NULL ? strstr(copied, "current: 1, 2, 3\n") : NULL;
    assert_non_null(again);
    assert_true(again < strstr(stub_gl.log, "resize 2: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_deleted_renderbuffer),
        cmocka_unit_test(test_selected_buffers),
        cmocka_unit_test(test_both_buffers),
        cmocka_unit_test(test_one_buffer_of_es),
        cmocka_unit_test(test_conditional_rendering),
        cmocka_unit_test(test_conditions_that_stay),
        cmocka_unit_test(test_conditions_that_do_not_end),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_masked_depths),
        cmocka_unit_test(test_drivers_that_cannot_copy),
        cmocka_unit_test(test_no_window_to_read),
        cmocka_unit_test(test_nothing_to_keep),
        cmocka_unit_test(test_cleared_before),
        cmocka_unit_test(test_cleared_and_drawn),
        cmocka_unit_test(test_nothing_to_clear),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_masked_values),
        cmocka_unit_test(test_depth_and_stencil),
        cmocka_unit_test(test_another_window_to_read),
        cmocka_unit_test(test_compiled_list),
        cmocka_unit_test(test_other_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
