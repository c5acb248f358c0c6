/* SPDX-License-Identifier: MIT
 * Tests how a state dump reads textures of OpenGL ES that no framebuffer takes: in another context, which is
 * left, and what of the textures is put back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

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
#define VERSION(text)                                                                                        \
    {                                                                                                        \
        "glGetString", 0, 0, GL_VERSION, {0}, text                                                           \
    }
#define LEVEL(image, level, width, height, format)                                                           \
    {"glGetTexLevelParameteriv", image, level, GL_TEXTURE_WIDTH, {width}, NULL},                             \
        {"glGetTexLevelParameteriv", image, level, GL_TEXTURE_HEIGHT, {height}, NULL},                       \
    {                                                                                                        \
        "glGetTexLevelParameteriv", image, level, GL_TEXTURE_INTERNAL_FORMAT, {format}, NULL                 \
    }
#define PARAMETER(target, pname, value)                                                                      \
    {                                                                                                        \
        "glGetTexParameteriv", target, 0, pname, {value}, NULL                                               \
    }
/* The program object: 101 is the framebuffer that does not take the texture. */
#define PROGRAM                                                                                              \
    {"glGetProgramiv", 102, 0, GL_LINK_STATUS, {1}, NULL},                                                   \
        {"glGetUniformLocation", 102, 0, 0, {1}, "layers"},                                                  \
        {"glGetUniformLocation", 102, 0, 0, {2}, "layer"},                                                   \
    {                                                                                                        \
        "glGetAttribLocation", 102, 0, 0, {3}, "corner"                                                      \
    }

static void begin(const struct state_answer *answers, int version, int side_version)
{
    state_driver_reset(answers);
    state_driver.lacks = "glActiveTexture";
    state_driver.fails = "glFramebufferTexture2D";
    state_driver.is_es = true;
    state_driver.version = version;
    state_driver.side_version = side_version;
}

static void expect(void)
{
    state_picture_expect(state_dump_textures, "textures", NULL);
}

static void expect_call(const char *call)
{
    if (strstr(state_driver.log, call) == NULL)
        fail_msg("%s is missing in:\n%s", call, state_driver.log);
}

/* Of a font, one component is written. The level is the first one while it is drawn, and only then. */
static void test_alpha(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_2D, 0, 2, 1, GL_ALPHA),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 3),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 32, 32);
    state_driver.pixels = "abcdABCD";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 2, 1, 1, "GL_ALPHA", NULL,
                      state_picture_png(2, 1, 1, "dD"));
    expect();
    expect_call("glTexParameteri(0xde1, 0x813c, 0x0)\n");
    expect_call("glTexParameteri(0xde1, 0x813c, 0x3)\nglBindTexture(0xde1, 0)\n");
    expect_call("glDrawArrays(0x4, 0, 3)\nglReadPixels(0, 0, 2, 1, 0x1908, 0x1401)\n");
    expect_call("glBindTexture(0xde1, 0)\nglBindTexture(0xde1, 7)\n"); /* for the program */
    expect_call("glDeleteProgram(102)\n");
    expect_call("glAttachShader(102, 103)\nglDeleteShader(103)\n");
    expect_call("glAttachShader(102, 104)\nglDeleteShader(104)\n");
}

/* OpenGL ES 2 has no samplers: parameters of the texture stand for them. */
static void test_old_context(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"glTexSubImage2D", GL_TEXTURE_2D, 0, GL_LUMINANCE_ALPHA, {1, 1}, NULL},
        VERSION("OpenGL ES 2.0"),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 20, 20);
    state_driver.pixels = "abcd";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, "GL_LUMINANCE_ALPHA", NULL,
                      state_picture_png(1, 1, 2, "ad"));
    expect();
    expect_call("glTexParameteri(0xde1, 0x2801, 0x2600)\n");
    expect_call("glTexParameteri(0xde1, 0x2801, 0x2601)\n");
    assert_null(strstr(state_driver.log, "Sampler"));
    assert_null(strstr(state_driver.log, "#version"));
}

/* A context of OpenGL ES 1 does not know what this is, but another one does. */
static void test_compressed(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        VERSION("OpenGL ES 3.1"),
        LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_COMPRESSED_RGB8_ETC2),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 11, 31);
    state_driver.pixels = "abcd";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, "GL_COMPRESSED_RGB8_ETC2", NULL,
                      state_picture_png(1, 1, 3, "abc"));
    expect();
    /* Without one, it is left out. */
    begin(answers, 11, 0);
    expect();
}

/* A cube that lacks a face would be black. */
static void test_incomplete_cube(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_CUBE_MAP, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_CUBE_MAP}, NULL},
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 1, 1, GL_ALPHA),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 32, 32);
    expect();
    assert_null(strstr(state_driver.log, "glDrawArrays"));
}

/* Targets differ in their programs. One that is no longer used is deleted. */
static void test_programs_of_targets(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_TEXTURE_BINDING_CUBE_MAP, 8),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"texture", 8, 0, 0, {GL_TEXTURE_CUBE_MAP}, NULL},
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_ALPHA),
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 1, 1, GL_ALPHA),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 32, 32);
    state_driver.pixels = "abcd";
    state_driver_run(state_dump_textures);
    expect_call("glDeleteProgram(102)\nglCreateProgram()");
}

/* Nor is a cube complete whose faces have several formats. */
static void test_cube_of_formats(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_CUBE_MAP, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_CUBE_MAP}, NULL},
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 1, 1, GL_ALPHA),
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0, 1, 1, GL_LUMINANCE),
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0, 1, 1, GL_ALPHA),
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, 1, 1, GL_ALPHA),
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_Z, 0, 1, 1, GL_ALPHA),
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 1, 1, GL_ALPHA),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 32, 32);
    state_driver.pixels = "abcd";
    expect();
    assert_null(strstr(state_driver.log, "glDrawArrays"));
}

/* Without the parameter that makes a level the first one, a draw would show another level. */
static void test_refused_parameter(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_2D, 0, 2, 1, GL_ALPHA),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 3),
        PROGRAM,
        END,
    };
    bool is_refused = false;
    (void)state;
    for (unsigned call = 1; call < 200 && !is_refused; ++call) { /* the first such call sets it */
        begin(answers, 32, 32);
        state_driver.pixels = "abcdABCD";
        state_driver.failing_call = call;
        state_driver_run(state_dump_textures);
        is_refused = state_driver.failed != NULL && strncmp(state_driver.failed, "glTexParameteri", 15) == 0;
    }
    assert_true(is_refused);
    assert_null(strstr(state_driver.log, "glDrawArrays"));
}

/* To draw with a level that is no mipmap of the first one, a driver gives the texture other memory. */
static void test_no_mipmaps(void **state)
{
    static const struct {
        int width, height, format;
        bool is_drawn;
    } cases[] = {{2, 1, GL_ALPHA, true},
                 {1, 1, GL_ALPHA, false},
                 {2, 2, GL_ALPHA, false},
                 {2, 1, GL_LUMINANCE, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer answers[] = {
            INTEGER(GL_TEXTURE_BINDING_2D, 7),
            {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
            VERSION("OpenGL ES 3.2"),
            LEVEL(GL_TEXTURE_2D, 0, 4, 1, GL_ALPHA),
            LEVEL(GL_TEXTURE_2D, 1, cases[i].width, cases[i].height, cases[i].format),
            PROGRAM,
            END,
        };
        begin(answers, 32, 32);
        state_driver.pixels = "abcdABCDefghEFGHijklIJKL";
        state_driver_run(state_dump_textures);
        assert_int_equal(strstr(state_driver.log, "glDrawArrays") != NULL, cases[i].is_drawn);
    }
}

/* It is bound, but another context has deleted it: it could not be bound again. */
static void test_deleted_texture(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_2D, 0, 2, 1, GL_ALPHA),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 32, 32);
    state_driver.pixels = "abcdABCD";
    expect();
    assert_null(strstr(state_driver.log, "glBindTexture"));
}

/* Other contexts may not exist, or be something else. */
static void test_no_other_context(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        VERSION("4.6"),
        LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_ALPHA),
        PROGRAM,
        END,
    };
    (void)state;
    for (int version = 0; version <= 32; version += 32) {
        begin(answers, 32, version);
        expect();
        assert_null(strstr(state_driver.log, "glDrawArrays"));
    }
    begin(answers, 32, 32);
    state_driver.has_no_errors = true; /* contexts that share objects would have to have none, too */
    expect();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_old_context),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_incomplete_cube),
        cmocka_unit_test(test_programs_of_targets),
        cmocka_unit_test(test_cube_of_formats),
        cmocka_unit_test(test_refused_parameter),
        cmocka_unit_test(test_no_mipmaps),
        cmocka_unit_test(test_deleted_texture),
        cmocka_unit_test(test_no_other_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
