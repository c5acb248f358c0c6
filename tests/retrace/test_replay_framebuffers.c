/* SPDX-License-Identifier: MIT
 * Tests replays of framebuffers: snapshots, and the size of windows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "stub_gl.h"

/* Returns options for snapshots of these calls, as pictures on the standard output, which is discarded. */
static struct replay_options snapshots_of(const char *calls)
{
    struct replay_options o = {.snapshot_prefix = "-", .snapshot_format = SNAPSHOT_MD5};
    assert_int_equal(trace_call_set_parse(&o.snapshot_calls, calls), 0);
    return o;
}

/* A snapshot neither depends on the program's state nor changes it. */
static void test_state_around_a_snapshot(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    stub_gl_reset("4.6");
    stub_gl_replay(&o, "glGenBuffers n=1 buffer=[1]\n"
                       "glGenFramebuffers n=2 framebuffers=[2,3]\n"
                       "glPixelStorei pname=3330 param=500\n"
                       "glPixelStorei pname=3331 param=3\n"
                       "glPixelStorei pname=3332 param=5\n"
                       "glPixelStorei pname=3333 param=8\n"
                       "glPixelStorei pname=3328 param=1\n"  /* GL_PACK_SWAP_BYTES */
                       "glPixelStorei pname=34648 param=1\n" /* GL_PACK_INVERT_MESA */
                       "glBindBuffer target=35051 buffer=1\n"
                       "glBindFramebuffer target=36008 framebuffer=2\n"
                       "glReadBuffer src=1028\n"
                       "glDrawArrays mode=4 first=0 count=3\n");
    stub_gl_expect_line("glReadPixels(32 x 32) of framebuffer 0, buffer 0x405, alignment 1, row length 0, "
                        "skips 0 and 0");
    stub_gl_expect_line("glPixelStorei(0xd00, 0)\nglPixelStorei(0x8758, 0)");
    stub_gl_expect_line("glPixelStorei(0xd00, 1)\nglPixelStorei(0x8758, 1)");
    assert_int_equal(stub_gl.integers[GL_PACK_SWAP_BYTES], 1);
    assert_int_equal(stub_gl.integers[GL_PACK_INVERT_MESA], 1);
    assert_int_equal(stub_gl.integers[GL_PACK_ROW_LENGTH], 500);
    assert_int_equal(stub_gl.integers[GL_PACK_SKIP_ROWS], 3);
    assert_int_equal(stub_gl.integers[GL_PACK_SKIP_PIXELS], 5);
    assert_int_equal(stub_gl.integers[GL_PACK_ALIGNMENT], 8);
    assert_int_equal(stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING], 101);
    assert_int_equal(stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], 102);
    assert_int_equal(stub_gl.integers[GL_READ_BUFFER], 1028);
    trace_call_set_fini(&o.snapshot_calls);
}

/* A snapshot is taken after a draw, but before a call that ends a frame or changes what is drawn to. */
static void test_when_snapshots_are_taken(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("*/draw");
    static const char calls[] = "glGenFramebuffers n=1 framebuffers=[2]\n"
                                "glBindFramebuffer target=36160 framebuffer=2\n"
                                "glDrawArrays mode=4 first=0 count=3\n"
                                "glBindFramebuffer target=36160 framebuffer=0\n"
                                "glXSwapBuffers dpy=0x10 drawable=77\n";
    stub_gl_reset("4.6");
    stub_gl_replay(&o, calls);
    const char *draw = strstr(stub_gl.log, "glDrawArrays"),
               *picture = strstr(stub_gl.log, "glReadPixels(3 x 2)");
    assert_non_null(draw);
    assert_non_null(picture);
    assert_true(draw < picture);
    assert_null(strstr(picture + 1, "glReadPixels"));
    trace_call_set_fini(&o.snapshot_calls);

    o = snapshots_of("*/fbo");
    stub_gl_reset("4.6");
    stub_gl_replay(&o, calls);
    const char *first = strstr(stub_gl.log, "glBindFramebuffer(0x8d40, 101)"),
               *second = strstr(stub_gl.log, "glBindFramebuffer(0x8d40, 0)");
    picture = strstr(stub_gl.log, "glReadPixels(32 x 32)");
    assert_non_null(first);
    assert_non_null(second);
    assert_non_null(picture);
    assert_true(picture < first);
    picture = strstr(first, "glReadPixels(3 x 2)");
    assert_non_null(picture);
    assert_true(picture < second);
    trace_call_set_fini(&o.snapshot_calls);

    o = snapshots_of("*/frame");
    stub_gl_reset("4.6");
    stub_gl_replay(&o, calls);
    picture = strstr(stub_gl.log, "glReadPixels(32 x 32)");
    assert_non_null(picture);
    assert_true(picture < strstr(stub_gl.log, "swap 2"));
    assert_null(strstr(picture + 1, "glReadPixels"));
    trace_call_set_fini(&o.snapshot_calls);
}

#define DRAW_TO_FRAMEBUFFER                                                                                  \
    "glGenFramebuffers n=1 framebuffers=[2]\n"                                                               \
    "glBindFramebuffer target=36160 framebuffer=2\n"                                                         \
    "glDrawArrays mode=4 first=0 count=3\n"

/* A snapshot has the size of the attached texture's level, whatever the target. Bindings are restored. */
static void test_attached_textures(void **state)
{
    (void)state;
    static const GLenum bindings[][2] = {{GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
                                         {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP},
                                         {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D}};
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; ++i) {
        struct replay_options o = snapshots_of("draw");
        stub_gl_reset("4.6");
        stub_gl.texture_target = bindings[i][0];
        stub_gl.integers[bindings[i][1]] = 7;
        stub_gl_replay(&o, DRAW_TO_FRAMEBUFFER);
        stub_gl_expect_line(
            "glReadPixels(5 x 4) of framebuffer 101, buffer 0x405, alignment 1, row length 0, "
            "skips 0 and 0");
        assert_int_equal(stub_gl.integers[bindings[i][1]], 7);
        trace_call_set_fini(&o.snapshot_calls);
    }
}

/* What is drawn to is copied, and nothing of what the program reads. A copy of depths has no colours. */
static void test_samples_of_what_is_not_read(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    stub_gl_reset("4.6");
    stub_gl.samples = 4;
    stub_gl.shows_framebuffers = true;
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_COLOR_ATTACHMENT0;
    stub_gl_replay(&o,
                   "glGenFramebuffers n=1 framebuffers=[2]\nglBindFramebuffer target=36009 framebuffer=2\n"
                   "glDrawArrays mode=4 first=0 count=3\n");
    stub_gl_expect_line("from framebuffer 101, buffer 0x8ce0, to framebuffer 102, buffer 0x8ce0");
    assert_int_equal(stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], 0);
    assert_int_equal(stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING], 101);
    o.snapshot_all = true;
    stub_gl_reset("4.6");
    stub_gl.samples = 4;
    stub_gl.format = GL_DEPTH24_STENCIL8;
    stub_gl.integers[GL_DRAW_BUFFER] = GL_COLOR_ATTACHMENT0;
    stub_gl_replay(&o, DRAW_TO_FRAMEBUFFER);
    stub_gl_expect_line("glFramebufferRenderbuffer(0x821a, 105)\nglDrawBuffer(0x0)");
    trace_call_set_fini(&o.snapshot_calls);
}

/* Samples are resolved to a complete copy, even if the program uses the scissor test. */
static void test_resolved_samples(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    stub_gl_reset("4.6");
    stub_gl.samples = 4;
    stub_gl.integers[GL_SCISSOR_TEST] = 1;
    stub_gl.integers[GL_RENDERBUFFER_BINDING] = 8;
    stub_gl_replay(&o, DRAW_TO_FRAMEBUFFER "glReadBuffer src=1028\n");
    stub_gl_expect_line("glRenderbufferStorage(103, 0x8058, 3 x 2)");
    stub_gl_expect_line("glFramebufferRenderbuffer(0x8ce0, 103)");
    stub_gl_expect_line("glBlitFramebuffer(0, 0, 3, 2)");
    stub_gl_expect_no_line("(cut)");
    stub_gl_expect_no_line("is no target of renderbuffers");
    stub_gl_expect_line("glReadPixels(3 x 2) of framebuffer 102, buffer 0x8ce0, alignment 1, row length 0, "
                        "skips 0 and 0");
    stub_gl_expect_line("glDeleteFramebuffers(102)");
    stub_gl_expect_line("glDeleteRenderbuffers(103)");
    assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 1);
    assert_int_equal(stub_gl.integers[GL_RENDERBUFFER_BINDING], 8);
    assert_int_equal(stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING], 101);
    assert_int_equal(stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], 101);

    stub_gl_reset("4.6"); /* what is drawn to is read, though the program reads another attachment */
    stub_gl.samples = 4;
    stub_gl.shows_framebuffers = true;
    stub_gl.integers[GL_READ_BUFFER] = GL_COLOR_ATTACHMENT5;
    stub_gl_replay(&o, DRAW_TO_FRAMEBUFFER);
    stub_gl_expect_line("glReadBuffer(0x405)\nglBlitFramebuffer(0, 0, 3, 2)\nfrom framebuffer 101, buffer "
                        "0x405, to framebuffer 102, buffer 0x405");
    assert_int_equal(stub_gl.integers[GL_READ_BUFFER], GL_COLOR_ATTACHMENT5);
    trace_call_set_fini(&o.snapshot_calls);
}

/* Pictures of framebuffer objects have four channels, those of windows three, as in apitrace. */
static void test_channels(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    o.snapshot_format = SNAPSHOT_RGB;
    stub_gl_reset("4.6");
    assert_int_equal(stub_gl_replay_printing(&o, "glDrawArrays mode=4 first=0 count=3\n"), 32 * 32 * 3);
    stub_gl_reset("4.6");
    assert_int_equal(stub_gl_replay_printing(&o, DRAW_TO_FRAMEBUFFER), 3 * 2 * 4);
    stub_gl_reset("OpenGL ES 3.2");
    assert_int_equal(stub_gl_replay_printing(&o, "glDrawArrays mode=4 first=0 count=3\n"), 32 * 32 * 4);
    trace_call_set_fini(&o.snapshot_calls);
}

/* The alpha channel of a window is kept on demand. The window is shown although a framebuffer object is
 * bound.
 */
static void test_alpha_and_back_buffer(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    o.snapshot_format = SNAPSHOT_RGB;
    o.snapshot_alpha = true;
    stub_gl_reset("4.6");
    assert_int_equal(stub_gl_replay_printing(&o, "glDrawArrays mode=4 first=0 count=3\n"), 32 * 32 * 4);
    o.snapshot_alpha = false;
    o.snapshot_back_buffer = true;
    stub_gl_reset("4.6");
    assert_int_equal(stub_gl_replay_printing(&o, DRAW_TO_FRAMEBUFFER), 32 * 32 * 3);
    stub_gl_expect_line("glReadPixels(32 x 32) of framebuffer 0, buffer 0x405, alignment 1, row length 0, "
                        "skips 0 and 0");
    assert_int_equal(stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], 101);
    trace_call_set_fini(&o.snapshot_calls);
}

#define PLAIN              "alignment 1, row length 0, skips 0 and 0"
#define READ(buffer, rest) "glReadPixels(3 x 2) of framebuffer 101, buffer " buffer ", " PLAIN rest

/* Stencil values, depths, and the colours of all outputs that are drawn to, in this order. */
static void test_all_attachments(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    o.snapshot_format = SNAPSHOT_RGB;
    o.snapshot_all = true;
    stub_gl_reset("4.6");
    stub_gl.integers[GL_MAX_DRAW_BUFFERS] = 3;
    stub_gl.integers[GL_DRAW_BUFFER] = GL_COLOR_ATTACHMENT0;
    stub_gl.integers[GL_DRAW_BUFFER1] = GL_NONE;
    stub_gl.integers[GL_DRAW_BUFFER2] = GL_COLOR_ATTACHMENT4;
    assert_int_equal(stub_gl_replay_printing(&o, DRAW_TO_FRAMEBUFFER), 3 * 2 * (1 + 4 + 4 + 4));
    stub_gl_expect_line(READ("0x405", ", stencils"));
    stub_gl_expect_line(READ("0x405", ", depths"));
    stub_gl_expect_line(READ("0x8ce0", ""));
    stub_gl_expect_line(READ("0x8ce4", ""));
    const char *stencils = strstr(stub_gl.log, "stencils"), *depths = strstr(stub_gl.log, "depths");
    assert_true(stencils < depths && depths < strstr(stub_gl.log, "0x8ce0, alignment"));
    assert_int_equal(stub_gl.integers[GL_READ_BUFFER], GL_BACK);
    trace_call_set_fini(&o.snapshot_calls);
}

static void resolve_all(const struct replay_options *o, GLint format)
{
    stub_gl_reset("4.6");
    stub_gl.integers[GL_MAX_DRAW_BUFFERS] = 1;
    stub_gl.integers[GL_RENDERBUFFER_BINDING] = 8;
    stub_gl.samples = 4;
    stub_gl.format = format;
    stub_gl_replay(o, DRAW_TO_FRAMEBUFFER);
    assert_int_equal(stub_gl.integers[GL_RENDERBUFFER_BINDING], 8);
    assert_int_equal(stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING], 101);
    assert_int_equal(stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], 101);
}

/* Depth and stencil in one image are copied together. */
static void test_resolved_depths(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    o.snapshot_all = true;
    resolve_all(&o, GL_DEPTH24_STENCIL8);
    stub_gl_expect_line("glRenderbufferStorage(103, 0x88f0, 3 x 2)");
    stub_gl_expect_line("glFramebufferRenderbuffer(0x821a, 103)");
    stub_gl_expect_line("glFramebufferRenderbuffer(0x821a, 105)");
    resolve_all(&o, GL_DEPTH32F_STENCIL8);
    stub_gl_expect_line("glFramebufferRenderbuffer(0x821a, 103)");
    stub_gl_expect_line("glFramebufferRenderbuffer(0x821a, 105)");
    resolve_all(&o, GL_DEPTH_STENCIL);
    stub_gl_expect_line("glFramebufferRenderbuffer(0x821a, 103)");
    resolve_all(&o, GL_DEPTH_COMPONENT16);
    stub_gl_expect_line("glFramebufferRenderbuffer(0x8d20, 103)");
    stub_gl_expect_line("glFramebufferRenderbuffer(0x8d00, 105)");
    trace_call_set_fini(&o.snapshot_calls);
}

/* Only every third picture is read. */
static void test_interval_of_snapshots(void **state)
{
    (void)state;
    struct replay_options o = snapshots_of("draw");
    o.snapshot_format = SNAPSHOT_RGB;
    o.snapshot_interval = 3;
    stub_gl_reset("4.6");
    assert_int_equal(stub_gl_replay_printing(&o, "glDrawArrays mode=4 first=0 count=3\n"
                                                 "glDrawArrays mode=4 first=0 count=3\n"
                                                 "glDrawArrays mode=4 first=0 count=3\n"
                                                 "glDrawArrays mode=4 first=0 count=3\n"
                                                 "glDrawArrays mode=4 first=0 count=3\n"),
                     2 * 32 * 32 * 3);
    trace_call_set_fini(&o.snapshot_calls);
}

/* Windows grow to contain what is drawn, whatever the direction of a blit. */
static void test_growing_windows(void **state)
{
    (void)state;
#define BLIT(x0, y0, x1, y1)                                                                                 \
    "glBlitFramebuffer srcX0=0 srcY0=0 srcX1=8 srcY1=8 dstX0=" #x0 " dstY0=" #y0 " dstX1=" #x1 " dstY1=" #y1 \
    " mask=16384 filter=9728\n"
    stub_gl_reset("4.6");
    stub_windows.is_offscreen = true;
    stub_gl_replay(NULL, "glViewport x=10 y=20 width=30 height=5\n" BLIT(200, 0, 0, 100) BLIT(0, 300, 50, 0)
                             BLIT(10, 10, 20, 20) "glGenFramebuffers n=1 framebuffers=[2]\n"
                                                  "glBindFramebuffer target=36160 framebuffer=2\n" BLIT(
                                                      0, 0, 1000, 1000));
    stub_gl_expect("resize 2: 40 x 32\n"
                   "glViewport(10, 20, 30, 5)\n"
                   "resize 2: 200 x 100\n"
                   "glBlitFramebuffer(200, 0, 0, 100)\n"
                   "resize 2: 200 x 300, keeping it\n"
                   "glBlitFramebuffer(0, 300, 50, 0)\n"
                   "glBlitFramebuffer(10, 10, 20, 20)\n"
                   "glBindFramebuffer(0x8d40, 101)\n"
                   "glBlitFramebuffer(0, 0, 1000, 1000)\n");
#undef BLIT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_around_a_snapshot),
        cmocka_unit_test(test_when_snapshots_are_taken),
        cmocka_unit_test(test_attached_textures),
        cmocka_unit_test(test_resolved_samples),
        cmocka_unit_test(test_samples_of_what_is_not_read),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_alpha_and_back_buffer),
        cmocka_unit_test(test_all_attachments),
        cmocka_unit_test(test_resolved_depths),
        cmocka_unit_test(test_interval_of_snapshots),
        cmocka_unit_test(test_growing_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
