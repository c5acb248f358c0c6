/* SPDX-License-Identifier: MIT
 * Tests what is cleared again when a window grows after it was cleared: which clears count as those of all of
 * it, and what is done without functions that a driver lacks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#define CLEAR       "glClear mask=16384\n"
#define GROW        "glViewport x=0 y=0 width=50 height=60\n"
#define COLOUR(red) "glClearColor red=" red " green=0 blue=0 alpha=1\n"
#define BOX(box)    "glEnable cap=3089\nglScissor " box "\n"
/* The program is told that its window has another size, wherever it asks. */
#define TOLD "glXQueryDrawable dpy=0x10 draw=77 attribute=32797 value=[50]\n"

static void reset(const char *version)
{
    stub_gl_reset(version);
    stub_gl.logs_flushes = true;
    stub_gl.integers[GL_COLOR_WRITEMASK] = 15;
}

/* A program whose scissor box ends within the window, or exactly where it does, clears a part: what it had
 * cleared all of the window to is in the rest. */
static void test_parts(void **state)
{
    static const struct {
        const char *box;
        bool is_part;
    } cases[] = {{"x=0 y=0 width=32 height=32", true},   {"x=0 y=0 width=31 height=40", true},
                 {"x=0 y=0 width=40 height=31", true},   {"x=1 y=0 width=40 height=40", true},
                 {"x=0 y=1 width=40 height=40", true},   {"x=0 y=0 width=33 height=32", false},
                 {"x=0 y=0 width=32 height=33", false},  {"x=0 y=0 width=40 height=40", false},
                 {"x=-1 y=0 width=33 height=32", true},  {"x=0 y=-1 width=32 height=33", true},
                 {"x=-1 y=-1 width=34 height=34", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[400], line[99];
        snprintf(calls, sizeof calls, COLOUR("0.5") CLEAR BOX("%s") COLOUR("0.25") CLEAR GROW, cases[i].box);
        snprintf(line, sizeof line, "glClearColor(%s)\nglScissor(0, 0, 50, 60)\nglClear(0x4000)",
                 cases[i].is_part ? "0.5" : "0.25");
        reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line(line);
    }
}

static unsigned count_lines(const char *part)
{
    unsigned count = 0;
    for (const char *at = stub_gl.log; (at = strstr(at, part)) != NULL; ++at)
        count++;
    return count;
}

/* Off-screen, what is new is cleared; there may be none beside the old pixels, or above them. */
static void test_new_parts(void **state)
{
    static const struct {
        const char *size;
        const char *boxes[2];
    } cases[] = {
        {"width=50 height=60", {"glScissor(0, 32, 50, 28)", "glScissor(32, 0, 18, 32)"}},
        {"width=32 height=60", {"glScissor(0, 32, 32, 28)", NULL}},
        {"width=50 height=32", {"glScissor(32, 0, 18, 32)", NULL}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[200];
        unsigned count = cases[i].boxes[1] != NULL ? 2 : 1;
        snprintf(calls, sizeof calls, CLEAR "glViewport x=0 y=0 %s\n", cases[i].size);
        reset("4.6");
        stub_windows.is_offscreen = true;
        stub_gl_replay(NULL, calls);
        assert_int_equal(count_lines("glClear(0x4000)\n"), 1 + count);
        for (unsigned k = 0; k < count; ++k)
            stub_gl_expect_line(cases[i].boxes[k]);
    }
}

/* What is new is beside and above what was there, whatever its shape. */
static void test_new_parts_of_shapes(void **state)
{
    (void)state;
    reset("4.6");
    stub_windows.is_offscreen = true;
    stub_gl_replay(NULL, GROW CLEAR "glViewport x=0 y=0 width=70 height=80\n");
    stub_gl_expect_line("glScissor(0, 60, 70, 20)");
    stub_gl_expect_line("glScissor(50, 0, 20, 60)");
}

/* Only a box is cleared, and all that this takes is as before. */
static void test_state_stays(void **state)
{
    (void)state;
    static const GLfloat colour[] = {0.5F, 0.25F, 0.75F, 1};
    static const GLint box[] = {1, 2, 3, 4};
    reset("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = GL_BACK;
    stub_gl_replay(NULL,
                   "glClearColor red=0.5 green=0.25 blue=0.75 alpha=1\n" CLEAR
                   "glScissor x=1 y=2 width=3 height=4\nglEnable cap=35977\n" /* GL_RASTERIZER_DISCARD */
                   "glDrawBuffer mode=1028\n" GROW);
    stub_gl_expect_line("glDrawBuffer(0x405)\nglClearColor(0.5)\nglScissor(0, 0, 50, 60)\nglClear(0x4000)\n"
                        "glClearColor(0.5)\nglDrawBuffer(0x404)");
    assert_true(stub_gl.has_cleared_box);
    assert_false(stub_gl.has_cleared_nothing);
    assert_memory_equal(stub_gl.clear_colour, colour, sizeof colour);
    assert_memory_equal(stub_gl.scissor, box, sizeof box);
    assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 0);
    assert_int_equal(stub_gl.integers[GL_RASTERIZER_DISCARD], 1);
    assert_int_equal(stub_gl.integers[GL_DRAW_BUFFER], GL_FRONT);
}

/* A window may be cleared by its name, 0. That of a framebuffer object is none of its. */
static void test_named_clears(void **state)
{
    (void)state;
#define NAMED(framebuffer)                                                                                   \
    "glClearNamedFramebufferfv framebuffer=" framebuffer " buffer=6144 drawbuffer=0 value=[0.75,0,0,1]\n"
    reset("4.6");
    stub_gl_replay(NULL, NAMED("0") GROW);
    stub_gl_expect_line("glClearColor(0.75)\nglScissor(0, 0, 50, 60)\nglClear(0x4000)");
    reset("4.6");
    stub_gl_replay(NULL, NAMED("5") GROW);
    stub_gl_expect_no_line("glClear(");
#undef NAMED
}

/* The values that the program has set for its next clear stay. */
static void test_next_values_stay(void **state)
{
    (void)state;
    static const GLfloat colour[] = {0.25F, 0.5F, 1, 0};
    reset("4.6");
    stub_gl_replay(NULL, "glClearColor red=0.5 green=0.25 blue=0.75 alpha=1\n" CLEAR
                         "glClearColor red=0.25 green=0.5 blue=1 alpha=0\nglEnable cap=3089\n" GROW);
    stub_gl_expect_line("glClear(0x4000)\nglClearColor(0.25)");
    assert_memory_equal(stub_gl.clear_colour, colour, sizeof colour);
    assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 1);
}

/* Between glBegin() and glEnd(), and while a list is made, nothing can be cleared. */
static void test_nothing_can_be_cleared(void **state)
{
    static const char *const calls[] = {CLEAR "glBegin mode=4\n" TOLD "glEnd\n",
                                        "glBegin mode=4\n" TOLD "glEnd\n"};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        reset("4.6");
        stub_gl_replay(NULL, calls[i]);
        assert_non_null(strstr(stub_gl.log, "resize 2: 50 x 32"));
        stub_gl_expect_no_line("glScissor");
        stub_gl_expect_no_line("a question");
    }
}

/* Without functions that clears need, there are none but the program's. */
static void test_drivers_that_cannot_clear(void **state)
{
    static const char *const lacks[] = {"glScissor", "glColorMask", "glDepthMask", "glGetFloatv"};
    (void)state;
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        reset("4.6");
        stub_gl.timers.lacks = lacks[i];
        stub_gl_replay(NULL, CLEAR GROW);
        assert_int_equal(stub_gl.rc, 0);
        stub_gl_expect_line("resize 2: 50 x 60, keeping it");
        assert_int_equal(count_lines("glClear(0x4000)\n"), 1);
        stub_gl_expect_no_line("glClearColor");
    }
}

/* Values that a driver cannot set stay. It may tell and take depths as floats. */
static void test_drivers_without_values(void **state)
{
    static const struct {
        const char *version, *lacks, *set;
    } cases[] = {
        {"4.6", NULL, "glClearColor(0.5)\nglClearDepth(25)\nglClearStencil(3)\n"},
        {"4.6", "glGetDoublev", "glClearColor(0.5)\nglClearDepth(0.25)\nglClearStencil(3)\n"},
        {"4.6", "glClearColor", "glClearDepth(25)\nglClearStencil(3)\n"},
        {"4.6", "glClearDepth", "glClearColor(0.5)\nglClearDepthf(25)\nglClearStencil(3)\n"},
        {"4.6", "glClearStencil", "glClearColor(0.5)\nglClearDepth(25)\n"},
        {"OpenGL ES 3.2", NULL, "glClearColor(0.5)\nglClearDepthf(0.25)\nglClearStencil(3)\n"},
        {"OpenGL ES 3.2", "glClearDepthf", "glClearColor(0.5)\nglClearStencil(3)\n"},
        {"OpenGL ES 2.0", NULL, "glClearColor(0.5)\nglClearDepthf(0.25)\nglClearStencil(3)\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char line[200];
        reset(cases[i].version);
        stub_gl.timers.lacks = cases[i].lacks;
        stub_gl.integers[GL_COLOR_CLEAR_VALUE] = 50; /* hundredths; doubles are whole */
        stub_gl.integers[GL_DEPTH_CLEAR_VALUE] = 25;
        stub_gl.integers[GL_STENCIL_CLEAR_VALUE] = 3;
        stub_gl_replay(NULL, "glClear mask=17664\n" GROW); /* colours, depth and stencil */
        snprintf(line, sizeof line, "%sglScissor(0, 0, 50, 60)\nglClear(0x4500)", cases[i].set);
        stub_gl_expect_line(line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_new_parts),
        cmocka_unit_test(test_new_parts_of_shapes),
        cmocka_unit_test(test_state_stays),
        cmocka_unit_test(test_next_values_stay),
        cmocka_unit_test(test_named_clears),
        cmocka_unit_test(test_nothing_can_be_cleared),
        cmocka_unit_test(test_drivers_that_cannot_clear),
        cmocka_unit_test(test_drivers_without_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
