/* SPDX-License-Identifier: MIT
 * Tests snapshots in contexts of all versions and of framebuffers of all kinds: what the driver is asked,
 * that its state is as before, and what happens if there is no picture.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "stub_gl.h"

#include "base/error.h"

#define DRAW "glDrawArrays mode=4 first=0 count=3\n"
#define BIND                                                                                                 \
    "glGenFramebuffers n=1 framebuffers=[2]\n"                                                               \
    "glBindFramebuffer target=36160 framebuffer=2\n"

static struct replay_options options;

/* Pictures of all draws go to the standard output. */
static int set_up(void **state)
{
    (void)state;
    options = (struct replay_options){.snapshot_prefix = "-", .snapshot_format = SNAPSHOT_RGB};
    return trace_call_set_parse(&options.snapshot_calls, "*/draw");
}

static int tear_down(void **state)
{
    (void)state;
    trace_call_set_fini(&options.snapshot_calls);
    return 0;
}

/* Only state that the version has is set, and all of it is restored in the reverse order. */
static void test_state_of_versions(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool rows, pack_buffer, framebuffer, read_buffer;
    } cases[] = {
        {"1.4", true, false, false, true},
        {"2.0", true, false, false, true},
        {"2.1", true, true, false, true},
        {"3.0", true, true, true, true},
        {"OpenGL ES-CM 1.1", false, false, false, false},
        {"OpenGL ES 2.0", false, false, false, false},
        {"OpenGL ES 3.0", true, true, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char expected[2000] = "glDrawArrays(0, 3)\nglPixelStorei(0xd05, 1)\n";
#define ADD(condition, text)                                                                                 \
    if (condition)                                                                                           \
    strcat(expected, text)
        ADD(cases[i].rows, "glPixelStorei(0xd02, 0)\nglPixelStorei(0xd03, 0)\nglPixelStorei(0xd04, 0)\n");
        ADD(cases[i].pack_buffer, "glBindBuffer(0x88eb, 0)\n");
        ADD(cases[i].framebuffer, "glBindFramebuffer(0x8ca8, 0)\n");
        ADD(cases[i].read_buffer, "glReadBuffer(0x405)\n");
        ADD(true, "glReadPixels(32 x 32) of framebuffer 6, buffer 0x405, alignment 1, row length 0, skips 0 "
                  "and 0\n");
        ADD(cases[i].read_buffer, "glReadBuffer(0x404)\n");
        ADD(cases[i].framebuffer, "glBindFramebuffer(0x8ca8, 6)\n");
        ADD(cases[i].pack_buffer, "glBindBuffer(0x88eb, 9)\n");
        ADD(true, "glPixelStorei(0xd05, 8)\n");
        ADD(cases[i].rows, "glPixelStorei(0xd02, 40)\nglPixelStorei(0xd03, 5)\nglPixelStorei(0xd04, 3)\n");
#undef ADD
        stub_gl_reset(cases[i].version);
        stub_gl.integers[GL_READ_BUFFER] = cases[i].read_buffer ? GL_FRONT : GL_BACK;
        stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_DRAW_BUFFER0] = GL_BACK;
        stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING] = 6;
        stub_gl.integers[GL_PACK_ALIGNMENT] = 8;
        if (cases[i].pack_buffer)
            stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] = 9;
        if (cases[i].rows) {
            stub_gl.integers[GL_PACK_ROW_LENGTH] = 40;
            stub_gl.integers[GL_PACK_SKIP_ROWS] = 5;
            stub_gl.integers[GL_PACK_SKIP_PIXELS] = 3;
        }
        stub_gl_replay_printing(&options, DRAW);
        if (cases[i].framebuffer) { /* which is the window's while the picture is read */
            char *six = strstr(expected, "framebuffer 6, buffer");
            six[strlen("framebuffer ")] = '0';
        }
        stub_gl_expect(expected);
    }
}

/* If the driver does not know what was selected, it is what a new context has. */
static void test_unknown_selections(void **state)
{
    static const struct {
        GLenum pname;
        const char *line;
    } cases[] = {{GL_READ_BUFFER, "glReadBuffer(0x405)"},
                 {GL_READ_FRAMEBUFFER_BINDING, "glBindFramebuffer(0x8ca8, 0)"},
                 {GL_PIXEL_PACK_BUFFER_BINDING, "glBindBuffer(0x88eb, 0)"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_READ_BUFFER] = GL_FRONT;
        stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING] = 6;
        stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] = 9;
        stub_gl.unknown_pname = cases[i].pname;
        stub_gl_replay_printing(&options, DRAW);
        const char *end = strstr(stub_gl.log, "glReadPixels");
        assert_non_null(end);
        if (strstr(end, cases[i].line) == NULL)
            fail_msg("there is no %s at the end of:\n%s", cases[i].line, stub_gl.log);
    }
}

/* What reads nothing reads nothing afterwards. */
static void test_no_read_buffer(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = GL_BACK;
    stub_gl.integers[GL_READ_BUFFER] = GL_NONE;
    stub_gl_replay_printing(&options, DRAW);
    stub_gl_expect_line("glReadBuffer(0x405)");
    assert_int_equal(stub_gl.integers[GL_READ_BUFFER], GL_NONE);
    stub_gl_reset("OpenGL ES 3.0"); /* where nothing else can be drawn to */
    stub_gl.integers[GL_DRAW_BUFFER0] = stub_gl.integers[GL_READ_BUFFER] = GL_NONE;
    stub_gl_replay_printing(&options, DRAW);
    const char *selected = strstr(stub_gl.log, "glReadBuffer(0x405)"),
               *read = strstr(stub_gl.log, "glReadPixels");
    assert_true(selected != NULL && read > selected);
    assert_int_equal(stub_gl.integers[GL_READ_BUFFER], GL_NONE);
}

/* A picture is of the drawable that is drawn to, also if another one is read. */
static void test_read_drawables(void **state)
{
    (void)state;
#define READ                                                                                                 \
    "glPixelStorei(0xd05, 1)\n"                                                                              \
    "glReadPixels(32 x 32) of framebuffer 0, buffer 0x405, alignment 1, row length 0, skips 0 and 0\n"       \
    "glPixelStorei(0xd05, 4)\n"
    stub_gl_reset("OpenGL ES 2.0");
    stub_gl_replay_printing(&options, "glXMakeContextCurrent dpy=0x10 draw=77 read=78 ctx=0x30 = 1\n" DRAW
                                      "glXMakeContextCurrent dpy=0x10 draw=78 read=78 ctx=0x30 = 1\n" DRAW);
    char *calls = strstr(stub_gl.log, "glDrawArrays");
    assert_non_null(calls);
    memmove(stub_gl.log, calls, strlen(calls) + 1);
    stub_gl_expect("glDrawArrays(0, 3)\n"
                   "current: 1, 2, 2\n" READ "current: 1, 2, 3\n"
                   "current: 1, 3, 3\n"
                   "glDrawArrays(0, 3)\n" READ);
#undef READ
}

/* The level of a texture is found whatever the target, and the texture that was bound stays bound. */
static void test_all_targets(void **state)
{
    (void)state;
    static const struct {
        GLenum target, binding;
        int height;
    } targets[] = {
        {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, 4},
        {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, 4},
        {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, 4},
        {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, 4},
        {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, 4},
        {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE, 4},
        {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, 4},
        {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, 4},
        {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D, 1},
        {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY, 1}, /* its rows are layers */
    };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i) {
        char line[200];
        stub_gl_reset("4.6");
        stub_gl.texture_target = targets[i].target;
        stub_gl.integers[targets[i].binding] = 7;
        stub_gl_replay_printing(&options, BIND DRAW);
        snprintf(line, sizeof line,
                 "glReadPixels(5 x %d) of framebuffer 101, buffer 0x405, alignment 1, row length 0, skips 0 "
                 "and 0",
                 targets[i].height);
        stub_gl_expect_line(line);
        assert_int_equal(stub_gl.integers[targets[i].binding], 7);
    }
}

/* OpenGL ES has no glDrawBuffer(), but drivers have a function of that name for it, which is an error. */
static void test_samples_of_es(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.samples = 4;
    stub_gl.format = GL_DEPTH_COMPONENT16;
    stub_gl.integers[GL_DRAW_BUFFER0] = GL_COLOR_ATTACHMENT0;
    options.snapshot_all = true;
    stub_gl_replay_printing(&options, BIND DRAW);
    stub_gl_expect_line("glBlitFramebuffer(0, 0, 3, 2)");
    stub_gl_expect_no_line("glDrawBuffer(");
}

static unsigned count_of(const char *part)
{
    unsigned count = 0;
    for (const char *at = stub_gl.log; (at = strstr(at, part)) != NULL; ++at)
        ++count;
    return count;
}

/* Extensions have them before OpenGL 3.0 and OpenGL ES 2.0; with two bindings, if they can be copied. */
static void test_framebuffers_of_extensions(void **state)
{
    (void)state;
    static const char *const versions[] = {"2.1", "OpenGL ES-CM 1.1"};
    for (int i = 0; i < 4; ++i) {
        stub_gl_reset(versions[i % 2]);
        stub_gl.texture_target = GL_TEXTURE_2D;
        stub_gl.integers[GL_MAX_TEXTURE_SIZE] = 64;
        stub_gl.integers[GL_DRAW_BUFFER] = GL_COLOR_ATTACHMENT0;
        stub_gl.unknown_pname = i < 2 ? GL_READ_FRAMEBUFFER_BINDING : 0;
        stub_gl_replay_printing(&options, BIND "glBindFramebuffer target=36008 framebuffer=0\n" DRAW);
        const char *expected =
            i < 2 ? "glReadPixels(5 x 4) of framebuffer 0," : "glReadPixels(5 x 4) of framebuffer 101,";
        if (strstr(stub_gl.log, expected) == NULL)
            fail_msg("there is no %s in:\n%s", expected, stub_gl.log);
    }
}

/* As many outputs as the driver has, within limits. */
static void test_numbers_of_outputs(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        GLint outputs;
        unsigned pictures;
    } cases[] = {{"4.6", 40, 32}, {"4.6", 32, 32}, {"4.6", 2, 2},           {"4.6", 0, 1},
                 {"3.0", 2, 2},   {"2.0", 1, 1},   {"OpenGL ES 2.0", 8, 1}, {"OpenGL ES 3.0", 2, 2}};
    options.snapshot_all = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset(cases[i].version);
        for (GLenum k = 0; k < 40; ++k)
            stub_gl.integers[GL_DRAW_BUFFER0 + k] = GL_COLOR_ATTACHMENT0;
        stub_gl.integers[GL_DRAW_BUFFER] = GL_COLOR_ATTACHMENT0;
        stub_gl.integers[GL_MAX_DRAW_BUFFERS] = cases[i].outputs;
        stub_gl_replay_printing(&options, BIND DRAW);
        assert_int_equal(count_of("glReadPixels") - count_of("depths") - count_of("stencils"),
                         cases[i].pictures);
    }
    /* a window has one, whatever the framebuffer could have */
    stub_gl_reset("4.6");
    stub_gl.integers[GL_MAX_DRAW_BUFFERS] = 8;
    stub_gl_replay_printing(&options, DRAW);
    assert_int_equal(count_of("glReadPixels"), 3);
    assert_string_equal(stub_gl.messages, "");
}

/* A picture has the shape of its window. */
static void test_shapes(void **state)
{
    (void)state;
    options.snapshot_format = SNAPSHOT_PNM;
    stub_gl_reset("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_BACK;
    stub_gl_replay_printing(&options, "glViewport x=0 y=0 width=50 height=60\n" DRAW);
    stub_gl_expect_line(
        "glReadPixels(50 x 60) of framebuffer 0, buffer 0x405, alignment 1, row length 0, skips 0 "
        "and 0");
    assert_non_null(strstr(stub_gl.printed, "\n50 60\n255\n"));
}

/* Each kind of pixels has its own file, and so has each output. */
static void test_files_of_all_kinds(void **state)
{
    static const char *const suffixes[] = {"-s", "-z", "-mrt0", "-mrt1"};
    char directory[] = "/tmp/test_snapshot_sources.XXXXXX", path[100];
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/p", directory);
    options.snapshot_prefix = path;
    options.snapshot_all = options.snapshot_call_numbers = true;
    stub_gl_reset("4.6");
    stub_gl.integers[GL_MAX_DRAW_BUFFERS] = 2;
    stub_gl.integers[GL_DRAW_BUFFER] = GL_COLOR_ATTACHMENT0;
    stub_gl.integers[GL_DRAW_BUFFER1] = GL_COLOR_ATTACHMENT1;
    stub_gl_replay(&options, BIND DRAW);
    assert_int_equal(stub_gl.rc, 0);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i) {
        snprintf(path, sizeof path, "%s/p0000000005%s.png", directory, suffixes[i]);
        if (unlink(path) != 0)
            fail_msg("there is no %s", path);
    }
    assert_int_equal(rmdir(directory), 0);
}

/* A picture that cannot be taken is reported. The replay goes on, and so do the numbers. */
static void test_no_picture(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.read_error = GL_INVALID_OPERATION;
    assert_int_equal(stub_gl_replay_printing(&options, DRAW DRAW), 0);
    stub_gl_expect_message("3: warning: the framebuffer cannot be read\n");
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.snapshots, 2);
    stub_gl_reset("4.6");
    stub_gl.integers[GL_DRAW_BUFFER] = GL_NONE;
    assert_int_equal(stub_gl_replay_printing(&options, BIND DRAW), 0);
    stub_gl_expect_message("5: warning: framebuffer 101 has no attachment to take a snapshot of\n");
    stub_gl_reset("4.6");
    assert_int_equal(
        stub_gl_replay_printing(&options, "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x30 = 1\n" DRAW), 0);
    stub_gl_expect_message("4: warning: no drawable to take a snapshot of\n");
    options.snapshot_all = true;
    stub_gl_reset("4.6");
    stub_gl.read_error = GL_INVALID_OPERATION;
    stub_gl_replay_printing(&options, DRAW);
    stub_gl_expect_message("3: warning: the framebuffer cannot be read\n");
}

/* What another context has deleted cannot be bound, or bound again. There is a picture all the same if
 * nothing must be bound. */
static void test_deleted_elsewhere(void **state)
{
    static const char message[] =
        "5: warning: no snapshot of framebuffer 101: another context has deleted an object that is attached "
        "or bound\n";
    static const struct {
        GLenum texture_target, binding;
        GLint bound, samples;
        GLuint gone;
        bool is_read;
    } cases[] = {
        {0, GL_RENDERBUFFER_BINDING, 7, 0, 9, false}, /* 9 is attached */
        {0, GL_RENDERBUFFER_BINDING, 7, 0, 7, false},
        {0, GL_RENDERBUFFER_BINDING, 9, 0, 9, true},
        {0, GL_RENDERBUFFER_BINDING, 9, 4, 9, false}, /* samples are copied to a renderbuffer */
        {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, 7, 0, 9, false},
        {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, 7, 0, 7, false},
        {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, 9, 0, 9, true},
        {GL_TEXTURE_3D, GL_TEXTURE_BINDING_2D, 7, 0, 7, true}, /* it is not in the way */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.texture_target = cases[i].texture_target;
        stub_gl.samples = cases[i].samples;
        stub_gl.integers[cases[i].binding] = cases[i].bound;
        stub_gl.gone = cases[i].gone;
        stub_gl_replay_printing(&options, BIND DRAW);
        assert_string_equal(stub_gl.messages, cases[i].is_read ? "" : message);
        assert_int_equal(stub_gl.integers[cases[i].binding], cases[i].bound);
        if (cases[i].texture_target != GL_TEXTURE_3D)
            stub_gl_expect_no_line("glBindTexture");
        assert_int_equal(count_of("glReadPixels"), cases[i].is_read);
    }
    stub_gl_reset("4.6");
    stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] = 7;
    stub_gl.gone = 7;
    stub_gl_replay_printing(&options, DRAW);
    stub_gl_expect_message(
        "3: warning: the framebuffer cannot be read: another context has deleted the pixel "
        "pack buffer that is bound\n");
    stub_gl_expect_no_line("glBindBuffer");
    stub_gl_expect_no_line("glReadPixels");
}

/* A picture must not depend on a query of the program, whose condition is open again afterwards. */
static void test_conditions(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay_printing(&options,
                            "glGenQueries n=1 ids=[5]\nglBeginConditionalRender id=5 mode=36371\n" DRAW);
    const char *end = strstr(stub_gl.log, "glEndConditionalRender()"),
               *read = strstr(stub_gl.log, "glReadPixels");
    assert_non_null(end);
    assert_true(read != NULL && end < read);
    assert_non_null(strstr(read, "glBeginConditionalRender(101, 0x8e13)\n"));
}

/* Mesa reads nothing, and draws wrong colours later, while none of the window can be drawn. */
static void test_nothing_is_drawn(void **state)
{
    static const struct {
        const char *version;
        GLenum second; /* output */
        bool back, is_selected;
        GLint framebuffer; /* of the program, which is not read */
    } cases[] = {{"4.6", GL_NONE, true, true, 0},
                 {"4.6", GL_BACK, true, false, 0},
                 {"1.4", GL_BACK, true, true, 0},
                 {"4.6", GL_NONE, true, false, 101},
                 {"OpenGL ES 3.2", GL_NONE, true, false, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset(cases[i].version);
        options.snapshot_back_buffer = cases[i].back;
        stub_gl.integers[GL_READ_BUFFER] = GL_BACK;
        stub_gl.integers[GL_DRAW_BUFFER] = GL_NONE;
        stub_gl.integers[GL_DRAW_BUFFER1] = (GLint)cases[i].second;
        stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = cases[i].framebuffer;
        stub_gl_replay_printing(&options, DRAW);
        const char *select = strstr(stub_gl.log, "glDrawBuffer(0x405)\nglReadPixels");
        assert_int_equal(select != NULL, cases[i].is_selected);
        if (select != NULL)
            assert_non_null(strstr(select,
                                   "glReadPixels(32 x 32) of framebuffer 0, buffer 0x405, alignment 1, row "
                                   "length 0, skips 0 and 0\nglDrawBuffer(0x0)\n"));
        assert_int_equal(stub_gl.integers[GL_DRAW_BUFFER], GL_NONE);
    }
    stub_gl_reset("4.6"); /* a driver that cannot select what is drawn */
    stub_gl.integers[GL_DRAW_BUFFER] = GL_NONE;
    stub_gl.timers.lacks = "glDrawBuffer";
    stub_gl_replay_printing(&options, DRAW);
    assert_int_equal(count_of("glReadPixels"), 1);
    options.snapshot_back_buffer = false; /* depths are read so, too */
    options.snapshot_all = true;
    stub_gl_reset("1.4");
    stub_gl.integers[GL_DRAW_BUFFER] = GL_NONE;
    stub_gl_replay_printing(&options, DRAW);
    assert_int_equal(count_of("glDrawBuffer(0x405)\nglReadPixels"), 3);
    assert_int_equal(count_of("glDrawBuffer(0x0)\n"), 3);
    stub_gl_expect_line("glReadPixels(32 x 32) of framebuffer 0, buffer 0x405, alignment 1, row length 0, "
                        "skips 0 and 0, depths");
}

/* What a driver lacks is not used: samples are not copied, and there are no framebuffer objects. */
static void test_missing_functions(void **state)
{
    static const struct {
        const char *function;
        bool is_copied, is_window;
    } cases[] = {{NULL, true, false},
                 {"glDrawBuffer", true, false},
                 {"glBlitFramebuffer", false, false},
                 {"glGenFramebuffers", false, false},
                 {"glGenRenderbuffers", false, false},
                 {"glRenderbufferStorage", false, false},
                 {"glFramebufferRenderbuffer", false, false},
                 {"glIsEnabled", false, false},
                 {"glEnable", false, false},
                 {"glDisable", false, false},
                 {"glReadBuffer", false, false},
                 {"glBindFramebuffer", false, true},
                 {"glGetFramebufferAttachmentParameteriv", false, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bool is_old = i == 1; /* depths, too, are copied without colours */
        int pictures = is_old ? 3 : 1;
        options.snapshot_all = is_old;
        stub_gl_reset("4.6");
        stub_gl.timers.lacks = cases[i].function;
        stub_gl.samples = 4;
        stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = 101;
        stub_gl.integers[GL_DRAW_BUFFER] = stub_gl.integers[GL_READ_BUFFER] = GL_COLOR_ATTACHMENT0;
        stub_gl_replay_printing(&options, DRAW);
        assert_int_equal(stub_gl.rc, 0);
        assert_int_equal(count_of("glBlitFramebuffer"), cases[i].is_copied ? pictures : 0);
        assert_int_equal(count_of("glReadPixels(3 x 2)"), cases[i].is_window ? 0 : pictures);
        assert_int_equal(count_of("glReadPixels(32 x 32)"), cases[i].is_window ? pictures : 0);
        stub_gl_expect_no_line("glDrawBuffer");
    }
}

/* Nothing is attached where the program draws to. */
static void test_no_attachment(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.has_no_images = true;
    stub_gl.integers[GL_DRAW_BUFFER] = GL_COLOR_ATTACHMENT0;
    stub_gl_replay_printing(&options, BIND DRAW);
    assert_string_equal(stub_gl.messages,
                        "5: warning: framebuffer 101 has no attachment to take a snapshot of\n");
    stub_gl_expect_no_line("glReadPixels");
}

/* What selects a buffer would become part of a list that is compiled. All else is put back. */
static void test_lists(void **state)
{
    (void)state;
    for (int is_selected = 0; is_selected < 2; ++is_selected) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_PACK_ALIGNMENT] = 8;
        stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING] = 6;
        stub_gl.integers[GL_DRAW_BUFFER] = GL_BACK;
        stub_gl.integers[GL_READ_BUFFER] = is_selected ? GL_BACK : GL_FRONT;
        stub_gl_replay_printing(&options, "glNewList list=4 mode=4865\n" DRAW "glEndList\n");
        assert_int_equal(count_of("glReadPixels"), is_selected);
        stub_gl_expect_no_line("glReadBuffer");
        assert_int_equal(stub_gl.integers[GL_PACK_ALIGNMENT], 8);
        assert_int_equal(stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], 6);
        if (!is_selected)
            stub_gl_expect_message(
                "4: warning: the framebuffer cannot be read while a display list is compiled\n");
    }
    stub_gl_reset("4.6"); /* nor can nothing be drawn meanwhile */
    options.snapshot_back_buffer = true;
    stub_gl.integers[GL_DRAW_BUFFER] = GL_NONE;
    stub_gl.integers[GL_READ_BUFFER] = GL_BACK;
    stub_gl_replay_printing(&options, "glNewList list=4 mode=4865\n" DRAW "glEndList\n");
    stub_gl_expect_message("4: warning: the framebuffer cannot be read while a display list is compiled\n");
    stub_gl_expect_no_line("glReadPixels");
    stub_gl_expect_no_line("glDrawBuffer");
}

/* Where a picture is not possible, it is not missed. */
static void test_where_pictures_are_not_possible(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    trace_call_set_fini(&options.snapshot_calls);
    assert_int_equal(trace_call_set_parse(&options.snapshot_calls, "*"), 0);
    assert_int_equal(stub_gl_replay_printing(&options, "glBegin mode=4\n"
                                                       "glVertex2f x=1.5 y=2.5\n"
                                                       "glEnd\n"
                                                       "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                                                       "glFlush\n"),
                     3 * 32 * 32 * 3); /* glXMakeCurrent, glFlush, glEnd */
    stub_gl_expect_no_line("a question");
}

enum { PATH_BYTES = 4096 };

static char directory[] = "/tmp/test_replay_snapshot_sources.XXXXXX";

/* Replays with a prefix in the directory that leaves so much room for the rest of a path. */
static void replay_with_room(size_t room)
{
    static char prefix[PATH_BYTES];
    memset(prefix, '/', sizeof prefix);
    memcpy(prefix, directory, strlen(directory));
    prefix[PATH_BYTES - 1 - room] = '\0';
    options.snapshot_prefix = prefix;
    options.snapshot_call_numbers = true;
    stub_gl_reset("4.6");
    stub_gl_replay_printing(&options, DRAW);
}

static bool take_file(const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return unlink(path) == 0;
}

static void expect_too_long(void)
{
    assert_int_equal(stub_gl.rc, TRACE_ERR_USAGE);
    assert_string_equal(trace_error_message(), "call 3 glDrawArrays: the snapshot prefix is too long");
}

/* Names of files that are too long are an error, after which there are no more pictures. */
static void test_long_prefixes(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(directory));
    replay_with_room(strlen("0000000003.png") - 1);
    expect_too_long();
    replay_with_room(strlen("0000000003.png"));
    assert_int_equal(stub_gl.rc, 0);
    assert_true(take_file("0000000003.png"));
    options.snapshot_all = true;
    replay_with_room(strlen("0000000003-s.png") - 1);
    expect_too_long();
    assert_int_equal(count_of("glReadPixels"), 1);
    replay_with_room(strlen("0000000003-s.png"));
    expect_too_long();
    assert_true(take_file("0000000003-s.png") && take_file("0000000003-z.png"));
    assert_int_equal(count_of("glReadPixels"), 3);
    assert_int_equal(rmdir(directory), 0);
}

/* Nothing more is replayed than what pictures were asked for, which is at least one call. */
static void test_last_pictures(void **state)
{
    static const char *const sets[] = {"0", "1", "0,1"};
    static const uint64_t replayed[] = {1, 2, 2};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        struct replay_options some = {.snapshot_prefix = "-", .snapshot_format = SNAPSHOT_RGB};
        assert_int_equal(trace_call_set_parse(&some.snapshot_calls, sets[i]), 0);
        stub_gl_reset("4.6");
        stub_gl_replay_all(&some, "glXFoo\nglXFoo\nglXFoo\nglXFoo\n");
        assert_int_equal(stub_gl.calls, replayed[i]);
        trace_call_set_fini(&some.snapshot_calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_state_of_versions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_selections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_read_buffer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_read_drawables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_targets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_samples_of_es, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_framebuffers_of_extensions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_of_outputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files_of_all_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_picture, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deleted_elsewhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_conditions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_is_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_attachment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_where_pictures_are_not_possible, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_prefixes, set_up, tear_down),
        cmocka_unit_test(test_last_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
