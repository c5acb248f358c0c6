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

static bool is_elsewhere;

static bool read_depth(struct window_system *ws, bool begin)
{
    (void)ws;
    if (is_elsewhere)
        stub_gl_log(begin ? "depth" : "colours");
    return is_elsewhere;
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

static void copy_image(GLenum target, GLint level, GLenum format, GLint x, GLint y, GLsizei width,
                       GLsizei height, GLint border)
{
    (void)target, (void)level, (void)x, (void)y, (void)width, (void)height, (void)border;
    stub_gl_log("image 0x%x", format);
}

static void blit(GLint x0, GLint y0, GLint x1, GLint y1, GLint to_x0, GLint to_y0, GLint to_x1, GLint to_y1,
                 GLbitfield mask, GLenum filter)
{
    (void)x0, (void)y0, (void)x1, (void)y1, (void)to_x0, (void)to_y0, (void)to_x1, (void)to_y1, (void)filter;
    stub_gl_log("blit 0x%x", mask);
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
        {"glCopyTexImage2D", (void (*)(void))copy_image},
        {"glBlitFramebuffer", (void (*)(void))blit},
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
    ops.read_depth = read_depth;
    stub_windows.ops = &ops;
    refuses = false;
    stub_gl_reset("4.6");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stub_windows.ops = stub_ops;
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

static void expect_list_warning(const char *text, bool expected)
{
    stub_gl_reset("4.6");
    replay(text);
    const char *found = strstr(stub_gl.messages, "what a display list draws");
    assert_int_equal(found != NULL, expected);
    assert_true(found == NULL || strstr(found + 1, "what a display list draws") == NULL);
}

/* The driver executes a list as a whole, so nothing can be bound between what selects and what draws. */
static void test_lists_that_draw(void **state)
{
#define LIST   "glNewList list=5 mode=4864\n"
#define FRONTS "glDrawBuffer buf=" FRONT "\n"
#define CLEAR  "glClear mask=16384\n"
#define END    "glEndList\n"
    (void)state;
    expect_list_warning(LIST FRONTS CLEAR CLEAR END, true);
    expect_list_warning(FRONTS LIST FRONTS CLEAR END, true);
    expect_list_warning(LIST CLEAR FRONTS END CLEAR, false);
    expect_list_warning(FRONTS LIST CLEAR END CLEAR, false);
    expect_list_warning(LIST FRONTS END CLEAR LIST CLEAR END, false);
    stub_windows.ops = stub_ops;
    expect_list_warning(LIST FRONTS CLEAR END, false);
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
        "current: 3, 0, 0\nglPopAttrib()\nfollow\n");
    stub_gl_reset("OpenGL ES 3.2");
    replay("glReadBuffer src=" FRONT "\n");
    stub_gl_expect("glReadBuffer(0x404)\n");
}

/* Outputs that draw to a front and a back buffer. A window without a back buffer has an error. */
static void test_both_outputs(void **state)
{
    static const struct replay_options single = {.single_buffered = true};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_windows.back_is_front = true;
        stub_gl_replay(i ? &single : NULL, "glDrawBuffers n=2 bufs=[1024,1026]\n");
        stub_gl_expect(i ? "glDrawBuffers(2, 0x402)\nfollow\n" : "glDrawBuffer(0x408)\nfollow\n");
    }
}

/* Others are passed on: there is one of the two only, the driver does not take it for a missing one, or
 * another framebuffer is bound. */
static void test_other_outputs(void **state)
{
    static const struct {
        const char *version, *calls, *line;
        bool back_is_front;
        const char *lacks;
    } cases[] = {
        {"2.1", "glDrawBuffers n=2 bufs=[1024,1026]\n", "glDrawBuffer(0x408)", true, NULL},
        {"4.6", "glDrawBuffers n=2 bufs=[1025,1026]\n", "glDrawBuffer(0x408)", true, NULL},
        {"4.6", "glDrawBuffers n=2 bufs=[1024,1025]\n", "glDrawBuffers(2, 0x401)", true, NULL},
        {"4.6", "glDrawBuffers n=2 bufs=[0,1026]\n", "glDrawBuffers(2, 0x402)", true, NULL},
        {"4.6", "glDrawBuffers n=2 bufs=[1024,1026]\n", "glDrawBuffers(2, 0x402)", false, NULL},
        {"OpenGL ES 3.2", "glDrawBuffers n=2 bufs=[1024,1026]\n", "glDrawBuffers(2, 0x402)", true, NULL},
        {"4.6", "glDrawBuffers n=2 bufs=[1024,1026]\n", "glDrawBuffers(2, 0x402)", true, "glDrawBuffer"},
        {"4.6", "glBegin mode=4\nglDrawBuffers n=2 bufs=[1024,1026]\n", "glDrawBuffers(2, 0x402)", true,
         NULL},
        {"4.6",
         "glGenFramebuffers n=1 framebuffers=[2]\nglBindFramebuffer target=36009 framebuffer=2\n"
         "glDrawBuffers n=2 bufs=[1024,1026]\n",
         "glDrawBuffers(2, 0x402)", true, NULL},
        {"4.6",
         "glXMakeContextCurrent dpy=0x10 draw=0 read=0 ctx=0x30 = 1\nglDrawBuffers n=2 bufs=[1024,1026]\n",
         "glDrawBuffers(2, 0x402)", true, NULL},
        {"4.6", "glNamedFramebufferDrawBuffers framebuffer=0 n=2 bufs=[1024,1026]\n",
         "named buffers of 0: 2, 0x400", true, NULL},
        {"4.6",
         "glGenFramebuffers n=1 framebuffers=[2]\n"
         "glNamedFramebufferDrawBuffers framebuffer=2 n=2 bufs=[1024,1026]\n",
         "named buffers of 101: 2, 0x400", true, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset(cases[i].version);
        stub_windows.back_is_front = cases[i].back_is_front;
        stub_gl.timers.lacks = cases[i].lacks;
        if (i == 0)
            stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = 5; /* which this version does not have */
        replay(cases[i].calls);
        stub_gl_expect_line(cases[i].line);
        if (strncmp(cases[i].line, "glDrawBuffer(", 13) != 0)
            stub_gl_expect_no_line("glDrawBuffer(");
        stub_gl_expect_no_line("a question");
    }
}

/* A context without a back buffer draws to the front buffers of all drawables, though it names none. */
static void test_single_buffered(void **state)
{
    static const struct replay_options single = {.single_buffered = true};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(i ? &single : NULL, "glPopAttrib\n");
        stub_gl_expect(i ? "glPopAttrib()\nfollow\n" : "glPopAttrib()\n");
    }
}

/* What the window system copies does not depend on a query of the program. */
static void test_conditional_rendering(void **state)
{
#define BEGIN "glGenQueries n=1 ids=[5]\nglBeginConditionalRender id=5 mode=36371\n"
#define BEGUN "glBeginConditionalRender(101, 0x8e13)\n"
#define ENDED "glEndConditionalRender()\n"
    (void)state;
    replay(BEGIN "glDrawBuffer buf=" FRONT "\n");
    stub_gl_expect(BEGUN "glDrawBuffer(0x404)\n" ENDED "follow\n" BEGUN);
    stub_gl_reset("4.6");
    replay(BEGIN "glXSwapBuffers dpy=0x10 drawable=77\n");
    stub_gl_expect(BEGUN "swap 2\n" ENDED "show\n" BEGUN);
#undef BEGIN
#undef BEGUN
#undef ENDED
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
    replay("glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\nglXSwapBuffers dpy=0x10 drawable=77\n");
    stub_gl_expect("current: 0, 0, 0\nswap 2\nshow\n"); /* without a context */
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
    static const struct replay_options keeps = {.check = true};
    stub_gl_reset("4.6"); /* which keeps front buffers */
    stub_gl_replay_printing(&keeps, SWAP DRAW SELECT);
    assert_null(strstr(stub_gl.messages, "the front buffer begins with"));
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
                   "blit 0x4000\nglDrawBuffer(0x405)\nglReadBuffer(0x405)\nfollow\n"
                   "glBindFramebuffer(0x8ca9, 0)\nglBindFramebuffer(0x8ca8, 0)\n");
}

/* --- depth and stencil are in one of the buffers ----------------------------------------------------- */

static void expect_read(const char *call, const char *log, const char *log_elsewhere)
{
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        is_elsewhere = i == 1;
        replay(call);
        stub_gl_expect(i == 1 ? log_elsewhere : log);
    }
    is_elsewhere = false;
}

#define COPY(type)   "glCopyPixels x=1 y=2 width=3 height=4 type=" #type "\n"
#define COPIED(type) "glCopyPixels(1, 2, 3, 4, " #type ")\n"
#define BLIT(parts)                                                                                          \
    "glBlitFramebuffer srcX0=0 srcY0=0 srcX1=1 srcY1=2 dstX0=0 dstY0=0 dstX1=1 dstY1=2 mask=" #parts         \
    " filter=9728\n"
#define BLITTED(part) "blit " #part "\n"
#define IMAGE(format)                                                                                        \
    "glCopyTexImage2D target=3553 level=0 internalformat=" #format " x=0 y=0 width=1 height=1 border=0\n"
#define ELSEWHERE(log) "depth\n" log "colours\n"

static void test_depths(void **state)
{
    static const struct {
        const char *call, *log;
        bool is_depth;
    } cases[] = {
        {COPY(6144), COPIED(0x1800), false}, /* GL_COLOR */
        {COPY(6145), COPIED(0x1801), true},     {COPY(6146), COPIED(0x1802), true},
        {COPY(34041), COPIED(0x84f9), true}, /* GL_DEPTH_STENCIL */
        {COPY(6401), COPIED(0x1901), true},  /* the formats of glReadPixels() */
        {COPY(6402), COPIED(0x1902), true},     {IMAGE(6408), "image 0x1908\n", false},
        {IMAGE(6402), "image 0x1902\n", true},  {IMAGE(33189), "image 0x81a5\n", true},
        {IMAGE(33190), "image 0x81a6\n", true}, {IMAGE(33191), "image 0x81a7\n", true},
        {IMAGE(36012), "image 0x8cac\n", true}, {IMAGE(35056), "image 0x88f0\n", true},
        {IMAGE(36013), "image 0x8cad\n", true}, {BLIT(16384), BLITTED(0x4000), false},
        {BLIT(256), BLITTED(0x100), true},      {BLIT(1024), BLITTED(0x400), true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char elsewhere[200];
        snprintf(elsewhere, sizeof elsewhere, cases[i].is_depth ? ELSEWHERE("%s") : "%s", cases[i].log);
        expect_read(cases[i].call, cases[i].log, elsewhere);
    }
    expect_read(BLIT(17664), BLITTED(0x4500), ELSEWHERE(BLITTED(0x500)) BLITTED(0x4000));
    expect_read("glNewList list=5 mode=4864\n" COPY(6145) "glEndList\n", COPIED(0x1801), COPIED(0x1801));
}

static void test_pictures_of_depths(void **state)
{
    struct replay_options options = {
        .snapshot_all = true, .snapshot_prefix = "-", .snapshot_format = SNAPSHOT_MD5};
    (void)state;
    is_elsewhere = true;
    assert_int_equal(trace_call_set_parse(&options.snapshot_calls, "3"), 0);
    stub_gl_replay_printing(&options, "glClear mask=16384\n");
    trace_call_set_fini(&options.snapshot_calls);
    is_elsewhere = false;
    stub_gl_expect_line("depth");
    stub_gl_expect_line("colours");
}

/* --- clears that Mesa does not make ----------------------------------------------------------------- */

#define CLEAR_COLOURS "glClearBufferfv buffer=6144 drawbuffer=0 value=[1.0,0.0,0.0,1.0]\n"
#define CLEAR_NAMED                                                                                          \
    "glClearNamedFramebufferfv framebuffer=0 buffer=6144 drawbuffer=0 value=[1.0,0.0,0.0,1.0]\n"
#define CLEARED "glClearBufferfv(0x1800, 0, 1)\n"

static bool back_is_front = true;

static void expect_cleared(const char *version, const char *text, const char *log)
{
    stub_gl_reset(version);
    stub_windows.back_is_front = back_is_front;
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
    back_is_front = false;
    expect_cleared("4.6", CLEAR_COLOURS, CLEARED);
    back_is_front = true;
    expect_cleared("4.6", "glBegin mode=4\n" CLEAR_COLOURS "glEnd\n", CLEARED);
}

/* Without the functions that this needs, the driver clears what it clears. */
static void test_clears_of_poor_drivers(void **state)
{
    static const struct {
        const char *lacks, *calls, *log;
    } cases[] = {
        {"glDrawBuffer", CLEAR_COLOURS, CLEARED},
        {"glBindFramebuffer", CLEAR_NAMED, "glClearNamedFramebufferfv(0, 0x1800, 0, 1)\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_windows.back_is_front = true;
        stub_gl.timers.lacks = cases[i].lacks;
        replay(cases[i].calls);
        stub_gl_expect(cases[i].log);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_back_buffers_only),
        TEST(test_all_names_of_front_buffers),
        TEST(test_all_functions),
        TEST(test_lists_and_attributes),
        TEST(test_lists_that_draw),
        TEST(test_contexts),
        TEST(test_no_more_buffers),
        TEST(test_both_outputs),
        TEST(test_other_outputs),
        TEST(test_single_buffered),
        TEST(test_conditional_rendering),
        TEST(test_swaps),
        TEST(test_lost_frames),
        TEST(test_copies),
        TEST(test_depths),
        TEST(test_pictures_of_depths),
        TEST(test_clears),
        TEST(test_clears_of_poor_drivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
