/* SPDX-License-Identifier: MIT
 * Tests the pictures of framebuffers in a state dump: of the window, of attachments, and of those with
 * several samples a pixel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_framebuffer.h"
#include "state_driver.h"

#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, 0, {0}, NULL                                                                             \
    }
#define INTEGER(pname, value)                                                                                \
    {                                                                                                        \
        "glGetIntegerv", 0, 0, pname, {value}, NULL                                                          \
    }
#define PNG                state_picture_png
#define READ(format, type) "glReadPixels(0, 0, 2, 1, " format ", " type ")\n"

static void expect(const char *log)
{
    state_picture_expect(state_dump_framebuffer, "framebuffer", log);
}

/* --- the window ----------------------------------------------------------------------------------------- */

static struct replay_drawable window = {.width = 2, .height = 1};

static void begin(const struct state_answer *answers, int version)
{
    state_driver_reset(answers);
    state_driver.version = version;
    state_driver.window = &window;
    state_driver.pixels = "abcdefABCDEFGHxy";
}

/* "Pf\n2 1\n1\nABCDEFGH" */
#define DEPTHS "UGYKMiAxCjEKQUJDREVGR0g="

static void test_windows(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_BUFFER, GL_FRONT),
        INTEGER(GL_READ_BUFFER, GL_BACK),
        INTEGER(GL_DEPTH_BITS, 24),
        INTEGER(GL_STENCIL_BITS, 8),
        END,
    };
    (void)state;
    begin(answers, 20);
    state_picture_add("GL_FRONT", 2, 1, 1, "GL_RGB", NULL, PNG(2, 1, 3, "abcdef"));
    state_picture_add("GL_DEPTH_COMPONENT", 2, 1, 1, "GL_DEPTH_COMPONENT", NULL, DEPTHS);
    state_picture_add("GL_STENCIL_INDEX", 2, 1, 1, "GL_STENCIL_INDEX", NULL, PNG(2, 1, 1, "xy"));
    expect("glReadBuffer(0x404)\n" READ("0x1907", "0x1401") READ("0x1902", "0x1406")
               READ("0x1901", "0x1401") "glReadBuffer(0x405)\n");
    state_driver_reset(answers); /* nothing is bound for drawing */
    expect("glBindFramebuffer(0x8ca8, 0)\nglBindFramebuffer(0x8ca8, 0)\n");
}

/* What drawing does not reach is not there; a failed read is left out. */
static void test_windows_without_buffers(void **state)
{
    static const struct state_answer none[] = {INTEGER(GL_DRAW_BUFFER, GL_NONE), END};
    static const struct state_answer depth[] = {
        INTEGER(GL_DRAW_BUFFER, GL_BACK), INTEGER(GL_READ_BUFFER, GL_FRONT), INTEGER(GL_DEPTH_BITS, 16), END};
    (void)state;
    begin(none, 20);
    expect("");
    begin(depth, 20);
    state_driver.fails = "glReadPixels";
    expect("glReadBuffer(0x405)\n" READ("0x1907", "0x1401") READ("0x1902", "0x1406") "glReadBuffer(0x404)\n");
}

/* A core profile tells the bits of the default framebuffer as of an attachment. The read framebuffer's
 * binding is put back. */
static void test_windows_of_core_profiles(void **state)
{
#define BITS(point, pname, value)                                                                            \
    {                                                                                                        \
        "glGetFramebufferAttachmentParameteriv", GL_DRAW_FRAMEBUFFER, point, pname, {value}, NULL            \
    }
    static const struct state_answer answers[] = {
        INTEGER(GL_CONTEXT_PROFILE_MASK, GL_CONTEXT_CORE_PROFILE_BIT),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 9),
        INTEGER(GL_DRAW_BUFFER, GL_NONE),
        INTEGER(GL_STENCIL_BITS, 8), /* not asked for */
        BITS(GL_DEPTH, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE, 24),
        BITS(GL_STENCIL, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, 0),
        END,
    };
    (void)state;
    begin(answers, 33);
    state_driver.pixels = "ABCDEFGH";
    state_picture_add("GL_DEPTH_COMPONENT", 2, 1, 1, "GL_DEPTH_COMPONENT", NULL, DEPTHS);
    expect("glBindFramebuffer(0x8ca8, 0)\nglBindBuffer(0x88eb, 0)\n" READ(
        "0x1902", "0x1406") "glBindBuffer(0x88eb, 0)\nglBindFramebuffer(0x8ca8, 9)\n");
    static const struct state_answer stencil[] = {
        INTEGER(GL_CONTEXT_PROFILE_MASK, GL_CONTEXT_CORE_PROFILE_BIT),
        INTEGER(GL_DRAW_BUFFER, GL_NONE),
        BITS(GL_STENCIL, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, 8),
        END,
    };
    begin(stencil, 33);
    state_driver.pixels = "xy";
    state_picture_add("GL_STENCIL_INDEX", 2, 1, 1, "GL_STENCIL_INDEX", NULL, PNG(2, 1, 1, "xy"));
    state_picture_expect(state_dump_framebuffer, "framebuffer", NULL);
}

/* OpenGL ES has one buffer for drawing, which is read as RGBA. */
static void test_windows_of_es(void **state)
{
    static const struct state_answer answers[] = {INTEGER(GL_DRAW_BUFFER, GL_FRONT), END};
    (void)state;
    begin(answers, 20);
    state_driver.is_es = true;
    state_picture_add("GL_BACK", 2, 1, 1, "GL_RGB", NULL, PNG(2, 1, 4, "abcdefAB"));
    expect(READ("0x1908", "0x1401"));
}

/* Since 3.0, it may read none. */
static void test_windows_of_es_that_are_not_read(void **state)
{
    static const struct state_answer answers[] = {INTEGER(GL_READ_BUFFER, GL_NONE),
                                                  INTEGER(GL_DRAW_BUFFER, GL_FRONT), END};
    (void)state;
    begin(answers, 30);
    state_driver.is_es = true;
    state_picture_add("GL_BACK", 2, 1, 1, "GL_RGB", NULL, PNG(2, 1, 4, "abcdefAB"));
    expect("glBindFramebuffer(0x8ca8, 0)\nglReadBuffer(0x405)\nglBindBuffer(0x88eb, 0)\n" READ(
        "0x1908", "0x1401") "glBindBuffer(0x88eb, 0)\nglReadBuffer(0x0)\nglBindFramebuffer(0x8ca8, 0)\n");
}

/* --- attachments ---------------------------------------------------------------------------------------- */

#define ATTACHED(target, point, type, name)                                                                  \
    {"glGetFramebufferAttachmentParameteriv", target, point,                                                 \
     GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE,   {type}, NULL},                                                 \
    {                                                                                                        \
        "glGetFramebufferAttachmentParameteriv", target, point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,       \
            {name}, NULL                                                                                     \
    }
#define RENDERBUFFER(name, width, height, format, samples)                                                   \
    {"glGetRenderbufferParameteriv", name, 0, GL_RENDERBUFFER_WIDTH, {width}, NULL},                         \
        {"glGetRenderbufferParameteriv", name, 0, GL_RENDERBUFFER_HEIGHT, {height}, NULL},                   \
        {"glGetRenderbufferParameteriv", name, 0, GL_RENDERBUFFER_INTERNAL_FORMAT, {format}, NULL},          \
    {                                                                                                        \
        "glGetRenderbufferParameteriv", name, 0, GL_RENDERBUFFER_SAMPLES, {samples}, NULL                    \
    }
#define LEVEL(image, level, width, height, format)                                                           \
    {"glGetTexLevelParameteriv", image, level, GL_TEXTURE_WIDTH, {width}, NULL},                             \
        {"glGetTexLevelParameteriv", image, level, GL_TEXTURE_HEIGHT, {height}, NULL},                       \
    {                                                                                                        \
        "glGetTexLevelParameteriv", image, level, GL_TEXTURE_INTERNAL_FORMAT, {format}, NULL                 \
    }
#define NO_BUFFER "glBindBuffer(0x88eb, 0)\n" /* and the one before */

/* OpenGL ES 2 and OpenGL before 3.0 with an extension have one binding, and one colour. */
static void test_one_attachment(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_RENDERBUFFER_BINDING, 5),
        INTEGER(GL_MAX_LABEL_LENGTH, 9),
        ATTACHED(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        ATTACHED(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 6),
        ATTACHED(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0),
        RENDERBUFFER(4, 2, 1, GL_RGB565, 0),
        RENDERBUFFER(6, 2, 1, GL_STENCIL_INDEX8, 0),
        {"glGetObjectLabel", GL_RENDERBUFFER, 4, 0, {0}, "four"},
        END,
    };
    (void)state;
    begin(answers, 20);
    state_driver.is_es = true;
    state_picture_add("GL_COLOR_ATTACHMENT0", 2, 1, 1, "GL_RGB565", "four", PNG(2, 1, 4, "abcdefAB"));
    state_picture_add("GL_STENCIL_ATTACHMENT", 2, 1, 1, "GL_STENCIL_INDEX8", NULL, PNG(2, 1, 1, "CD"));
    expect("glBindRenderbuffer(0x8d41, 4)\nglBindRenderbuffer(0x8d41, 5)\n" READ(
        "0x1908", "0x1401") "glBindRenderbuffer(0x8d41, 6)\nglBindRenderbuffer(0x8d41, 5)\n" READ("0x1901",
                                                                                                  "0x1401"));
    /* A driver that does not tell what renderbuffers are like. */
    begin(answers, 20);
    state_driver.is_es = true;
    state_driver.lacks = "glGetRenderbufferParameteriv";
    expect("");
}

/* What has both is read twice. */
static void test_depth_and_stencil(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        ATTACHED(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 4),
        ATTACHED(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 4),
        RENDERBUFFER(4, 2, 1, GL_DEPTH24_STENCIL8, 0),
        END,
    };
    (void)state;
    begin(answers, 20);
    state_driver.is_es = true;
    state_driver.pixels = "ABCDEFGHxy";
    state_picture_add("GL_DEPTH_ATTACHMENT", 2, 1, 1, "GL_DEPTH24_STENCIL8", NULL, DEPTHS);
    state_picture_add("GL_STENCIL_ATTACHMENT", 2, 1, 1, "GL_DEPTH24_STENCIL8", NULL, PNG(2, 1, 1, "xy"));
    expect("glBindRenderbuffer(0x8d41, 4)\nglBindRenderbuffer(0x8d41, 0)\n" READ(
        "0x1902", "0x1406") "glBindRenderbuffer(0x8d41, 4)\nglBindRenderbuffer(0x8d41, 0)\n" READ("0x1901",
                                                                                                  "0x1401"));
}

/* OpenGL ES reads floats as four. */
static void test_floats_of_es(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        ATTACHED(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        RENDERBUFFER(4, 1, 1, GL_R11F_G11F_B10F, 0),
        END,
    };
    (void)state;
    begin(answers, 20);
    state_driver.is_es = true;
    state_picture_add("GL_COLOR_ATTACHMENT0", 1, 1, 1, "GL_R11F_G11F_B10F", NULL,
                      "UFgKMSAxCjEKYWJjZGVmQUJDREVGR0h4eQ==");
    expect("glBindRenderbuffer(0x8d41, 4)\nglBindRenderbuffer(0x8d41, 0)\n"
           "glReadPixels(0, 0, 1, 1, 0x1908, 0x1406)\n");
}

static void test_textures(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 9),
        INTEGER(GL_READ_BUFFER, GL_COLOR_ATTACHMENT1),
        INTEGER(GL_MAX_DRAW_BUFFERS, 3),
        INTEGER(GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT2),
        INTEGER(GL_DRAW_BUFFER1, GL_NONE),
        INTEGER(GL_DRAW_BUFFER2, GL_COLOR_ATTACHMENT0),
        INTEGER(GL_DRAW_BUFFER3, GL_COLOR_ATTACHMENT1), /* beyond the last one */
        INTEGER(GL_TEXTURE_BINDING_2D, 77),
        INTEGER(GL_TEXTURE_BINDING_1D, 78),
        INTEGER(GL_TEXTURE_BINDING_CUBE_MAP, 79),
        ATTACHED(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE, 4),
        ATTACHED(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE, 4),
        ATTACHED(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, GL_TEXTURE, 5),
        {"glGetFramebufferAttachmentParameteriv",
         GL_READ_FRAMEBUFFER,
         GL_COLOR_ATTACHMENT0,
         GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL,
         {1},
         NULL},
        {"glGetFramebufferAttachmentParameteriv",
         GL_READ_FRAMEBUFFER,
         GL_COLOR_ATTACHMENT2,
         GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE,
         {GL_TEXTURE_CUBE_MAP_NEGATIVE_Z},
         NULL},
        {"texture", 4, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"texture", 5, 0, 0, {GL_TEXTURE_CUBE_MAP}, NULL},
        {"texture", 77, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"texture", 78, 0, 0, {GL_TEXTURE_1D}, NULL},
        {"texture", 79, 0, 0, {GL_TEXTURE_CUBE_MAP}, NULL},
        LEVEL(GL_TEXTURE_2D, 1, 2, 1, GL_RG8),
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 2, 1, GL_R8),
        END,
    };
    (void)state;
    begin(answers, 46);
#define EXAMINE                                                                                              \
    "glBindTexture(0xde1, 5): error\nglBindTexture(0xde0, 5): error\nglBindTexture(0x8513, 5)\n"             \
    "glBindTexture(0x8513, 79)\n"
    state_picture_add("GL_COLOR_ATTACHMENT2", 2, 1, 1, "GL_R8", NULL, PNG(2, 1, 1, "ab"));
    state_picture_add("GL_COLOR_ATTACHMENT0", 2, 1, 1, "GL_RG8", NULL, PNG(2, 1, 2, "cdef"));
    expect("glBindFramebuffer(0x8ca8, 3)\nglReadBuffer(0x8ce2)\n" EXAMINE NO_BUFFER READ("0x1903", "0x1401")
               NO_BUFFER
           "glReadBuffer(0x8ce0)\n"
           "glBindTexture(0xde1, 4)\nglBindTexture(0xde1, 77)\n" NO_BUFFER READ("0x8227", "0x1401") NO_BUFFER
           "glReadBuffer(0x8ce1)\n"
           "glBindFramebuffer(0x8ca8, "
           "9)\n");
#undef EXAMINE
}

/* One layer is attached, however many the texture has. */
static void test_layers(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_BUFFER, GL_COLOR_ATTACHMENT0),
        INTEGER(GL_MAX_DRAW_BUFFERS, 1),
        INTEGER(GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT0),
        ATTACHED(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE, 4),
        INTEGER(GL_TEXTURE_BINDING_3D, 4),
        {"texture", 4, 0, 0, {GL_TEXTURE_3D}, NULL},
        LEVEL(GL_TEXTURE_3D, 0, 2, 1, GL_R8),
        {"glGetTexLevelParameteriv", GL_TEXTURE_3D, 0, GL_TEXTURE_DEPTH, {3}, NULL},
        END,
    };
    (void)state;
    begin(answers, 46);
    state_picture_add("GL_COLOR_ATTACHMENT0", 2, 1, 1, "GL_R8", NULL, PNG(2, 1, 1, "ab"));
    state_picture_expect(state_dump_framebuffer, "framebuffer", NULL);
}

/* Renderbuffers that another context has deleted cannot be bound again. One that is bound need not be. */
static void test_deleted_renderbuffers(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_RENDERBUFFER_BINDING, 5),
        ATTACHED(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        RENDERBUFFER(4, 2, 1, GL_RGB565, 0),
        END,
    };
    static const struct state_answer same[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_RENDERBUFFER_BINDING, 4),
        ATTACHED(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        {"glGetRenderbufferParameteriv", GL_RENDERBUFFER, 0, GL_RENDERBUFFER_WIDTH, {2}, NULL},
        RENDERBUFFER(4, 2, 1, GL_RGB565, 0),
        END,
    };
    (void)state;
    for (GLuint gone = 4; gone <= 5; ++gone) {
        begin(answers, 20);
        state_driver.is_es = true;
        state_driver.gone = gone;
        expect("");
    }
    begin(same, 20);
    state_driver.is_es = true;
    state_driver.gone = state_driver.renderbuffer = 4;
    state_driver_run(state_dump_framebuffer);
    assert_string_equal(state_driver.log, READ("0x1908", "0x1401"));
}

/* A pixel pack buffer that another context has deleted could not be bound again. */
static void test_deleted_pack_buffer(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_BUFFER, GL_BACK), INTEGER(GL_READ_BUFFER, GL_BACK), INTEGER(GL_DEPTH_BITS, 24),
        INTEGER(GL_PIXEL_PACK_BUFFER_BINDING, 9), END};
    (void)state;
    begin(answers, 21);
    state_driver.gone = 9;
    expect("");
}

/* An old version has framebuffers by an extension, with one binding, or with two. */
static void test_framebuffers_of_extensions(void **state)
{
    static const struct state_answer one_binding[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        ATTACHED(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        INTEGER(GL_MAX_DRAW_BUFFERS, 1),
        INTEGER(GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT0),
        INTEGER(GL_READ_BUFFER, GL_COLOR_ATTACHMENT0),
        RENDERBUFFER(4, 2, 1, GL_RGB8, 0),
        END,
    };
    static const struct state_answer two_bindings[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 5),
        ATTACHED(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        INTEGER(GL_MAX_DRAW_BUFFERS, 1),
        INTEGER(GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT0),
        INTEGER(GL_READ_BUFFER, GL_COLOR_ATTACHMENT0),
        RENDERBUFFER(4, 2, 1, GL_RGB8, 0),
        END,
    };
    (void)state;
    begin(one_binding, 21);
    state_driver.pixels = "ABCDEF";
    state_picture_add("GL_COLOR_ATTACHMENT0", 2, 1, 1, "GL_RGB8", NULL, PNG(2, 1, 3, "ABCDEF"));
    state_picture_expect(state_dump_framebuffer, "framebuffer", NULL);
    begin(two_bindings, 21);
    state_driver.pixels = "ABCDEF";
    state_picture_add("GL_COLOR_ATTACHMENT0", 2, 1, 1, "GL_RGB8", NULL, PNG(2, 1, 3, "ABCDEF"));
    state_picture_expect(state_dump_framebuffer, "framebuffer", NULL);
}

static void test_incomplete_framebuffers(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_MAX_DRAW_BUFFERS, 1),
        INTEGER(GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT0),
        {"glCheckFramebufferStatus", GL_READ_FRAMEBUFFER, 0, 0, {GL_FRAMEBUFFER_UNSUPPORTED}, NULL},
        ATTACHED(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        RENDERBUFFER(4, 2, 1, GL_RGB8, 0),
        END,
    };
    (void)state;
    begin(answers, 46);
    state_driver.options.benchmark = true; /* no warning */
    expect("glBindFramebuffer(0x8ca8, 3)\nglBindFramebuffer(0x8ca8, 0)\n");
}

/* --- samples -------------------------------------------------------------------------------------------- */

#define EXAMINE(name) "glBindRenderbuffer(0x8d41, " name ")\nglBindRenderbuffer(0x8d41, 8)\n"
#define BLIT(bits)                                                                                           \
    "glBindFramebuffer(0x8ca8, 3)\nglBlitFramebuffer(0 0 2 1, 0 0 2 1, " bits ", 0x2600)\n"                  \
    "glBindFramebuffer(0x8d40, 101)\n"
#define COPY(name, format, point)                                                                            \
    "glBindRenderbuffer(0x8d41, " name ")\nglRenderbufferStorage(0x8d41, " format ", 2, 1)\n"                \
    "glBindFramebuffer(0x8d40, 101)\nglFramebufferRenderbuffer(0x8d40, " point ", " name ")\n"

/* Renderbuffers of the same size, at the framebuffer for drawing, and at the copy. */
#define SAMPLED(colour, depth, stencil, samples)                                                             \
    INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3), INTEGER(GL_READ_FRAMEBUFFER_BINDING, 9),                        \
        INTEGER(GL_RENDERBUFFER_BINDING, 8), INTEGER(GL_READ_BUFFER, GL_COLOR_ATTACHMENT1),                  \
        INTEGER(GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT0), INTEGER(GL_MAX_DRAW_BUFFERS, 1),                     \
        {"glIsEnabled", 0, 0, GL_SCISSOR_TEST, {1}, NULL},                                                   \
        ATTACHED(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour),                        \
        ATTACHED(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth),                          \
        ATTACHED(GL_DRAW_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, stencil),                      \
        RENDERBUFFER(4, 2, 1, GL_RGBA8, samples), RENDERBUFFER(5, 2, 1, GL_DEPTH24_STENCIL8, samples),       \
        RENDERBUFFER(6, 2, 1, GL_STENCIL_INDEX8, samples)

static void test_samples(void **state)
{
    static const struct state_answer answers[] = {SAMPLED(4, 5, 5, 4), END};
    static const struct state_answer apart[] = {SAMPLED(4, 5, 6, 4), END};
    (void)state;
    begin(answers, 46);
    expect(EXAMINE("4") EXAMINE("5") EXAMINE(
        "5") "glDisable(0xc11)\nglBindFramebuffer(0x8ca8, 3)\n"
             "glReadBuffer(0x8ce0)\n" COPY(
                 "102", "0x8058", "0x8ce0") "glDrawBuffer(0x8ce0)\nglReadBuffer(0x8ce0)\n" BLIT("0x4000")
                 COPY("103", "0x88f0", "0x821a")
                     BLIT("0x500") "glBindFramebuffer(0x8ca8, "
                                   "3)\nglReadBuffer(0x8ce1)\nglBindFramebuffer(0x8d40, 101)\n"
                                   "glEnable(0xc11)\nglBindRenderbuffer(0x8d41, 8)\nglReadBuffer(0x8ce0)\n"
                                   "glReadBuffer(0x8ce1)\nglBindFramebuffer(0x8ca8, "
                                   "9)\nglBindFramebuffer(0x8ca9, 3)\n"
                                   "glDeleteFramebuffers(1, 101)\nglDeleteRenderbuffers(2, 102)\n");
    begin(apart, 46);
    state_driver_run(state_dump_framebuffer);
    assert_non_null(strstr(state_driver.log, COPY("103", "0x88f0", "0x8d00") BLIT("0x100")
                                                 COPY("104", "0x8d48", "0x8d20") BLIT("0x400")));
    assert_non_null(strstr(state_driver.log, "glDeleteRenderbuffers(3, 102)\n"));
}

/* Nothing is copied if there is one sample, or the driver cannot copy. */
static void test_no_copy(void **state)
{
    static const struct state_answer single[] = {SAMPLED(4, 5, 5, 0), END};
    static const struct state_answer samples[] = {SAMPLED(4, 5, 5, 4), END};
    static const char *const functions[] = {
        "glBlitFramebuffer",         "glGenFramebuffers", "glGenRenderbuffers", "glRenderbufferStorage",
        "glFramebufferRenderbuffer", "glReadBuffer",      "glEnable",           "glDisable"};
    (void)state;
    begin(single, 46);
    state_driver_run(state_dump_framebuffer);
    assert_null(strstr(state_driver.log, "glBlit"));
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        begin(samples, 46);
        state_driver.lacks = functions[i];
        state_driver_run(state_dump_framebuffer);
        assert_null(strstr(state_driver.log, "glBlit"));
        assert_null(strstr(state_driver.log, "glRenderbufferStorage"));
    }
    begin(samples, 46);
    state_driver.gone = 8; /* it could not be bound again */
    state_driver_run(state_dump_framebuffer);
    assert_null(strstr(state_driver.log, "glBlit"));
    assert_null(strstr(state_driver.log, "glBindRenderbuffer"));
}

/* --- odd drivers ---------------------------------------------------------------------------------------- */

/* OpenGL ES reads depths as such, if at all. */
static void test_depths_of_es(void **state)
{
    static const struct state_answer answers[] = {INTEGER(GL_DEPTH_BITS, 24), END};
    (void)state;
    begin(answers, 20);
    state_driver.is_es = true;
    state_driver.pixels = "abcdefghABCDEFGH";
    state_picture_add("GL_BACK", 2, 1, 1, "GL_RGB", NULL, PNG(2, 1, 4, "abcdefgh"));
    state_picture_add("GL_DEPTH_COMPONENT", 2, 1, 1, "GL_DEPTH_COMPONENT", NULL, DEPTHS);
    expect(READ("0x1908", "0x1401") READ("0x1902", "0x1406"));
}

/* What cannot be selected or asked for is what a window has. Of a buffer without name, the picture has one.
 */
static void test_windows_of_odd_drivers(void **state)
{
    static const struct state_answer colours[] = {INTEGER(GL_DRAW_BUFFER, GL_FRONT), END};
    static const struct state_answer unknown[] = {INTEGER(GL_DRAW_BUFFER, 0x12345),
                                                  INTEGER(GL_READ_BUFFER, 0x12345), END};
    static const struct state_answer core[] = {INTEGER(GL_CONTEXT_PROFILE_MASK, GL_CONTEXT_CORE_PROFILE_BIT),
                                               INTEGER(GL_DRAW_BUFFER, GL_NONE), INTEGER(GL_STENCIL_BITS, 8),
                                               END};
    (void)state;
    begin(colours, 20);
    state_driver.lacks = "glReadBuffer";
    state_picture_add("GL_BACK", 2, 1, 1, "GL_RGB", NULL, PNG(2, 1, 3, "abcdef"));
    expect(READ("0x1907", "0x1401"));
    begin(unknown, 20);
    state_picture_add("GL_BACK", 2, 1, 1, "GL_RGB", NULL, PNG(2, 1, 3, "abcdef"));
    expect(READ("0x1907", "0x1401"));
    begin(core, 33);
    state_driver.lacks = "glGetFramebufferAttachmentParameteriv";
    state_picture_add("GL_STENCIL_INDEX", 2, 1, 1, "GL_STENCIL_INDEX", NULL, PNG(2, 1, 1, "ab"));
    expect(NULL);
    begin(unknown, 46);
    state_driver.lacks = "glBindFramebuffer";
    state_picture_add("GL_BACK", 2, 1, 1, "GL_RGB", NULL, PNG(2, 1, 3, "abcdef"));
    expect(NULL);
}

/* Without these, there is no picture of an attachment, and the bindings stay as they are. */
static void test_missing_functions(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        ATTACHED(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 4),
        RENDERBUFFER(4, 2, 1, GL_RGB565, 0),
        END,
    };
    static const char *const functions[] = {"glBindRenderbuffer", "glGetFramebufferAttachmentParameteriv",
                                            "glCheckFramebufferStatus"};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        begin(answers, 20);
        state_driver.is_es = true;
        state_driver.options.benchmark = true; /* no warning */
        state_driver.lacks = functions[i];
        expect("");
    }
}

/* No more than 32 outputs are asked for. One without name is written as the first one. */
static void test_odd_outputs(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_BUFFER, 0x12345),
        INTEGER(GL_MAX_DRAW_BUFFERS, 1000),
        INTEGER(GL_DRAW_BUFFER0 + 31, 0x12345),
        INTEGER(GL_DRAW_BUFFER0 + 32, GL_COLOR_ATTACHMENT1),
        ATTACHED(GL_READ_FRAMEBUFFER, 0x12345, GL_RENDERBUFFER, 4),
        ATTACHED(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, 4),
        RENDERBUFFER(4, 2, 1, GL_R8, 0),
        END,
    };
    (void)state;
    begin(answers, 46);
    state_picture_add("GL_COLOR_ATTACHMENT0", 2, 1, 1, "GL_R8", NULL, PNG(2, 1, 1, "ab"));
    expect(NULL);
}

/* Samples of depths are copied where no colours are drawn. */
static void test_samples_of_depths(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_RENDERBUFFER_BINDING, 8),
        INTEGER(GL_DRAW_BUFFER0, GL_NONE),
        ATTACHED(GL_DRAW_FRAMEBUFFER, GL_NONE, GL_RENDERBUFFER, 4), /* not asked for */
        ATTACHED(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 5),
        RENDERBUFFER(4, 2, 1, GL_RGBA8, 4),
        RENDERBUFFER(5, 2, 1, GL_DEPTH_COMPONENT16, 4),
        END,
    };
    (void)state;
    begin(answers, 46);
    state_driver_run(state_dump_framebuffer);
    assert_non_null(strstr(state_driver.log, COPY("102", "0x81a5", "0x8d00") BLIT("0x100")));
    assert_null(strstr(state_driver.log, "0x4000"));
}

/* Samples of textures are copied with a renderbuffer, which must be possible. */
static void test_samples_of_textures(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_RENDERBUFFER_BINDING, 8),
        INTEGER(GL_DRAW_BUFFER0, GL_COLOR_ATTACHMENT0),
        ATTACHED(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE, 4),
        INTEGER(GL_TEXTURE_BINDING_2D_MULTISAMPLE, 4),
        {"texture", 4, 0, 0, {GL_TEXTURE_2D_MULTISAMPLE}, NULL},
        LEVEL(GL_TEXTURE_2D_MULTISAMPLE, 0, 2, 1, GL_RGBA8),
        {"glGetTexLevelParameteriv", GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, {4}, NULL},
        END,
    };
    (void)state;
    for (int i = 0; i < 4; ++i) {
        begin(answers, 46);
        state_driver.gone = i == 1 ? 8 : 0; /* it could not be bound again */
        state_driver.lacks = i == 2 ? "glBindRenderbuffer" : i == 3 ? "glDrawBuffer" : NULL;
        state_driver_run(state_dump_framebuffer);
        bool is_copied = i == 0 || i == 3; /* OpenGL ES has no glDrawBuffer() */
        assert_int_equal(strstr(state_driver.log, "glBlitFramebuffer(0 0 2 1, 0 0 2 1, 0x4000") != NULL,
                         is_copied);
        assert_int_equal(strstr(state_driver.log, "glBindRenderbuffer") != NULL, is_copied);
        assert_int_equal(strstr(state_driver.log, "glDrawBuffer(0x8ce0)") != NULL, i == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_windows_without_buffers),
        cmocka_unit_test(test_windows_of_core_profiles),
        cmocka_unit_test(test_windows_of_es),
        cmocka_unit_test(test_windows_of_es_that_are_not_read),
        cmocka_unit_test(test_one_attachment),
        cmocka_unit_test(test_depth_and_stencil),
        cmocka_unit_test(test_deleted_renderbuffers),
        cmocka_unit_test(test_deleted_pack_buffer),
        cmocka_unit_test(test_floats_of_es),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_framebuffers_of_extensions),
        cmocka_unit_test(test_incomplete_framebuffers),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_no_copy),
        cmocka_unit_test(test_depths_of_es),
        cmocka_unit_test(test_windows_of_odd_drivers),
        cmocka_unit_test(test_missing_functions),
        cmocka_unit_test(test_odd_outputs),
        cmocka_unit_test(test_samples_of_depths),
        cmocka_unit_test(test_samples_of_textures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
