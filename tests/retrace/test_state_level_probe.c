/* SPDX-License-Identifier: MIT
 * Tests the sizes and formats of levels in contexts of OpenGL ES that cannot be asked for them, and how these
 * levels are read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_framebuffer.h"
#include "state/state_textures.h"
#include "state_driver.h"

#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, 0, {0}, NULL                                                                             \
    }
#define INTEGER(pname, value)                                                                                \
    {                                                                                                        \
        "glGetIntegerv", 0, 0, pname, {value}, NULL                                                          \
    }
/* A texture is bound to its target. */
#define BOUND(kind, name)                                                                                    \
    INTEGER(GL_TEXTURE_BINDING_##kind, name),                                                                \
    {                                                                                                        \
        "texture", name, 0, 0, {GL_TEXTURE_##kind}, NULL                                                     \
    }
#define FLAT(image, level, format, ...)                                                                      \
    {                                                                                                        \
        "glTexSubImage2D", image, level, format, {__VA_ARGS__}, NULL                                         \
    }
#define DEEP(image, level, format, ...)                                                                      \
    {                                                                                                        \
        "glTexSubImage3D", image, level, format, {__VA_ARGS__}, NULL                                         \
    }
#define PNG state_picture_png

static void begin(const struct state_answer *answers, int version)
{
    state_driver_reset(answers);
    state_driver.lacks = "glActiveTexture";
    state_driver.is_es = true;
    state_driver.version = version;
}

static void expect(const char *log)
{
    state_picture_expect(state_dump_textures, "textures", log);
}

/* --- OpenGL ES 1 and 2 ---------------------------------------------------------------------------------- */

#define READ(image, level, width, height)                                                                    \
    "glBindFramebuffer(0x8d40, 101)\nglFramebufferTexture2D(0x8d40, 0x8ce0, " image ", 7, " level ")\n"      \
    "glReadPixels(0, 0, " width ", " height ", 0x1908, 0x1401)\nglBindFramebuffer(0x8d40, 101)\n"            \
    "glBindFramebuffer(0x8d40, 3)\nglDeleteFramebuffers(1, 101)\n"

/* There is one binding for framebuffers. Sizes are those of any driver: the largest one, and odd ones. */
static void test_sizes(void **state)
{
    static const struct state_answer answers[] = {
        BOUND(2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 5),
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        FLAT(GL_TEXTURE_2D, 0, GL_RGB, 5, 1),
        END,
    };
    static const int versions[] = {10, 11, 20};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof versions / sizeof *versions; ++i) {
        begin(answers, versions[i / 2]);
        state_driver.has_oes_names = i % 2 == 1;
        state_driver.pixels = "abcdefghijklmnopqrst";
        state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 5, 1, 1, "GL_RGB", NULL,
                          PNG(5, 1, 4, "abcdefghijklmnopqrst"));
        expect(READ("0xde1", "0", "5", "1"));
    }
}

/* With an extension, reading has a binding of its own, which is put back. */
static void test_two_bindings(void **state)
{
    static const struct state_answer answers[] = {
        BOUND(2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 4),
        FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1),
        END,
    };
    (void)state;
    begin(answers, 20);
    state_driver.pixels = "abcd";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, "GL_RGBA", NULL,
                      PNG(1, 1, 4, "abcd"));
    expect("glBindFramebuffer(0x8d40, 101)\nglFramebufferTexture2D(0x8d40, 0x8ce0, 0xde1, 7, 0)\n"
           "glReadPixels(0, 0, 1, 1, 0x1908, 0x1401)\nglBindFramebuffer(0x8d40, 101)\n"
           "glBindFramebuffer(0x8d40, 3)\nglBindFramebuffer(0x8ca8, 4)\nglDeleteFramebuffers(1, 101)\n");
}

static void test_levels_and_faces(void **state)
{
    static const struct state_answer answers[] = {
        BOUND(2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 2048),
        FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1),
        FLAT(GL_TEXTURE_2D, 1, GL_RGBA, 1, 1),
        FLAT(GL_TEXTURE_2D, 2, GL_RGBA, 0, 1),
        FLAT(GL_TEXTURE_2D, 3, GL_RGBA, 1, 1), /* there is no level before it */
        BOUND(CUBE_MAP, 8),
        INTEGER(GL_MAX_CUBE_MAP_TEXTURE_SIZE, 1),
        FLAT(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, GL_RGBA, 1, 1),
        FLAT(GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0, GL_RGBA, 1, 1),
        END,
    };
    (void)state;
    begin(answers, 11);
    state_driver.pixels = "abcdefghijklmnopqrst";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 2, 1, 1, "GL_RGBA", NULL,
                      PNG(2, 1, 4, "abcdefgh"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 1", 1, 1, 1, "GL_RGBA", NULL,
                      PNG(1, 1, 4, "ijkl"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_CUBE_MAP_POSITIVE_X, level = 0", 1, 1, 1, "GL_RGBA", NULL,
                      PNG(1, 1, 4, "mnop"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_CUBE_MAP_NEGATIVE_X, level = 0", 1, 1, 1, "GL_RGBA", NULL,
                      PNG(1, 1, 4, "qrst"));
    expect(NULL);
}

/* The format is the one that an update must have. */
static void test_formats(void **state)
{
    static const struct {
        GLenum format, type;
        const char *name;
    } cases[] = {
        {GL_RGBA, GL_UNSIGNED_BYTE, "GL_RGBA"},
        {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, "GL_LUMINANCE_ALPHA"},
        {GL_LUMINANCE, GL_UNSIGNED_BYTE, "GL_LUMINANCE"},
        {GL_ALPHA, GL_UNSIGNED_BYTE, "GL_ALPHA"},
        {GL_BGRA, GL_UNSIGNED_BYTE, "GL_BGRA"},
        {GL_RED, GL_UNSIGNED_BYTE, "GL_RED"},
        {GL_RG, GL_UNSIGNED_BYTE, "GL_RG"},
        {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, "GL_RGB10_A2"},
        {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, "GL_DEPTH_COMPONENT"},
        {GL_RGBA, GL_UNSIGNED_BYTE_3_3_2, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer answers[] = {
            BOUND(2D, 7),
            INTEGER(GL_MAX_TEXTURE_SIZE, 64),
            FLAT(GL_TEXTURE_2D, 0, cases[i].format, 1, 1, 0, cases[i].type),
            END,
        };
        begin(answers, 20);
        state_driver.pixels = "abcd";
        if (cases[i].name != NULL)
            state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, cases[i].name, NULL,
                              PNG(1, 1, 4, "abcd"));
        expect(NULL);
    }
}

/* A driver whose updates have no errors, or that has no functions, does not tell sizes. A context without
 * errors is not asked. */
static void test_no_sizes(void **state)
{
    static const struct state_answer answers[] = {
        BOUND(2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1),
        END,
    };
    (void)state;
    begin(answers, 20);
    state_driver.accepts_updates = true;
    expect("");
    begin(answers, 20);
    state_driver.lacks = "glTexSubImage2D";
    expect("");
    begin(answers, 20);
    state_driver.has_no_errors = true;
    expect("");
}

/* --- OpenGL ES 3.0 -------------------------------------------------------------------------------------- */

/* Buffers that updates would come from are put back. */
static void test_layers(void **state)
{
    static const struct state_answer answers[] = {
        BOUND(2D_ARRAY, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        INTEGER(GL_MAX_ARRAY_TEXTURE_LAYERS, 2),
        BOUND(3D, 8),
        INTEGER(GL_MAX_3D_TEXTURE_SIZE, 16),
        INTEGER(GL_PIXEL_UNPACK_BUFFER_BINDING, 6),
        DEEP(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, 1, 1, 2),
        DEEP(GL_TEXTURE_3D, 0, GL_RGB, 1, 1, 1),
        END,
    };
    (void)state;
    begin(answers, 30);
    state_driver.pixels = "abcdABCDijkl";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_3D, level = 0", 1, 1, 1, "GL_RGB", NULL, PNG(1, 1, 4, "abcd"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D_ARRAY, level = 0", 1, 1, 2, "GL_RGBA", NULL,
                      PNG(1, 2, 4, "ijklABCD"));
#define PROBE "glBindBuffer(0x88ec, 0)\nglBindBuffer(0x88ec, 6)\n"
#define LAYER(framebuffer, texture, layer)                                                                   \
    "glFramebufferTextureLayer(0x8ca8, 0x8ce0, " texture ", 0, " layer ")\n"                                 \
    "glReadPixels(0, 0, 1, 1, 0x1908, 0x1401)\nglBindFramebuffer(0x8ca8, " framebuffer ")\n"
#define WITH(framebuffer, layers)                                                                            \
    "glBindBuffer(0x88eb, 0)\nglBindFramebuffer(0x8ca8, " framebuffer ")\n" layers                           \
    "glBindFramebuffer(0x8d40, 0)\nglBindFramebuffer(0x8ca8, 0)\nglDeleteFramebuffers(1, " framebuffer       \
    ")\nglBindBuffer(0x88eb, 0)\n"
    expect(PROBE WITH("101", LAYER("101", "8", "0"))
               PROBE PROBE WITH("102", LAYER("102", "7", "0") LAYER("102", "7", "1")) PROBE);
    begin(answers, 30);
    state_driver.gone = 6; /* it could not be bound again */
    expect("");
}

/* Floats are read as such. */
static void test_floats(void **state)
{
    static const struct {
        GLenum type;
        const char *name;
    } cases[] = {
        {GL_HALF_FLOAT, "GL_RGBA16F"},
        {0x8d61, "GL_RGBA16F"},
        {GL_FLOAT, "GL_RGBA32F"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer answers[] = {
            BOUND(2D, 7),
            INTEGER(GL_MAX_TEXTURE_SIZE, 64),
            FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, cases[i].type),
            END,
        };
        begin(answers, 30);
        state_driver.pixels = "abcdefghijklmnop"; /* "PX\n1 1\n1\nabcdefghijklmnop" in base64: */
        state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, cases[i].name, NULL,
                          "UFgKMSAxCjEKYWJjZGVmZ2hpamtsbW5vcA==");
        expect(NULL);
    }
}

/* --- attachments ---------------------------------------------------------------------------------------- */

/* OpenGL ES 1 has framebuffer objects by an extension. */
static void test_attachments(void **state)
{
#define ATTACHMENT(pname, value)                                                                             \
    {                                                                                                        \
        "glGetFramebufferAttachmentParameteriv", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, pname, {value}, NULL  \
    }
    static const struct state_answer answers[] = {
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        ATTACHMENT(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL_TEXTURE),
        ATTACHMENT(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, 4),
        {"texture", 4, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1),
        END,
    };
    (void)state;
    begin(answers, 11);
    state_driver.pixels = "abcdefgh";
    state_picture_add("GL_COLOR_ATTACHMENT0", 2, 1, 1, "GL_RGBA", NULL, PNG(2, 1, 4, "abcdefgh"));
    state_picture_expect(state_dump_framebuffer, "framebuffer",
                         "glBindTexture(0xde1, 4)\nglBindTexture(0xde1, 7)\n"
                         "glReadPixels(0, 0, 2, 1, 0x1908, 0x1401)\n");
}

/* --- odd drivers ---------------------------------------------------------------------------------------- */

/* A level has a size in each direction, and none that is larger than pictures can be. */
static void test_odd_sizes(void **state)
{
    static const struct state_answer no_height[] = {BOUND(2D, 7), INTEGER(GL_MAX_TEXTURE_SIZE, 64),
                                                    FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 2, 0), END};
    static const struct state_answer no_width[] = {BOUND(2D, 7), INTEGER(GL_MAX_TEXTURE_SIZE, 64),
                                                   FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 0, 2), END};
    static const struct state_answer no_depth[] = {BOUND(3D, 7), INTEGER(GL_MAX_3D_TEXTURE_SIZE, 64),
                                                   DEEP(GL_TEXTURE_3D, 0, GL_RGBA, 2, 2, 0), END};
    static const struct state_answer large[] = {BOUND(2D, 7), INTEGER(GL_MAX_TEXTURE_SIZE, 65537),
                                                FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1), END};
    static const struct state_answer largest[] = {BOUND(2D, 7), INTEGER(GL_MAX_TEXTURE_SIZE, 65536),
                                                  FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1), END};
    static const struct state_answer *const cases[] = {no_height, no_width, no_depth, large};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        begin(cases[i], 20);
        expect("");
    }
    begin(largest, 20);
    state_driver.pixels = "abcd";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, "GL_RGBA", NULL,
                      PNG(1, 1, 4, "abcd"));
    expect(NULL);
}

/* A driver without buffers has none to put back. */
static void test_no_buffers(void **state)
{
    static const struct state_answer answers[] = {
        BOUND(2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        INTEGER(GL_PIXEL_UNPACK_BUFFER_BINDING, 6),
        FLAT(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1),
        END,
    };
    (void)state;
    begin(answers, 11);
    state_driver.lacks = "glBindBuffer";
    state_driver.pixels = "abcd";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, "GL_RGBA", NULL,
                      PNG(1, 1, 4, "abcd"));
    expect(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_two_bindings),
        cmocka_unit_test(test_formats),   cmocka_unit_test(test_levels_and_faces),
        cmocka_unit_test(test_no_sizes),  cmocka_unit_test(test_layers),
        cmocka_unit_test(test_floats),    cmocka_unit_test(test_attachments),
        cmocka_unit_test(test_odd_sizes), cmocka_unit_test(test_no_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
