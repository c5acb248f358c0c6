/* SPDX-License-Identifier: MIT
 * Tests replays of calls that select buffers of windows, where the driver takes each for a drawable of its
 * own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "stub_gl.h"
#include "windows/window_system.h"

#define FRONT "1028"
#define BACK  "1029"

static struct window_system_ops ops;
static const struct window_system_ops *stub_ops;
static bool refuses;

static int follow_buffers(struct window_system *ws)
{
    (void)ws;
    stub_gl_log("follow");
    return refuses ? trace_error_set(TRACE_ERR_IO, "no more buffers") : 0;
}

static int show_frame(struct window_system *ws, struct ws_drawable *drawable, bool keep)
{
    (void)ws;
    assert_non_null(drawable);
    stub_gl_log("show%s", keep ? ", and keep it" : "");
    return refuses ? trace_error_set(TRACE_ERR_IO, "no more frames") : 0;
}

/* --- functions that only this test calls ------------------------------------------------------------ */

static void draw_buffers(GLsizei n, const GLenum *buffers)
{
    stub_gl_log("glDrawBuffers(%d, 0x%x)", n, buffers != NULL ? buffers[n - 1] : 0);
}

static void named_buffer(GLuint framebuffer, GLenum buffer)
{
    stub_gl_log("named buffer of %u: 0x%x", framebuffer, buffer);
}

static void named_buffers(GLuint framebuffer, GLsizei n, const GLenum *buffers)
{
    stub_gl_log("named buffers of %u: %d, 0x%x", framebuffer, n, buffers[0]);
}

static void pop_attrib(void)
{
    stub_gl_log("glPopAttrib()");
}

static void copy_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum type)
{
    stub_gl_log("glCopyPixels(%d, %d, %d, %d, 0x%x)", x, y, width, height, type);
}

static void clear_buffer(GLenum buffer, GLint index, const GLfloat *value)
{
    stub_gl_log("glClearBufferfv(0x%x, %d, %g)", buffer, index, value[0]);
}

static void clear_named(GLuint framebuffer, GLenum buffer, GLint index, const GLfloat *value)
{
    stub_gl_log("glClearNamedFramebufferfv(%u, 0x%x, %d, %g)", framebuffer, buffer, index, value[0]);
}

static void *get_proc(struct window_system *ws, const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"glDrawBuffers", (void (*)(void))draw_buffers},
        {"glNamedFramebufferDrawBuffer", (void (*)(void))named_buffer},
        {"glNamedFramebufferReadBuffer", (void (*)(void))named_buffer},
        {"glNamedFramebufferDrawBuffers", (void (*)(void))named_buffers},
        {"glPopAttrib", (void (*)(void))pop_attrib},
        {"glCopyPixels", (void (*)(void))copy_pixels},
        {"glClearBufferfv", (void (*)(void))clear_buffer},
        {"glClearNamedFramebufferfv", (void (*)(void))clear_named},
    };
    union {
        void (*function)(void);
        void *object;
    } address;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, name) == 0) {
            address.function = functions[i].function;
            return address.object;
        }
    return stub_ops->get_proc(ws, name);
}

static int set_up(void **state)
{
    (void)state;
    stub_ops = stub_windows.ops;
    ops = *stub_ops;
    ops.get_proc = get_proc;
    ops.follow_buffers = follow_buffers;
    ops.show_frame = show_frame;
    stub_windows.ops = &ops;
    stub_windows.back_is_front = true;
    refuses = false;
    stub_gl_reset("4.6");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stub_windows.ops = stub_ops;
    stub_windows.back_is_front = false;
    return 0;
}

static void replay(const char *text)
{
    stub_gl_replay(NULL, text);
    assert_int_equal(stub_gl.failures, 0);
}

/* --- what is followed ------------------------------------------------------------------------------- */

/* Nothing needs to be asked of programs that never name a front buffer. */
static void test_back_buffers_only(void **state)
{
    (void)state;
    replay("glDrawBuffer buf=" BACK "\nglReadBuffer src=1026\nglDrawBuffers n=1 bufs=[" BACK "]\n"
           "glNamedFramebufferDrawBuffer framebuffer=0 buf=36064\nglPopAttrib\nglCallList list=5\n");
    stub_gl_expect_no_line("follow");
}

static void expect_followed(const char *call, const char *logged)
{
    stub_gl_reset("4.6");
    replay(call);
    char expected[200];
    snprintf(expected, sizeof expected, "%s\nfollow\n", logged);
    stub_gl_expect(expected);
}

static void test_all_names_of_front_buffers(void **state)
{
    (void)state;
    expect_followed("glDrawBuffer buf=1024\n", "glDrawBuffer(0x400)"); /* GL_FRONT_LEFT */
    expect_followed("glDrawBuffer buf=1025\n", "glDrawBuffer(0x401)"); /* GL_FRONT_RIGHT */
    expect_followed("glDrawBuffer buf=" FRONT "\n", "glDrawBuffer(0x404)");
    expect_followed("glDrawBuffer buf=1030\n", "glDrawBuffer(0x406)"); /* GL_LEFT */
    expect_followed("glDrawBuffer buf=1031\n", "glDrawBuffer(0x407)"); /* GL_RIGHT */
    expect_followed("glDrawBuffer buf=1032\n", "glDrawBuffer(0x408)"); /* GL_FRONT_AND_BACK */
    expect_followed("glReadBuffer src=" FRONT "\n", "glReadBuffer(0x404)");
}

static void test_all_functions(void **state)
{
    (void)state;
    expect_followed("glDrawBuffers n=2 bufs=[0,1024]\n", "glDrawBuffers(2, 0x400)");
    expect_followed("glNamedFramebufferDrawBuffer framebuffer=0 buf=" FRONT "\n", "named buffer of 0: 0x404");
    expect_followed("glNamedFramebufferReadBuffer framebuffer=0 src=" FRONT "\n", "named buffer of 0: 0x404");
    expect_followed("glNamedFramebufferDrawBuffers framebuffer=0 n=1 bufs=[1024]\n",
                    "named buffers of 0: 1, 0x400");
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glDrawBuffers n=1 bufs=null\n");
    stub_gl_expect_no_line("follow");
}

/* Once it was named, whatever selects a buffer is followed; in a list, when that ends. */
static void test_lists_and_attributes(void **state)
{
    (void)state;
    replay("glNewList list=5 mode=4864\nglDrawBuffer buf=" FRONT "\nglPopAttrib\nglEndList\n"
           "glCallList list=5\nglCallLists n=1 type=5121 lists=$05\nglPopAttrib\n"
           "glDrawBuffer buf=" BACK "\nglBegin mode=4\nglCallList list=6\nglEnd\n");
    stub_gl_expect("glDrawBuffer(0x404)\nglPopAttrib()\nfollow\nglCallList(5)\nfollow\n"
                   "glCallLists(1, 0x1401)\nfollow\nglPopAttrib()\nfollow\nglDrawBuffer(0x405)\nfollow\n"
                   "glCallList(6)\n");
}

/* Contexts that share lists share what was named in them; OpenGL ES has no such buffers. */
static void test_contexts(void **state)
{
    (void)state;
    replay("glDrawBuffer buf=" FRONT "\n"
           "glXCreateContext dpy=0x10 vis=0x0 shareList=0x30 direct=true = 0x31\n"
           "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x31 = 1\nglPopAttrib\n"
           "glXCreateContext dpy=0x10 vis=0x0 shareList=0x0 direct=true = 0x32\n"
           "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x32 = 1\nglPopAttrib\n"
           "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x31 = 1\nglPopAttrib\n");
    stub_gl_expect(
        "glDrawBuffer(0x404)\nfollow\ncontext 3: gl 0.0, shares with 1\ncurrent: 3, 2, 2\n"
        "glPopAttrib()\nfollow\ncontext 4: gl 0.0, shares with 0\ncurrent: 4, 2, 2\nglPopAttrib()\n"
        "current: 3, 0, 0\nglPopAttrib()\n");
    stub_gl_reset("OpenGL ES 3.2");
    replay("glReadBuffer src=" FRONT "\n");
    stub_gl_expect("glReadBuffer(0x404)\n");
}

static void test_no_more_buffers(void **state)
{
    (void)state;
    refuses = true;
    replay("glDrawBuffer buf=" FRONT "\n");
    stub_gl_expect_message("3: warning: no more buffers");
    stub_gl_reset("4.6");
    replay("glXSwapBuffers dpy=0x10 drawable=77\n");
    stub_gl_expect_message("warning: no more frames");
}

/* --- frames ----------------------------------------------------------------------------------------- */

static void test_swaps(void **state)
{
    struct replay_options options = {.check = true};
    (void)state;
    replay("glXSwapBuffers dpy=0x10 drawable=77\nglNewList list=5 mode=4864\n"
           "glXSwapBuffers dpy=0x10 drawable=77\nglEndList\n");
    stub_gl_expect("swap 2\nshow\nswap 2\n");
    stub_gl_reset("4.6");
    stub_gl_replay_printing(&options, "glXSwapBuffers dpy=0x10 drawable=77\n");
    stub_gl_expect_line("show, and keep it");
}

static void expect_warning(const char *text, bool expected)
{
    stub_gl_reset("4.6");
    replay(text);
    bool has = strstr(stub_gl.messages, "the front buffer begins with") != NULL;
    assert_int_equal(has, expected);
    const char *first = strstr(stub_gl.messages, "the front buffer begins with");
    assert_true(first == NULL || strstr(first + 1, "the front buffer begins with") == NULL);
}

/* A frame is lost if it was drawn over before the program named the front buffer. */
static void test_lost_frames(void **state)
{
#define SWAP   "glXSwapBuffers dpy=0x10 drawable=77\n"
#define DRAW   "glClear mask=16384\n"
#define SELECT "glReadBuffer src=" FRONT "\n"
    (void)state;
    expect_warning(SWAP DRAW SELECT SELECT, true);
    expect_warning(SWAP SELECT DRAW SELECT, false);
    expect_warning(DRAW SELECT SWAP DRAW SELECT, false);
    expect_warning(SWAP DRAW "glReadBuffer src=" BACK "\n", false);
    expect_warning(SWAP DRAW "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x30 = 1\n" SELECT, false);
    expect_warning(
        "glXChooseVisual dpy=0x10 screen=0 attribList=[4,0] = 0x99\n"
        "eglCreateWindowSurface dpy=0x10 config=0x99 win=0x5 attrib_list=[12422,12421,12344] = 0x70\n"
        "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
        "glXSwapBuffers dpy=0x10 drawable=0x70\n" DRAW SELECT,
        false);
}

/* Copies to the front buffer name it. */
static void test_copies(void **state)
{
    (void)state;
    replay("glXCopySubBufferMESA dpy=0x10 drawable=77 x=5 y=6 width=10 height=20\n");
    stub_gl_expect("glBindFramebuffer(0x8d40, 0)\nglDrawBuffer(0x404)\nglReadBuffer(0x405)\nfollow\n"
                   "glBlitFramebuffer(5, 6, 15, 26)\nglDrawBuffer(0x405)\nglReadBuffer(0x405)\nfollow\n"
                   "glBindFramebuffer(0x8ca9, 0)\nglBindFramebuffer(0x8ca8, 0)\n");
}

/* --- depth and stencil are where the program draws --------------------------------------------------- */

static void expect_read(const char *first, const char *call, const char *log)
{
    char text[400];
    stub_gl_reset("4.6");
    snprintf(text, sizeof text, "%s%s", first, call);
    replay(text);
    const char *tail = strstr(stub_gl.log, "follow\n");
    assert_non_null(tail);
    assert_string_equal(tail + strlen("follow\n"), log);
}

#define COPY(type) "glCopyPixels x=1 y=2 width=3 height=4 type=" #type "\n"

static void test_depths(void **state)
{
    const char *to_front = "glDrawBuffer buf=" FRONT "\n", *from_front = "glReadBuffer src=" FRONT "\n";
    (void)state;
    expect_read(to_front, COPY(6144), "glCopyPixels(1, 2, 3, 4, 0x1800)\n"); /* GL_COLOR */
    for (int i = 0; i < 2; ++i) {
        static const char *const kinds[] = {COPY(6145), COPY(6146)};
        static const char *const logs[] = {
            "glReadBuffer(0x404)\nfollow\nglCopyPixels(1, 2, 3, 4, 0x1801)\nglReadBuffer(0x405)\nfollow\n",
            "glReadBuffer(0x404)\nfollow\nglCopyPixels(1, 2, 3, 4, 0x1802)\nglReadBuffer(0x405)\nfollow\n"};
        expect_read(to_front, kinds[i], logs[i]);
    }
    expect_read(
        to_front, COPY(34041),
        "glReadBuffer(0x404)\nfollow\nglCopyPixels(1, 2, 3, 4, 0x84f9)\nglReadBuffer(0x405)\nfollow\n");
    expect_read(
        from_front, COPY(6145),
        "glReadBuffer(0x405)\nfollow\nglCopyPixels(1, 2, 3, 4, 0x1801)\nglReadBuffer(0x404)\nfollow\n");
    expect_read(to_front, "glReadBuffer src=" FRONT "\n" COPY(6145),
                "glReadBuffer(0x404)\nfollow\nglCopyPixels(1, 2, 3, 4, 0x1801)\n"); /* it is the same */
    expect_read(from_front, "glDrawBuffer buf=0\n" COPY(6145),
                "glDrawBuffer(0x0)\nfollow\nglReadBuffer(0x405)\nfollow\nglCopyPixels(1, 2, 3, 4, 0x1801)\n"
                "glReadBuffer(0x404)\nfollow\n"); /* as if it drew to the back buffer */
}

static void test_depths_of_framebuffers(void **state)
{
    (void)state;
    for (int target = GL_READ_FRAMEBUFFER; target <= GL_DRAW_FRAMEBUFFER; ++target) {
        char text[300];
        stub_gl_reset("4.6");
        snprintf(text, sizeof text,
                 "glDrawBuffer buf=" FRONT "\nglGenFramebuffers n=1 framebuffers=[2]\n"
                 "glBindFramebuffer target=%d framebuffer=2\n" COPY(6145),
                 target);
        replay(text);
        stub_gl_expect_no_line("glReadBuffer");
    }
}

/* --- clears that Mesa does not make ----------------------------------------------------------------- */

#define CLEAR_COLOURS "glClearBufferfv buffer=6144 drawbuffer=0 value=[1.0,0.0,0.0,1.0]\n"
#define CLEAR_NAMED                                                                                          \
    "glClearNamedFramebufferfv framebuffer=0 buffer=6144 drawbuffer=0 value=[1.0,0.0,0.0,1.0]\n"
#define CLEARED "glClearBufferfv(0x1800, 0, 1)\n"

static void expect_cleared(const char *version, const char *text, const char *log)
{
    stub_gl_reset(version);
    replay(text);
    stub_gl_expect(log);
}

static void test_clears(void **state)
{
    (void)state;
    expect_cleared("4.6", CLEAR_COLOURS, "glDrawBuffer(0x404)\n" CLEARED "glDrawBuffer(0x405)\n");
    expect_cleared("3.0", CLEAR_COLOURS, "glDrawBuffer(0x404)\n" CLEARED "glDrawBuffer(0x405)\n");
    expect_cleared("4.6", "glDrawBuffer buf=0\n" CLEAR_COLOURS, "glDrawBuffer(0x0)\n" CLEARED);
    expect_cleared("4.6", "glClearBufferfv buffer=6145 drawbuffer=0 value=[1.0]\n",
                   "glClearBufferfv(0x1801, 0, 1)\n");
    expect_cleared("OpenGL ES 3.0", CLEAR_COLOURS, CLEARED);
    expect_cleared("4.6",
                   "glGenFramebuffers n=1 framebuffers=[2]\nglBindFramebuffer target=36009 "
                   "framebuffer=2\n" CLEAR_COLOURS,
                   "glBindFramebuffer(0x8ca9, 101)\n" CLEARED);
    expect_cleared("4.6", CLEAR_NAMED,
                   "glDrawBuffer(0x404)\nglClearNamedFramebufferfv(0, 0x1800, 0, 1)\nglDrawBuffer(0x405)\n");
    expect_cleared(
        "4.6",
        "glGenFramebuffers n=1 framebuffers=[2]\nglBindFramebuffer target=36009 framebuffer=2\n" CLEAR_NAMED,
        "glBindFramebuffer(0x8ca9, 101)\nglBindFramebuffer(0x8ca9, 0)\nglDrawBuffer(0x404)\n"
        "glClearNamedFramebufferfv(0, 0x1800, 0, 1)\nglDrawBuffer(0x405)\nglBindFramebuffer(0x8ca9, 101)\n");
    expect_cleared(
        "4.6",
        "glGenFramebuffers n=1 framebuffers=[2]\nglClearNamedFramebufferfv framebuffer=2 buffer=6144 "
        "drawbuffer=0 value=[1.0,0.0,0.0,1.0]\n",
        "glClearNamedFramebufferfv(101, 0x1800, 0, 1)\n");
    stub_windows.back_is_front = false;
    expect_cleared("4.6", CLEAR_COLOURS, CLEARED);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_back_buffers_only),
        TEST(test_all_names_of_front_buffers),
        TEST(test_all_functions),
        TEST(test_lists_and_attributes),
        TEST(test_contexts),
        TEST(test_no_more_buffers),
        TEST(test_swaps),
        TEST(test_lost_frames),
        TEST(test_copies),
        TEST(test_depths),
        TEST(test_depths_of_framebuffers),
        TEST(test_clears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
