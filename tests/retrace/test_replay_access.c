/* SPDX-License-Identifier: MIT
 * Tests how a driver is made to write to the window, and that all is as before afterwards: in contexts of
 * all versions, by the functions that the driver has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "call/write_access.h"
#include "stub_gl.h"

#define ES true

static struct gl_functions gl;

/* A driver that has everything but a function; NULL: everything. */
static void reset(const char *lacks)
{
    stub_gl_reset("4.6");
    stub_gl.has_indexed = stub_gl.logs_flushes = true;
    stub_gl.timers.lacks = lacks;
    gl_functions_load(&gl, &stub_windows);
    stub_gl.log[0] = '\0';
}

static struct gl_access access_to(bool is_es, int version)
{
    return (struct gl_access){&gl, is_es, version};
}

/* --- versions ------------------------------------------------------------------------------------------- */

/* What is no version leaves the one that was known. */
static void test_versions(void **state)
{
    static const struct {
        const char *text;
        bool is_es;
        int version;
    } cases[] = {
        {NULL, false, 11},
        {"4.6 (Core Profile)", false, 46},
        {"OpenGL ES 3.2 Mesa", ES, 32},
        {"OpenGL ES-CM 1.1", ES, 11},
        {"OpenGL 2.1", false, 21},
        {"none", false, 77},
        {"", false, 77},
        {"4", false, 77},
        {"46", false, 77},
        {"OpenGL ES 3", ES, 77},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bool is_es = !cases[i].is_es;
        int version = 77;
        gl_version_parse(cases[i].text, &is_es, &version);
        assert_int_equal(is_es, cases[i].is_es);
        assert_int_equal(version, cases[i].version);
    }
}

/* --- scissor boxes -------------------------------------------------------------------------------------- */

/* Where there are several, that of the first viewport is set, and no other one. */
static void test_scissor_boxes(void **state)
{
    static const struct {
        bool is_es;
        int version;
        const char *lacks;
        bool is_indexed;
    } cases[] = {
        {false, 46, NULL, true},
        {false, 41, NULL, true},
        {false, 40, NULL, false},
        {ES, 46, NULL, false},
        {false, 46, "glEnablei", false},
        {false, 46, "glDisablei", false},
        {false, 46, "glScissorIndexed", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset(cases[i].lacks);
        struct gl_access a = access_to(cases[i].is_es, cases[i].version);
        scissor_set(&a, 1, 2, 3, 4);
        scissor_enable(&a, true);
        assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 1);
        scissor_enable(&a, false);
        assert_int_equal(stub_gl.integers[GL_SCISSOR_TEST], 0);
        assert_string_equal(stub_gl.log, cases[i].is_indexed
                                             ? "glScissorIndexed(0, 1, 2, 3, 4)\nglEnablei(0xc11, 0)\n"
                                               "glDisablei(0xc11, 0)\n"
                                             : "glScissor(1, 2, 3, 4)\n");
    }
}

/* Only the scissor test has several. */
static void test_hindrances(void **state)
{
    static const GLenum all[] = {GL_SCISSOR_TEST, GL_RASTERIZER_DISCARD, GL_FRAMEBUFFER_SRGB};
    static const struct {
        bool is_es, for_copy;
        unsigned lifted;
    } cases[] = {{false, false, 2}, {false, true, 3}, {ES, false, 2}, {ES, true, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct hindrances h;
        reset(NULL);
        struct gl_access a = access_to(cases[i].is_es, 32);
        for (unsigned k = 0; k < 3; ++k)
            stub_gl.integers[all[k]] = 1;
        hindrances_lift(&a, &h, cases[i].for_copy);
        for (unsigned k = 0; k < 3; ++k)
            assert_int_equal(stub_gl.integers[all[k]], k >= cases[i].lifted);
        hindrances_restore(&a, &h);
        for (unsigned k = 0; k < 3; ++k)
            assert_int_equal(stub_gl.integers[all[k]], 1);
        hindrances_lift(&(struct gl_access){&gl, false, 46}, &h, false);
        stub_gl_expect_line("glDisablei(0xc11, 0)");
        stub_gl_expect_no_line("glDisablei(0x8c89");
    }
}

/* --- masks ---------------------------------------------------------------------------------------------- */

/* If a channel is masked, whichever, all are opened. Masks of other outputs stay. */
static void test_masks_of_colours(void **state)
{
    (void)state;
    for (int i = 0; i < 32; ++i) {
        struct write_masks old;
        char expected[100];
        const char *function = i < 16 ? "glColorMaski(0, " : "glColorMask(";
        int mask = i % 16;
        reset("glStencilMaskSeparate");
        struct gl_access a = access_to(false, i < 16 ? 46 : 21);
        stub_gl.integers[GL_COLOR_WRITEMASK] = mask;
        stub_gl.integers[GL_DEPTH_WRITEMASK] = 1;
        write_masks_open(&a, &old);
        write_masks_restore(&a, &old);
        snprintf(expected, sizeof expected, "%s1, 1, 1, 1)\n%s%d, %d, %d, %d)\n", function, function,
                 mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3);
        assert_string_equal(stub_gl.log, mask == 15 ? "" : expected);
    }
}

/* Older contexts have one mask of colours. */
static void test_masks_of_versions(void **state)
{
    static const struct {
        bool is_es;
        int version;
        const char *lacks;
        bool is_indexed;
    } cases[] = {
        {false, 30, NULL, true}, {false, 21, NULL, false},           {ES, 32, NULL, true},
        {ES, 31, NULL, false},   {false, 46, "glColorMaski", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct write_masks old;
        reset(cases[i].lacks);
        struct gl_access a = access_to(cases[i].is_es, cases[i].version);
        stub_gl.integers[GL_STENCIL_WRITEMASK] = 3;
        write_masks_open(&a, &old);
        write_masks_restore(&a, &old);
        assert_string_equal(stub_gl.log, cases[i].is_indexed
                                             ? "glColorMaski(0, 1, 1, 1, 1)\nglDepthMask(1)\n"
                                               "glStencilMaskSeparate(0x404, 0xffffffff)\n"
                                               "glStencilMaskSeparate(0x404, 0x3)\nglDepthMask(0)\n"
                                               "glColorMaski(0, 0, 0, 0, 0)\n"
                                             : "glColorMask(1, 1, 1, 1)\nglDepthMask(1)\n"
                                               "glStencilMaskSeparate(0x404, 0xffffffff)\n"
                                               "glStencilMaskSeparate(0x404, 0x3)\nglDepthMask(0)\n"
                                               "glColorMask(0, 0, 0, 0)\n");
    }
}

/* --- selected buffers ----------------------------------------------------------------------------------- */

struct selection_case {
    bool is_es;
    int version;
    const char *lacks;
    GLenum first, second; /* that the program has selected; GL_NONE: no second one */
    const char *log;
};

/* Old contexts have one output, and so have drivers that cannot select several. */
static void test_buffers_to_draw(void **state)
{
    static const struct selection_case cases[] = {
        {false, 46, NULL, GL_FRONT, GL_NONE, "glDrawBuffer(0x405)\nglDrawBuffer(0x404)\n"},
        {false, 46, NULL, GL_BACK, GL_NONE, ""},
        {false, 30, NULL, GL_FRONT, GL_BACK, "glDrawBuffer(0x405)\nglDrawBuffers(0x404, 0x405)\n"},
        {false, 30, NULL, GL_BACK, GL_FRONT, "glDrawBuffer(0x405)\nglDrawBuffers(0x405, 0x404)\n"},
        {false, 30, NULL, GL_NONE, GL_FRONT, ""},
        {false, 21, NULL, GL_FRONT, GL_BACK, "glDrawBuffer(0x405)\nglDrawBuffer(0x404)\n"},
        {false, 21, NULL, GL_BACK, GL_FRONT, ""},
        {false, 46, "glDrawBuffers", GL_FRONT, GL_BACK, "glDrawBuffer(0x405)\nglDrawBuffer(0x404)\n"},
        {false, 46, "glDrawBuffer", GL_FRONT, GL_NONE, ""},
        {ES, 30, NULL, GL_NONE, GL_NONE, "glDrawBuffers(0x405, 0x0)\nglDrawBuffers(0x0, 0x0)\n"},
        {ES, 30, NULL, GL_BACK, GL_NONE, ""},
        {ES, 20, NULL, GL_NONE, GL_NONE, ""},
        {ES, 30, "glDrawBuffers", GL_NONE, GL_NONE, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct selection_case *c = &cases[i];
        struct buffer_selection old;
        reset(c->lacks);
        struct gl_access a = access_to(c->is_es, c->version);
        stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_DRAW_BUFFER0] = (GLint)c->first;
        stub_gl.integers[GL_DRAW_BUFFER1] = (GLint)c->second;
        draw_buffer_select(&a, GL_BACK, &old);
        draw_buffer_restore(&a, &old);
        if (strcmp(stub_gl.log, c->log) != 0)
            fail_msg("case %zu:\n%s", i, stub_gl.log);
    }
}

static void test_buffers_to_read(void **state)
{
    static const struct selection_case cases[] = {
        {false, 20, NULL, GL_FRONT, GL_NONE, "glReadBuffer(0x405)\nglReadBuffer(0x404)\n"},
        {false, 46, NULL, GL_BACK, GL_NONE, ""},
        {ES, 30, NULL, GL_NONE, GL_NONE, "glReadBuffer(0x405)\nglReadBuffer(0x0)\n"},
        {ES, 30, NULL, GL_FRONT, GL_NONE, ""},
        {ES, 20, NULL, GL_NONE, GL_NONE, ""},
        {ES, 30, "glReadBuffer", GL_NONE, GL_NONE, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct selection_case *c = &cases[i];
        struct buffer_selection old;
        reset(c->lacks);
        struct gl_access a = access_to(c->is_es, c->version);
        stub_gl.integers[GL_READ_BUFFER] = (GLint)c->first;
        read_buffer_select(&a, GL_BACK, &old);
        read_buffer_restore(&a, &old);
        if (strcmp(stub_gl.log, c->log) != 0)
            fail_msg("case %zu:\n%s", i, stub_gl.log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),          cmocka_unit_test(test_scissor_boxes),
        cmocka_unit_test(test_hindrances),        cmocka_unit_test(test_masks_of_colours),
        cmocka_unit_test(test_masks_of_versions), cmocka_unit_test(test_buffers_to_draw),
        cmocka_unit_test(test_buffers_to_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
