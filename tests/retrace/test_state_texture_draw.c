/* SPDX-License-Identifier: MIT
 * Tests how a state dump reads textures of OpenGL ES that no framebuffer takes: in another context, which is
 * left, and what of the textures is put back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "objects/replay_drawable.h"
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

static void expect_count(const char *call, unsigned count)
{
    unsigned found = 0;
    for (const char *at = state_driver.log; (at = strstr(at, call)) != NULL; ++at)
        ++found;
    if (found != count)
        fail_msg("%s is there %u times in:\n%s", call, found, state_driver.log);
}

/* The draw of a texture of two texels, whose fourth level was the first one that counts. */
#define BOUND "glBindTexture(0xde1, 7)\nglTexParameteri(0xde1, 0x813c, 0x0)\n"
#define SAMPLER                                                                                              \
    "glSamplerParameteri(105, 0x2801, 0x2600)\nglSamplerParameteri(105, 0x2800, 0x2600)\n"                   \
    "glBindSampler(0, 105)\nglSamplerParameteri(105, 0x8a48, 0x8a4a)\n"
#define FRAMEBUFFER                                                                                          \
    "glBindFramebuffer(0x8d40, 106)\nglBindRenderbuffer(0x8d41, 107)\n"                                      \
    "glRenderbufferStorage(0x8d41, 0x8058, 2, 1)\n"                                                          \
    "glFramebufferRenderbuffer(0x8d40, 0x8ce0, 107)\n"
#define TRIANGLE                                                                                             \
    "glVertexAttribPointer(3, 2, 0x1406, 0)\nglEnableVertexAttribArray(3)\n"                                 \
    "glViewport(0, 0, 2, 1)\nglDisable(0xbd0)\nglUseProgram(102)\nglUniform1i(1, 1)\n"                       \
    "glUniform1i(2, 0)\nglDrawArrays(0x4, 0, 3)\n"
#define DELETED                                                                                              \
    "glUseProgram(0)\nglDeleteSamplers(1, 105)\nglBindFramebuffer(0x8d40, 0)\n"                              \
    "glDeleteFramebuffers(1, 106)\nglBindRenderbuffer(0x8d41, 0)\nglDeleteRenderbuffers(1, 107)\n"
#define UNBOUND "glTexParameteri(0xde1, 0x813c, 0x3)\nglBindTexture(0xde1, 0)\n"

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
    expect_call(BOUND SAMPLER FRAMEBUFFER TRIANGLE
                "glReadPixels(0, 0, 2, 1, 0x1908, 0x1401)\n" DELETED UNBOUND);
    expect_call("glBindTexture(0xde1, 0)\nglBindTexture(0xde1, 7)\n"); /* for the program */
    expect_call("#version 300 es\n#define attribute in\n#define varying out\nattribute vec2 corner;\n");
    expect_call("#define varying in\n");
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

/* The other context has the latest version that there is, and no messages. */
static void test_versions_of_other_contexts(void **state)
{
    static const int versions[] = {32, 31, 30, 20};
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_2D, 0, 2, 1, GL_ALPHA),
        PROGRAM,
        END,
    };
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; ++i) {
        begin(answers, 32, versions[i]);
        state_driver.pixels = "abcdABCD";
        state_driver_run(state_dump_textures);
        assert_int_equal(state_driver.side_config.major, versions[i] / 10);
        assert_int_equal(state_driver.side_config.minor, versions[i] % 10);
        assert_false(state_driver.side_config.debug);
    }
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

#define CUBE(width, height, format)                                                                          \
    INTEGER(GL_TEXTURE_BINDING_CUBE_MAP, 7), {"texture", 7, 0, 0, {GL_TEXTURE_CUBE_MAP}, NULL},              \
        VERSION("OpenGL ES 3.2"), LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 1, 1, GL_ALPHA),                  \
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0, width, height, format),                                     \
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0, 1, 1, GL_ALPHA),                                            \
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, 1, 1, GL_ALPHA),                                            \
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_Z, 0, 1, 1, GL_ALPHA),                                            \
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 1, 1, GL_ALPHA), PROGRAM, END

/* Nor is a cube complete whose faces have several sizes or formats. */
static void test_cube_of_formats(void **state)
{
    static const struct state_answer cubes[][40] = {
        {CUBE(1, 1, GL_LUMINANCE)}, {CUBE(2, 1, GL_ALPHA)}, {CUBE(1, 2, GL_ALPHA)}};
    (void)state;
    for (size_t i = 0; i < sizeof cubes / sizeof *cubes; ++i) {
        begin(cubes[i], 32, 32);
        state_driver.pixels = "abcd";
        expect();
        assert_null(strstr(state_driver.log, "glDrawArrays"));
    }
}

/* Of a complete cube, each face is drawn as a layer. All of them have one program. */
static void test_complete_cube(void **state)
{
    static const struct state_answer cube[] = {CUBE(1, 1, GL_ALPHA)};
    static const char *const faces[] = {"POSITIVE_X", "NEGATIVE_X", "POSITIVE_Y",
                                        "NEGATIVE_Y", "POSITIVE_Z", "NEGATIVE_Z"};
    char member[80], call[80];
    (void)state;
    begin(cube, 32, 32);
    state_driver.pixels = "...a...b...c...d...e...f";
    for (int i = 0; i < 6; ++i) {
        snprintf(member, sizeof member, "GL_TEXTURE0, GL_TEXTURE_CUBE_MAP_%s, level = 0", faces[i]);
        char alpha = (char)('a' + i);
        state_picture_add(member, 1, 1, 1, "GL_ALPHA", NULL, state_picture_png(1, 1, 1, &alpha));
    }
    expect();
    for (int i = 0; i < 6; ++i) {
        snprintf(call, sizeof call, "glUniform1i(2, %d)\nglDrawArrays(0x4, 0, 3)\n", i);
        expect_call(call);
    }
    expect_count("glCreateProgram", 1);
    expect_count("glDeleteProgram", 1);
}

/* Makes each call of a function fail in turn that is made before the draw. Nothing may be drawn then, and
 * what was set before is put back. Returns the number of these calls. */
static unsigned refuse_each(const struct state_answer *answers, int version, const char *function)
{
    unsigned refused = 0, calls;
    begin(answers, version, version);
    state_driver.pixels = "abcdABCD";
    state_driver_run(state_dump_textures);
    calls = state_driver.calls;
    expect_count("glDrawArrays", 1);
    for (unsigned call = 1; call <= calls; ++call) {
        begin(answers, version, version);
        state_driver.pixels = "abcdABCD";
        state_driver.failing_call = call;
        state_driver_run(state_dump_textures);
        if (state_driver.failed == NULL || strncmp(state_driver.failed, function, strlen(function)) != 0 ||
            strstr(state_driver.log, "glDrawArrays") != NULL)
            continue;
        expect_count(function, 2 * refused + 1); /* the one that fails is not put back */
        ++refused;
    }
    return refused;
}

/* Without a parameter of the texture, a draw would show another level, or other components. */
static void test_refused_parameters(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        VERSION("OpenGL ES 3.2"),
        LEVEL(GL_TEXTURE_2D, 0, 2, 1, GL_ALPHA),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 3),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, -1),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_ALPHA),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_ALPHA),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, GL_ALPHA),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_A, GL_ONE),
        PARAMETER(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX),
        PROGRAM,
        END,
    };
    static const struct state_answer old[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"glTexSubImage2D", GL_TEXTURE_2D, 0, GL_ALPHA, {2, 1}, NULL},
        VERSION("OpenGL ES 2.0"),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT),
        PARAMETER(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT),
        PROGRAM,
        END,
    };
    (void)state;
    assert_int_equal(refuse_each(answers, 32, "glTexParameteri"), 7);
    assert_int_equal(refuse_each(old, 20, "glTexParameteri"), 4);
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
    static const struct state_answer old[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        VERSION("OpenGL ES-CM 1.1"),
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
    begin(old, 32, 32);
    expect();
    assert_null(strstr(state_driver.log, "glBindTexture(0xde1, 0)"));
    begin(answers, 32, 32);
    state_driver.has_no_errors = true; /* contexts that share objects would have to have none, too */
    expect();
}

/* --- what is drawn, and how ----------------------------------------------------------------------------- */

#define FLAT_TEXTURE(version, width, height, format)                                                         \
    INTEGER(GL_TEXTURE_BINDING_2D, 7), {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL}, VERSION(version),        \
        LEVEL(GL_TEXTURE_2D, 0, width, height, format), PROGRAM

/* Floats are drawn as the bits that they are. */
static void test_floats(void **state)
{
    static const struct state_answer answers[] = {FLAT_TEXTURE("OpenGL ES 3.2", 2, 1, GL_RGB9_E5), END};
    (void)state;
    begin(answers, 32, 32);
    state_driver.pixels = "abcdefghijkl....ABCDEFGHIJKL....";
    /* "PF\n2 1\n1\nabcdefghijklABCDEFGHIJKL" */
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 2, 1, 1, "GL_RGB9_E5", NULL,
                      "UEYKMiAxCjEKYWJjZGVmZ2hpamtsQUJDREVGR0hJSktM");
    expect();
    expect_call("glRenderbufferStorage(0x8d41, 0x8d70, 2, 1)\n");
    expect_call("glReadPixels(0, 0, 2, 1, 0x8d99, 0x1405)\n");
    expect_call("out highp uvec4 texel;\n");
}

/* Integers and stencils have samplers of their own. */
static void test_integers(void **state)
{
    static const struct {
        GLenum format;
        const char *name, *sampler, *output;
        unsigned channels;
    } cases[] = {
        {GL_RGBA8I, "GL_RGBA8I", "uniform isampler2D source;\n", "out highp vec4 texel;\n", 4},
        {GL_RGBA8UI, "GL_RGBA8UI", "uniform usampler2D source;\n", "out highp vec4 texel;\n", 4},
        {GL_STENCIL_INDEX8, "GL_STENCIL_INDEX8", "uniform usampler2D source;\n", "out highp vec4 texel;\n",
         1},
        {GL_RGB8, "GL_RGB8", "uniform sampler2D source;\n", "out highp vec4 texel;\n", 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer answers[] = {
            FLAT_TEXTURE("OpenGL ES 3.2", 1, 1, cases[i].format),
            PARAMETER(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_DEPTH_COMPONENT), END};
        begin(answers, 32, 32);
        state_driver.pixels = "abcd";
        state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, cases[i].name, NULL,
                          state_picture_png(1, 1, cases[i].channels, "abcd"));
        expect();
        expect_call(cases[i].sampler);
        expect_call(cases[i].output);
        expect_count("glTexParameteri(0xde1, 0x90ea, 0x1901)\n", cases[i].format == GL_STENCIL_INDEX8);
    }
}

/* Colours stay in sRGB: by the sampler, or the framebuffer turns them back. */
static void test_srgb(void **state)
{
    static const struct {
        GLenum format;
        const char *storage;
    } cases[] = {{GL_SRGB8, "glRenderbufferStorage(0x8d41, 0x8c43, 1, 1)\n"},
                 {GL_RGB8, "glRenderbufferStorage(0x8d41, 0x8058, 1, 1)\n"},
                 {0x12345, "glRenderbufferStorage(0x8d41, 0x8058, 1, 1)\n"}}; /* unknown */
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer answers[] = {FLAT_TEXTURE("OpenGL ES 3.2", 1, 1, cases[i].format), END};
        unsigned parameters = 0;
        begin(answers, 32, 32);
        state_driver.pixels = "abcd";
        state_driver_run(state_dump_textures);
        expect_call("glSamplerParameteri(105, 0x8a48, 0x8a4a)\n");
        expect_call("glRenderbufferStorage(0x8d41, 0x8058, 1, 1)\n");
        for (unsigned call = 1; parameters < 3; ++call) { /* the third one is refused */
            begin(answers, 32, 32);
            state_driver.pixels = "abcd";
            state_driver.failing_call = call;
            state_driver_run(state_dump_textures);
            assert_non_null(state_driver.failed);
            parameters += strncmp(state_driver.failed, "glSamplerParameteri", 19) == 0;
        }
        expect_call(cases[i].storage);
        expect_call("glDrawArrays");
    }
}

/* Drivers that lack one of these have their own sampling, which is left as it is. */
static void test_no_samplers(void **state)
{
    static const struct state_answer answers[] = {FLAT_TEXTURE("OpenGL ES 3.2", 2, 1, GL_ALPHA), END};
    static const char *const functions[] = {"glGenSamplers", "glSamplerParameteri", "glBindSampler",
                                            "glDeleteSamplers"};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        begin(answers, 32, 32);
        state_driver.lacks = functions[i];
        state_driver.pixels = "abcdABCD";
        state_driver_run(state_dump_textures);
        expect_call("glDrawArrays");
        expect_count("glBindSampler", 0);
        expect_count("glDeleteSamplers", 0);
    }
}

/* Nothing is done without any of these. */
static void test_missing_functions(void **state)
{
    static const struct state_answer answers[] = {FLAT_TEXTURE("OpenGL ES 3.2", 2, 1, GL_ALPHA), END};
    static const char *const functions[] = {
        "glTexParameteri",    "glGetTexParameteriv",   "glDrawArrays",
        "glViewport",         "glCreateShader",        "glCheckFramebufferStatus",
        "glUniform1i",        "glVertexAttribPointer", "glEnableVertexAttribArray",
        "glGenFramebuffers",  "glBindFramebuffer",     "glGenRenderbuffers",
        "glBindRenderbuffer", "glRenderbufferStorage", "glFramebufferRenderbuffer"};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        begin(answers, 32, 32);
        state_driver.lacks = functions[i];
        state_driver.pixels = "abcdABCD";
        state_driver_run(state_dump_textures);
        expect_count("glDrawArrays", 0);
        assert_int_equal(state_driver.switches, 0);
    }
}

/* Each level that is a mipmap is drawn, with one program. OpenGL ES 2 draws the first one alone. */
static void test_levels(void **state)
{
    static const struct state_answer answers[] = {FLAT_TEXTURE("OpenGL ES 3.2", 2, 1, GL_ALPHA),
                                                  LEVEL(GL_TEXTURE_2D, 1, 1, 1, GL_ALPHA), END};
    static const struct state_answer old[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"glTexSubImage2D", GL_TEXTURE_2D, 0, GL_ALPHA, {2, 1}, NULL},
        {"glTexSubImage2D", GL_TEXTURE_2D, 1, GL_ALPHA, {1, 1}, NULL},
        VERSION("OpenGL ES 2.0"),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 32, 32);
    state_driver.pixels = "...a...b...c";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 2, 1, 1, "GL_ALPHA", NULL,
                      state_picture_png(2, 1, 1, "ab"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 1", 1, 1, 1, "GL_ALPHA", NULL,
                      state_picture_png(1, 1, 1, "c"));
    expect();
    expect_count("glCreateProgram", 1);
    begin(old, 20, 20);
    state_driver.pixels = "...a...b...c";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 2, 1, 1, "GL_ALPHA", NULL,
                      state_picture_png(2, 1, 1, "ab"));
    expect();
    expect_count("glDrawArrays", 1);
}

/* No draw shows these: there is no shader for them, or they are of no size that is read. */
static void test_what_cannot_be_drawn(void **state)
{
#define TEXTURE(kind)                                                                                        \
    INTEGER(GL_TEXTURE_BINDING_##kind, 7), {"texture", 7, 0, 0, {GL_TEXTURE_##kind}, NULL},                  \
        INTEGER(GL_MAX_TEXTURE_SIZE, 64), INTEGER(GL_MAX_3D_TEXTURE_SIZE, 64)
    static const struct {
        int version, side;
        bool is_known; /* without another context */
        struct state_answer answers[20];
    } cases[] = {
        {32,
         32,
         false,
         {TEXTURE(RECTANGLE), VERSION("OpenGL ES 3.2"), LEVEL(GL_TEXTURE_RECTANGLE, 0, 1, 1, GL_R8), PROGRAM,
          END}},
        {32,
         31,
         false,
         {TEXTURE(CUBE_MAP_ARRAY), VERSION("OpenGL ES 3.1"), LEVEL(GL_TEXTURE_CUBE_MAP_ARRAY, 0, 1, 1, GL_R8),
          PROGRAM, END}},
        {20,
         20,
         false,
         {TEXTURE(3D),
          VERSION("OpenGL ES 2.0"),
          {"glTexSubImage3D", GL_TEXTURE_3D, 0, GL_RGBA, {1, 1, 1}, NULL},
          PROGRAM,
          END}},
        {20,
         20,
         false,
         {TEXTURE(2D),
          VERSION("OpenGL ES 2.0"),
          {"glTexSubImage2D", GL_TEXTURE_2D, 0, GL_RGBA, {1, 1, 0, GL_FLOAT}, NULL},
          PROGRAM,
          END}},
        {32,
         32,
         true,
         {TEXTURE(2D), VERSION("OpenGL ES 3.2"), LEVEL(GL_TEXTURE_2D, 0, 65537, 1, GL_R8), PROGRAM, END}},
        {32,
         32,
         true,
         {TEXTURE(2D_MULTISAMPLE),
          VERSION("OpenGL ES 3.2"),
          LEVEL(GL_TEXTURE_2D_MULTISAMPLE, 0, 1, 1, GL_R8),
          {"glGetTexLevelParameteriv", GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, {4}, NULL},
          PROGRAM,
          END}},
        {32,
         32,
         true,
         {TEXTURE(BUFFER), VERSION("OpenGL ES 3.2"), LEVEL(GL_TEXTURE_BUFFER, 0, 1, 1, GL_R8), PROGRAM, END}},
    };
#undef TEXTURE
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        begin(cases[i].answers, cases[i].version, cases[i].side);
        state_driver.lacks = "glFramebufferTextureLayer";
        state_driver_run(state_dump_textures);
        expect_count("glCreateProgram", 0);
        if (cases[i].is_known)
            assert_int_equal(state_driver.switches, 0);
    }
}

/* What cannot be drawn to is not read. */
static void test_incomplete_framebuffer(void **state)
{
    static const struct state_answer answers[] = {
        FLAT_TEXTURE("OpenGL ES 3.2", 2, 1, GL_ALPHA),
        {"glCheckFramebufferStatus", GL_FRAMEBUFFER, 0, 0, {GL_FRAMEBUFFER_UNSUPPORTED}, NULL},
        END};
    (void)state;
    begin(answers, 32, 32);
    expect();
    expect_count("glDrawArrays", 0);
}

/* --- the contexts --------------------------------------------------------------------------------------- */

/* The fixed pipeline may be told to use texture 0, which no other context has. */
static void test_texture_zero(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_MAX_TEXTURE_COORDS, 1),
        {"glIsEnabled", 0, 0, GL_TEXTURE_2D, {1}, NULL},
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        VERSION("OpenGL ES 3.1"),
        LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_RGBA),
        PROGRAM,
        END,
    };
    static const struct state_answer known[] = {
        INTEGER(GL_MAX_TEXTURE_COORDS, 1),
        {"glIsEnabled", 0, 0, GL_TEXTURE_2D, {1}, NULL},
        INTEGER(GL_MAX_TEXTURE_SIZE, 64),
        {"glTexSubImage2D", GL_TEXTURE_2D, 0, GL_RGBA, {1, 1}, NULL},
        VERSION("OpenGL ES 3.1"),
        PROGRAM,
        END,
    };
    (void)state;
    begin(answers, 11, 31);
    expect();
    assert_int_equal(state_driver.switches, 0);
    begin(known, 11, 31);
    expect();
    assert_int_equal(state_driver.switches, 0);
    expect_count("glFramebufferTexture2D", 0);
}

/* Contexts may not be bound: the other one for drawing, the program's afterwards, or the other one for
 * deleting its program. What was drawn is there all the same. The program has the drawables that it had. */
static void test_contexts_that_are_not_bound(void **state)
{
    static struct replay_drawable window, source;
    static const struct state_answer answers[] = {FLAT_TEXTURE("OpenGL ES 3.2", 2, 1, GL_ALPHA), END};
    (void)state;
    window.ws = (struct ws_drawable *)&window;
    source.ws = (struct ws_drawable *)&source;
    for (unsigned i = 0; i <= 4; ++i) {
        begin(answers, 32, 32);
        state_driver.window = &window;
        state_driver.source = &source;
        state_driver.options.benchmark = true; /* no warning */
        state_driver.pixels = "...a...b";
        state_driver.failing_switch = i;
        state_driver_run(state_dump_textures);
        assert_int_equal(state_driver.switches, i == 1 ? 2 : 4);
        expect_count("glDrawArrays", i != 1);
        expect_count("glDeleteProgram", i != 1 && i != 3);
    }
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
        cmocka_unit_test(test_refused_parameters),
        cmocka_unit_test(test_complete_cube),
        cmocka_unit_test(test_no_mipmaps),
        cmocka_unit_test(test_deleted_texture),
        cmocka_unit_test(test_no_other_context),
        cmocka_unit_test(test_versions_of_other_contexts),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_srgb),
        cmocka_unit_test(test_no_samplers),
        cmocka_unit_test(test_missing_functions),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_what_cannot_be_drawn),
        cmocka_unit_test(test_incomplete_framebuffer),
        cmocka_unit_test(test_texture_zero),
        cmocka_unit_test(test_contexts_that_are_not_bound),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
