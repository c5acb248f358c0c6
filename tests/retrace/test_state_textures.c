/* SPDX-License-Identifier: MIT
 * Tests what a state dump says of textures: which levels it reads, how, and in which order the rows are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_textures.h"
#include "state_driver.h"
#include "used_memory.h"

#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, 0, {0}, NULL                                                                             \
    }
#define INTEGER(pname, value)                                                                                \
    {                                                                                                        \
        "glGetIntegerv", 0, 0, pname, {value}, NULL                                                          \
    }
#define LEVEL_VALUE(image, level, pname, value)                                                              \
    {                                                                                                        \
        "glGetTexLevelParameteriv", image, level, pname, {value}, NULL                                       \
    }
#define LEVEL(image, level, width, height, format)                                                           \
    LEVEL_VALUE(image, level, GL_TEXTURE_WIDTH, width),                                                      \
        LEVEL_VALUE(image, level, GL_TEXTURE_HEIGHT, height),                                                \
        LEVEL_VALUE(image, level, GL_TEXTURE_INTERNAL_FORMAT, format)
#define PNG state_picture_png

static void expect(const char *log)
{
    state_picture_expect(state_dump_textures, "textures", log);
}

/* --- levels, faces and layers --------------------------------------------------------------------------- */

static void test_levels(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_ACTIVE_TEXTURE, GL_TEXTURE1),
        INTEGER(GL_MAX_LABEL_LENGTH, 9),
        {"glGetIntegerv", 1, 0, GL_TEXTURE_BINDING_2D, {7}, NULL},
        LEVEL(GL_TEXTURE_2D, 0, 2, 2, GL_RGBA8),
        LEVEL(GL_TEXTURE_2D, 1, 1, 1, GL_RGB8),
        {"glGetObjectLabel", GL_TEXTURE, 7, 0, {0}, "paint"},
        END,
    };
    static const uint8_t pixels[] = "abcdefghijklmnopABC"; /* from bottom to top */
    static const char top_down[] = "ijklmnopabcdefgh";
    (void)state;
    state_driver_reset(answers);
    state_driver.pixels = pixels;
    state_picture_add("GL_TEXTURE1, GL_TEXTURE_2D, level = 0", 2, 2, 1, "GL_RGBA8", "paint",
                      PNG(2, 2, 4, top_down));
    state_picture_add("GL_TEXTURE1, GL_TEXTURE_2D, level = 1", 1, 1, 1, "GL_RGB8", "paint",
                      PNG(1, 1, 3, "ABC"));
    expect("glActiveTexture(0)\nglActiveTexture(1)\n"
           "glBindBuffer(0x88eb, 0)\nglGetTexImage(0xde1, 0, 0x1908, 0x1401)\nglBindBuffer(0x88eb, 0)\n"
           "glBindBuffer(0x88eb, 0)\nglGetTexImage(0xde1, 1, 0x1907, 0x1401)\nglBindBuffer(0x88eb, 0)\n"
           "glActiveTexture(1)\n");
}

/* An old driver has one unit, and no pixel buffers. What it does not read is left out. */
static void test_one_unit(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_1D, 7),
        INTEGER(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 5),
        LEVEL(GL_TEXTURE_1D, 0, 2, 9, GL_R8), /* no height */
        INTEGER(GL_PACK_ALIGNMENT, 4),
        INTEGER(GL_PACK_SKIP_ROWS, 3),
        END,
    };
    (void)state;
    state_driver_reset(answers);
    state_driver.lacks = "glActiveTexture";
    state_driver.version = 20;
    state_driver.pixels = "xy";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_1D, level = 0", 2, 1, 1, "GL_R8", NULL, PNG(2, 1, 1, "xy"));
    expect("glPixelStorei(0xd05, 1)\nglPixelStorei(0xd03, 0)\n"
           "glGetTexImage(0xde0, 0, 0x1903, 0x1401)\n"
           "glPixelStorei(0xd05, 4)\nglPixelStorei(0xd03, 3)\n");
    state_driver_reset(answers);
    state_driver.lacks = "glActiveTexture";
    state_driver.fails = "glGetTexImage";
    state_driver.version = 21;
    expect("glPixelStorei(0xd05, 1)\nglPixelStorei(0xd03, 0)\nglBindBuffer(0x88eb, 0)\n"
           "glGetTexImage(0xde0, 0, 0x1903, 0x1401)\n"
           "glBindBuffer(0x88eb, 0)\nglPixelStorei(0xd05, 4)\nglPixelStorei(0xd03, 3)\n");
}

#define ONE_UNIT state_driver.lacks = "glActiveTexture"

static void test_cubes(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_CUBE_MAP, 7),
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 1, 1, GL_R8),
        LEVEL(GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0, 1, 1, GL_R8),
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.pixels = "ab";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_CUBE_MAP_POSITIVE_X, level = 0", 1, 1, 1, "GL_R8", NULL,
                      PNG(1, 1, 1, "a"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_CUBE_MAP_NEGATIVE_X, level = 0", 1, 1, 1, "GL_R8", NULL,
                      PNG(1, 1, 1, "b"));
    expect("glBindBuffer(0x88eb, 0)\nglGetTexImage(0x8515, 0, 0x1903, 0x1401)\nglBindBuffer(0x88eb, 0)\n"
           "glBindBuffer(0x88eb, 0)\nglGetTexImage(0x8516, 0, 0x1903, 0x1401)\nglBindBuffer(0x88eb, 0)\n");
}

/* Every target has a binding of its own. Some have levels. */
static void test_targets(void **state)
{
    static const struct {
        GLenum binding, image;
        const char *member;
        bool has_layers;
    } cases[] = {
        {GL_TEXTURE_BINDING_1D, GL_TEXTURE_1D, "1D, level = 0", false},
        {GL_TEXTURE_BINDING_2D, GL_TEXTURE_2D, "2D, level = 0", false},
        {GL_TEXTURE_BINDING_3D, GL_TEXTURE_3D, "3D, level = 0", true},
        {GL_TEXTURE_BINDING_RECTANGLE, GL_TEXTURE_RECTANGLE, "RECTANGLE", false},
        {GL_TEXTURE_BINDING_CUBE_MAP, GL_TEXTURE_CUBE_MAP_POSITIVE_X, "CUBE_MAP_POSITIVE_X, level = 0",
         false},
        {GL_TEXTURE_BINDING_1D_ARRAY, GL_TEXTURE_1D_ARRAY, "1D_ARRAY, level = 0", false},
        {GL_TEXTURE_BINDING_2D_ARRAY, GL_TEXTURE_2D_ARRAY, "2D_ARRAY, level = 0", true},
        {GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, GL_TEXTURE_CUBE_MAP_ARRAY, "CUBE_MAP_ARRAY, level = 0", true},
        {GL_TEXTURE_BINDING_2D_MULTISAMPLE, GL_TEXTURE_2D_MULTISAMPLE, "2D_MULTISAMPLE", false},
        {GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY, "2D_MULTISAMPLE_ARRAY",
         true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer answers[] = {
            INTEGER(cases[i].binding, 7),
            LEVEL(cases[i].image, 0, 1, 1, GL_R8),
            END,
        };
        char member[100];
        snprintf(member, sizeof member, "GL_TEXTURE0, GL_TEXTURE_%s", cases[i].member);
        state_driver_reset(answers);
        ONE_UNIT;
        state_driver.pixels = "abcdefgh";
        state_picture_add(member, 1, 1, 1, "GL_R8", NULL, PNG(1, 1, 1, "a"));
        expect(NULL);
        const struct state_answer flat[] = {
            INTEGER(cases[i].binding, 7),
            LEVEL(cases[i].image, 0, 1, 0, GL_R8),
            END,
        };
        state_driver_reset(flat);
        ONE_UNIT;
        state_driver.pixels = "abcdefgh";
        if (cases[i].image == GL_TEXTURE_1D)
            state_picture_add(member, 1, 1, 1, "GL_R8", NULL, PNG(1, 1, 1, "a"));
        expect(NULL); /* all others need a height */
        const struct state_answer thin[] = {
            INTEGER(cases[i].binding, 7),
            LEVEL(cases[i].image, 0, 1, 1, GL_R8),
            LEVEL_VALUE(cases[i].image, 0, GL_TEXTURE_DEPTH, 0),
            END,
        };
        state_driver_reset(thin);
        ONE_UNIT;
        state_driver.pixels = "abcdefgh";
        if (!cases[i].has_layers)
            state_picture_add(member, 1, 1, 1, "GL_R8", NULL, PNG(1, 1, 1, "a"));
        expect(NULL); /* those with layers need some */
    }
}

/* Layers are one below the other. Floats are a map whose first row is at the top. */
static void test_layers_of_floats(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_3D, 7),
        INTEGER(GL_PIXEL_PACK_BUFFER_BINDING, 6),
        LEVEL(GL_TEXTURE_3D, 0, 1, 1, GL_R32F),
        LEVEL_VALUE(GL_TEXTURE_3D, 0, GL_TEXTURE_DEPTH, 2),
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.pixels = "abcdefgh"; /* "Pf\n1 2\n1\nefghabcd" in base64: */
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_3D, level = 0", 1, 1, 2, "GL_R32F", NULL,
                      "UGYKMSAyCjEKZWZnaGFiY2Q=");
    expect("glBindBuffer(0x88eb, 0)\nglGetTexImage(0x806f, 0, 0x1903, 0x1406)\n"
           "glBindBuffer(0x88eb, 6)\n");
}

/* Three floats are a map with colours. */
static void test_colours_of_floats(void **state)
{
    static const struct state_answer answers[] = {INTEGER(GL_TEXTURE_BINDING_2D, 7),
                                                  LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_RGB32F), END};
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.pixels = "abcdefghijkl"; /* "PF\n1 1\n1\nabcdefghijkl" in base64: */
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, "GL_RGB32F", NULL,
                      "UEYKMSAxCjEKYWJjZGVmZ2hpamts");
    expect(NULL);
}

/* In arrays of 1D textures, the height is the number of layers. Rectangles have one level. */
static void test_targets_without_levels(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_RECTANGLE, 7),
        LEVEL(GL_TEXTURE_RECTANGLE, 0, 1, 1, GL_R8),
        LEVEL(GL_TEXTURE_RECTANGLE, 1, 1, 1, GL_R8),
        INTEGER(GL_TEXTURE_BINDING_1D_ARRAY, 8),
        LEVEL(GL_TEXTURE_1D_ARRAY, 0, 1, 3, GL_R8),
        LEVEL(GL_TEXTURE_1D_ARRAY, 1, 1, 2, GL_R8),
        LEVEL(GL_TEXTURE_1D_ARRAY, 2, 1, 0, GL_R8), /* no layers, no level */
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.version = 20;
    state_driver.pixels = "a123bc";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_RECTANGLE", 1, 1, 1, "GL_R8", NULL, PNG(1, 1, 1, "a"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_1D_ARRAY, level = 0", 1, 3, 1, "GL_R8", NULL,
                      PNG(1, 3, 1, "321"));
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_1D_ARRAY, level = 1", 1, 2, 1, "GL_R8", NULL,
                      PNG(1, 2, 1, "cb"));
    expect("glGetTexImage(0x84f5, 0, 0x1903, 0x1401)\nglGetTexImage(0x8c18, 0, 0x1903, 0x1401)\n"
           "glGetTexImage(0x8c18, 1, 0x1903, 0x1401)\n");
}

/* A texture buffer is read from its buffer, unless it has floats. */
static void test_texture_buffers(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_BUFFER, 7),
        INTEGER(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, 8),
        LEVEL(GL_TEXTURE_BUFFER, 0, 3, 1, GL_RG8),
        {"glGetBufferParameteriv", 8, 0, GL_BUFFER_SIZE, {6}, NULL},
        END,
    };
    static const struct state_answer floats[] = {
        INTEGER(GL_TEXTURE_BINDING_BUFFER, 7),
        INTEGER(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, 8),
        LEVEL(GL_TEXTURE_BUFFER, 0, 1, 1, GL_R32F),
        {"glGetBufferParameteriv", 8, 0, GL_BUFFER_SIZE, {6}, NULL},
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.bytes = (const uint8_t *)"abcdef";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_BUFFER", 3, 1, 1, "GL_RG8", NULL, PNG(3, 1, 2, "abcdef"));
    expect("glBindBuffer(0x88eb, 0)\nglBindBuffer(0x8f36, 8)\nglBindBuffer(0x8f36, 0)\n"
           "glBindBuffer(0x8f36, 8)\nglGetBufferSubData(0x8f36, 0, 6)\n"
           "glBindBuffer(0x8f36, 0)\nglBindBuffer(0x88eb, 0)\n");
    state_driver_reset(floats);
    ONE_UNIT;
    expect("glBindBuffer(0x88eb, 0)\nglBindBuffer(0x88eb, 0)\n");
    static const struct state_answer flat[] = {
        INTEGER(GL_TEXTURE_BINDING_BUFFER, 7),
        INTEGER(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, 8),
        LEVEL(GL_TEXTURE_BUFFER, 0, 3, 0, GL_RG8),
        {"glGetBufferParameteriv", 8, 0, GL_BUFFER_SIZE, {6}, NULL},
        END,
    };
    state_driver_reset(flat);
    ONE_UNIT;
    expect("");
}

/* Levels that are larger than any picture are left out. What a picture takes is freed. */
static void test_large_levels(void **state)
{
    enum { SIDE = 1024, TOO_LARGE = 65537 };
    static uint8_t pixels[4 * SIDE * SIDE];
    static const struct state_answer large[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        LEVEL(GL_TEXTURE_2D, 0, SIDE, SIDE, GL_RGBA8),
        END,
    };
    static const struct state_answer too_large[] = {
        INTEGER(GL_TEXTURE_BINDING_1D, 7),
        LEVEL(GL_TEXTURE_1D, 0, TOO_LARGE, 1, GL_R8),
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        LEVEL(GL_TEXTURE_2D, 0, 1, TOO_LARGE, GL_R8),
        LEVEL(GL_TEXTURE_2D, 1, 1, 1, GL_R8),
        INTEGER(GL_TEXTURE_BINDING_2D_ARRAY, 7),
        LEVEL(GL_TEXTURE_2D_ARRAY, 0, 1, 257, GL_R8),
        LEVEL_VALUE(GL_TEXTURE_2D_ARRAY, 0, GL_TEXTURE_DEPTH, 256),
        END,
    };
    (void)state;
    state_driver_reset(too_large);
    ONE_UNIT;
    state_driver.pixels = "a";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 1", 1, 1, 1, "GL_R8", NULL, PNG(1, 1, 1, "a"));
    expect(NULL);
    state_driver_reset(large);
    ONE_UNIT;
    state_driver.pixels = pixels;
    size_t before = used_memory();
    state_driver_run(state_dump_textures);
    assert_int_equal(state_driver.pixels_read, sizeof pixels);
    assert_true(used_memory() < before + sizeof pixels / 2);
}

/* --- by framebuffers ------------------------------------------------------------------------------------ */

/* OpenGL ES reads colours as RGBA, layer after layer. */
static void test_es(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D_ARRAY, 7),
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 4),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D_ARRAY}, NULL},
        LEVEL(GL_TEXTURE_2D_ARRAY, 0, 1, 1, GL_RGB8),
        LEVEL_VALUE(GL_TEXTURE_2D_ARRAY, 0, GL_TEXTURE_DEPTH, 2),
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.is_es = true;
    state_driver.version = 31;
    state_driver.pixels = "abcdefgh";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D_ARRAY, level = 0", 1, 1, 2, "GL_RGB8", NULL,
                      PNG(1, 2, 4, "efghabcd"));
    expect("glBindBuffer(0x88eb, 0)\nglBindFramebuffer(0x8ca8, 101)\n"
           "glFramebufferTextureLayer(0x8ca8, 0x8ce0, 7, 0, 0)\n"
           "glReadPixels(0, 0, 1, 1, 0x1908, 0x1401)\nglBindFramebuffer(0x8ca8, 101)\n"
           "glFramebufferTextureLayer(0x8ca8, 0x8ce0, 7, 0, 1)\n"
           "glReadPixels(0, 0, 1, 1, 0x1908, 0x1401)\nglBindFramebuffer(0x8ca8, 101)\n"
           "glBindFramebuffer(0x8d40, 3)\nglBindFramebuffer(0x8ca8, 4)\n"
           "glDeleteFramebuffers(1, 101)\nglBindBuffer(0x88eb, 0)\n");
    state_driver.version = 30; /* tells no sizes of levels */
    state_driver.log[0] = '\0';
    expect("");
}

/* A picture that the driver does not give is left out, and the bindings are put back. */
static void test_failed_reads(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 4),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"texture", 8, 0, 0, {GL_TEXTURE_3D}, NULL},
        LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_RGBA8),
        INTEGER(GL_TEXTURE_BINDING_3D, 8),
        LEVEL(GL_TEXTURE_3D, 0, 1, 1, GL_RGBA8),
        LEVEL_VALUE(GL_TEXTURE_3D, 0, GL_TEXTURE_DEPTH, 1),
        END,
    };
    static const struct {
        const char *fails;
        bool flat, deep; /* pictures that are there */
    } cases[] = {{NULL, true, true},
                 {"glReadPixels", false, false},
                 {"glFramebufferTexture2D", false, true},
                 {"glFramebufferTextureLayer", true, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        state_driver_reset(answers);
        ONE_UNIT;
        state_driver.is_es = true;
        state_driver.version = 32;
        state_driver.fails = cases[i].fails;
        state_driver.pixels = "abcdabcd";
        if (cases[i].flat)
            state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D, level = 0", 1, 1, 1, "GL_RGBA8", NULL,
                              PNG(1, 1, 4, "abcd"));
        if (cases[i].deep)
            state_picture_add("GL_TEXTURE0, GL_TEXTURE_3D, level = 0", 1, 1, 1, "GL_RGBA8", NULL,
                              PNG(1, 1, 4, "abcd"));
        expect(NULL);
        assert_non_null(
            strstr(state_driver.log, "glBindFramebuffer(0x8ca8, 4)\nglDeleteFramebuffers(1, 101)"));
        assert_non_null(
            strstr(state_driver.log, "glBindFramebuffer(0x8ca8, 4)\nglDeleteFramebuffers(1, 102)"));
    }
    static const char *const functions[] = {"glGenFramebuffers", "glBindFramebuffer"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver_reset(answers);
        state_driver.lacks = functions[i];
        state_driver.is_es = true;
        state_driver.version = 32;
        expect(NULL);
    }
}

/* In a cube array, and in an array with samples, layers are read one after the other. Samples have one copy.
 */
static void test_layers_of_es(void **state)
{
    static const struct state_answer cubes[] = {
        INTEGER(GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_CUBE_MAP_ARRAY}, NULL},
        LEVEL(GL_TEXTURE_CUBE_MAP_ARRAY, 0, 1, 1, GL_RGBA8),
        LEVEL_VALUE(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_TEXTURE_DEPTH, 2),
        END,
    };
    static const struct state_answer samples[] = {
        INTEGER(GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_2D_MULTISAMPLE_ARRAY}, NULL},
        LEVEL(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 0, 1, 1, GL_RGBA8),
        LEVEL_VALUE(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 0, GL_TEXTURE_DEPTH, 2),
        LEVEL_VALUE(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 0, GL_TEXTURE_SAMPLES, 4),
        END,
    };
    static const char *const members[] = {"GL_TEXTURE0, GL_TEXTURE_CUBE_MAP_ARRAY, level = 0",
                                          "GL_TEXTURE0, GL_TEXTURE_2D_MULTISAMPLE_ARRAY"};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        state_driver_reset(i == 0 ? cubes : samples);
        ONE_UNIT;
        state_driver.is_es = true;
        state_driver.version = 32;
        state_driver.pixels = "abcdefgh";
        state_picture_add(members[i], 1, 1, 2, "GL_RGBA8", NULL, PNG(1, 2, 4, "efghabcd"));
        expect(NULL);
        assert_non_null(strstr(state_driver.log, "glFramebufferTextureLayer(0x8ca8, 0x8ce0, 7, 0, 1)\n"));
        const char *storage = strstr(state_driver.log, "glRenderbufferStorage");
        assert_int_equal(storage != NULL, i == 1);
        assert_true(storage == NULL || strstr(storage + 1, "glRenderbufferStorage") == NULL);
    }
}

/* A texture buffer of OpenGL ES has the bytes of its buffer, too. */
static void test_texture_buffer_of_es(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_BUFFER, 7),
        INTEGER(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, 8),
        {"texture", 7, 0, 0, {GL_TEXTURE_BUFFER}, NULL},
        LEVEL(GL_TEXTURE_BUFFER, 0, 3, 1, GL_RG8),
        {"glGetBufferParameteriv", 8, 0, GL_BUFFER_SIZE, {6}, NULL},
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.is_es = true;
    state_driver.version = 32;
    state_driver.bytes = (const uint8_t *)"abcdef";
    state_driver.byte_count = 6;
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_BUFFER", 3, 1, 1, "GL_RG8", NULL, PNG(3, 1, 2, "abcdef"));
    expect(NULL);
    assert_non_null(strstr(state_driver.log, "glMapBufferRange(0x8f36, 0, 6, 0x1)\n"));
}

/* Samples are resolved to a renderbuffer of the same format. */
static void test_samples(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_TEXTURE_BINDING_2D_MULTISAMPLE, 7),
        INTEGER(GL_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 4),
        INTEGER(GL_RENDERBUFFER_BINDING, 5),
        {"glIsEnabled", 0, 0, GL_SCISSOR_TEST, {1}, NULL},
        LEVEL(GL_TEXTURE_2D_MULTISAMPLE, 0, 2, 1, GL_DEPTH_COMPONENT24),
        LEVEL_VALUE(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, 4),
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.pixels = "abcdefgh";
    /* "Pf\n2 1\n1\nabcdefgh" */
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D_MULTISAMPLE", 2, 1, 1, "GL_DEPTH_COMPONENT24", NULL,
                      "UGYKMiAxCjEKYWJjZGVmZ2g=");
    expect("glBindBuffer(0x88eb, 0)\nglBindFramebuffer(0x8ca8, 101)\n"
           "glFramebufferTexture2D(0x8ca8, 0x8d00, 0x9100, 7, 0)\n"
           "glBindRenderbuffer(0x8d41, 103)\nglRenderbufferStorage(0x8d41, 0x81a6, 2, 1)\n"
           "glBindFramebuffer(0x8ca8, 101)\nglBindFramebuffer(0x8ca9, 102)\n"
           "glFramebufferRenderbuffer(0x8ca9, 0x8d00, 103)\nglDisable(0xc11)\n"
           "glBlitFramebuffer(0 0 2 1, 0 0 2 1, 0x100, 0x2600)\nglEnable(0xc11)\n"
           "glBindFramebuffer(0x8ca8, 102)\nglReadPixels(0, 0, 2, 1, 0x1902, 0x1406)\n"
           "glBindFramebuffer(0x8ca8, 101)\nglBindFramebuffer(0x8d40, 3)\nglBindFramebuffer(0x8ca8, 4)\n"
           "glDeleteFramebuffers(1, 101)\nglBindRenderbuffer(0x8d41, 5)\nglDeleteFramebuffers(1, 102)\n"
           "glDeleteRenderbuffers(1, 103)\nglBindBuffer(0x88eb, 0)\n");
    static const struct state_answer colours[] = {
        INTEGER(GL_TEXTURE_BINDING_2D_MULTISAMPLE, 7),
        LEVEL(GL_TEXTURE_2D_MULTISAMPLE, 0, 1, 1, GL_RGBA8),
        LEVEL_VALUE(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, 4),
        END,
    };
    state_driver_reset(colours);
    ONE_UNIT;
    state_driver.pixels = "abcd";
    state_picture_add("GL_TEXTURE0, GL_TEXTURE_2D_MULTISAMPLE", 1, 1, 1, "GL_RGBA8", NULL,
                      PNG(1, 1, 4, "abcd"));
    expect(NULL);
    assert_non_null(strstr(state_driver.log, "glFramebufferTexture2D(0x8ca8, 0x8ce0, 0x9100, 7, 0)\n"));
    assert_non_null(strstr(state_driver.log, "glBlitFramebuffer(0 0 1 1, 0 0 1 1, 0x4000, 0x2600)\n"));
    assert_null(strstr(state_driver.log, "glDisable"));
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.fails = "glBlitFramebuffer";
    state_driver_run(state_dump_textures);
    assert_null(strstr(state_driver.log, "glReadPixels"));
    assert_non_null(strstr(state_driver.log, "glDeleteRenderbuffers(1, 103)"));
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.gone = 5; /* it could not be bound again */
    state_driver_run(state_dump_textures);
    assert_null(strstr(state_driver.log, "glBindRenderbuffer"));
    assert_null(strstr(state_driver.log, "glReadPixels"));
    static const char *const functions[] = {"glBlitFramebuffer", "glGenRenderbuffers", "glBindRenderbuffer",
                                            "glRenderbufferStorage", "glFramebufferRenderbuffer"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver_reset(answers);
        state_driver.lacks = functions[i];
        state_driver_run(state_dump_textures);
        assert_null(strstr(state_driver.log, "glReadPixels"));
    }
}

/* --- images of shaders ---------------------------------------------------------------------------------- */

#define IMAGE(unit, name, level, layered, layer)                                                             \
    {"glGetIntegeri_v", 0, unit, GL_IMAGE_BINDING_NAME, {name}, NULL},                                       \
        {"glGetIntegeri_v", 0, unit, GL_IMAGE_BINDING_LEVEL, {level}, NULL},                                 \
        {"glGetIntegeri_v", 0, unit, GL_IMAGE_BINDING_LAYERED, {layered}, NULL},                             \
    {                                                                                                        \
        "glGetIntegeri_v", 0, unit, GL_IMAGE_BINDING_LAYER, {layer}, NULL                                    \
    }

static void test_image_units(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_MAX_IMAGE_UNITS, 3),
        INTEGER(GL_TEXTURE_BINDING_2D, 0),
        INTEGER(GL_TEXTURE_BINDING_1D, 0),
        INTEGER(GL_TEXTURE_BINDING_CUBE_MAP, 0),
        IMAGE(0, 7, 0, 0, 5),
        IMAGE(1, 8, 2, 1, 5),
        IMAGE(2, 9, 0, 0, 0), /* there is no such texture */
        IMAGE(3, 7, 0, 0, 0), /* there is no such unit */
        {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
        {"texture", 8, 0, 0, {GL_TEXTURE_CUBE_MAP}, NULL},
        LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_R8),
        LEVEL(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 2, 1, 1, GL_R8),
        END,
    };
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.pixels = "ab";
    state_picture_add("Image Unit 0", 1, 1, 1, "GL_R8", NULL, PNG(1, 1, 1, "a"));
    state_picture_add("Image Unit 1, level = 2, layer = 5", 1, 1, 1, "GL_R8", NULL, PNG(1, 1, 1, "b"));
    expect("glMemoryBarrier(0x100)\nglBindTexture(0xde1, 7)\n"
           "glBindBuffer(0x88eb, 0)\nglGetTexImage(0xde1, 0, 0x1903, 0x1401)\nglBindBuffer(0x88eb, 0)\n"
           "glBindTexture(0xde1, 0)\nglBindTexture(0xde1, 8): error\nglBindTexture(0xde0, 8): error\n"
           "glBindTexture(0x8513, 8)\n"
           "glBindBuffer(0x88eb, 0)\nglGetTexImage(0x8515, 2, 0x1903, 0x1401)\nglBindBuffer(0x88eb, 0)\n"
           "glBindTexture(0x8513, 0)\n");
}

/* Without a barrier, images are written all the same; without a way to ask for them, they are not. There are
 * no more than 256. */
static void test_images_of_odd_drivers(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_MAX_IMAGE_UNITS, 1000),
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        IMAGE(0, 0, 0, 0, 0),
        IMAGE(255, 7, 0, 0, 0),
        IMAGE(256, 7, 0, 0, 0),
        LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_R8),
        END,
    };
    static const char *const functions[] = {NULL, "glMemoryBarrier", "glGetIntegeri_v"};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver_reset(answers);
        state_driver.lacks = functions[i];
        state_driver.pixels = "ab";
        const char *text = state_driver_text(state_dump_textures);
        assert_int_equal(strstr(text, "\"Image Unit 255\":") != NULL, i < 2);
        assert_null(strstr(text, "\"Image Unit 256\":"));
    }
}

/* --- odd drivers ---------------------------------------------------------------------------------------- */

/* A driver may say that a texture has any number of levels. The first 32 are looked at, also to see whether
 * they are mipmaps, which are drawn. */
static void test_most_levels(void **state)
{
    enum { LEVELS = 40, VALUES = 3 };
    static struct state_answer answers[2 + VALUES * LEVELS + 1];
    struct state_answer *next = answers;
    (void)state;
    *next++ = (struct state_answer)INTEGER(GL_TEXTURE_BINDING_2D, 7);
    *next++ = (struct state_answer){"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL};
    for (GLuint level = 0; level < LEVELS; ++level) {
        const struct state_answer values[] = {LEVEL(GL_TEXTURE_2D, level, 1, 1, level < 32 ? GL_R8 : GL_RG8)};
        memcpy(next, values, sizeof values);
        next += VALUES;
    }
    for (int i = 0; i < 2; ++i) {
        state_driver_reset(answers);
        ONE_UNIT;
        state_driver.is_es = i == 1;
        state_driver.side_version = 32;
        state_driver.fails = i == 1 ? "glFramebufferTexture2D" : NULL;
        state_driver.pixels = "01234567890123456789012345678901234567890";
        const char *text = state_driver_text(state_dump_textures);
        assert_int_equal(strstr(text, "level = 31\"") != NULL, i == 0);
        assert_null(strstr(text, "level = 32\""));
        assert_int_equal(state_driver.switches != 0, i == 1);
    }
}

/* Without one of these functions, a texture is read by another one, or not at all. */
static void test_missing_functions(void **state)
{
    static const struct state_answer flat[] = {INTEGER(GL_TEXTURE_BINDING_2D, 7),
                                               {"texture", 7, 0, 0, {GL_TEXTURE_2D}, NULL},
                                               LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_R8),
                                               END};
    static const struct state_answer deep[] = {
        INTEGER(GL_TEXTURE_BINDING_3D, 7),
        {"texture", 7, 0, 0, {GL_TEXTURE_3D}, NULL},
        LEVEL(GL_TEXTURE_3D, 0, 1, 1, GL_RGBA8),
        LEVEL_VALUE(GL_TEXTURE_3D, 0, GL_TEXTURE_DEPTH, 1),
        END,
    };
    static const struct {
        const char *lacks, *call; /* that there is; NULL: nothing is read */
        const struct state_answer *answers;
        bool is_es;
    } cases[] = {{"glGetTexImage", "glFramebufferTexture2D(0x8ca8, 0x8ce0, 0xde1, 7, 0)\n", flat, false},
                 {"glGetTexLevelParameteriv", NULL, flat, false},
                 {"glFramebufferTexture2D", NULL, flat, true},
                 {"glFramebufferTextureLayer", NULL, deep, true},
                 {NULL, "glFramebufferTextureLayer(0x8ca8, 0x8ce0, 7, 0, 0)\n", deep, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        state_driver_reset(cases[i].answers);
        state_driver.lacks = cases[i].lacks;
        state_driver.is_es = cases[i].is_es;
        state_driver.version = cases[i].is_es ? 32 : 46;
        state_driver.pixels = "abcd";
        state_driver_run(state_dump_textures);
        assert_int_equal(strstr(state_driver.log, "glReadPixels") != NULL, cases[i].call != NULL);
        if (cases[i].call != NULL)
            assert_non_null(strstr(state_driver.log, cases[i].call));
        else
            assert_null(strstr(state_driver.log, "glFramebufferTexture"));
        assert_null(strstr(state_driver.log, "glGetTexImage"));
    }
}

/* A pixel pack buffer that another context has deleted could not be bound again. */
static void test_deleted_pack_buffer(void **state)
{
    static const struct state_answer answers[] = {INTEGER(GL_TEXTURE_BINDING_2D, 7),
                                                  INTEGER(GL_PIXEL_PACK_BUFFER_BINDING, 9),
                                                  LEVEL(GL_TEXTURE_2D, 0, 1, 1, GL_R8), END};
    (void)state;
    state_driver_reset(answers);
    ONE_UNIT;
    state_driver.gone = 9;
    expect("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_one_unit),
        cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_layers_of_floats),
        cmocka_unit_test(test_targets_without_levels),
        cmocka_unit_test(test_texture_buffers),
        cmocka_unit_test(test_large_levels),
        cmocka_unit_test(test_es),
        cmocka_unit_test(test_failed_reads),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_image_units),
        cmocka_unit_test(test_layers_of_es),
        cmocka_unit_test(test_texture_buffer_of_es),
        cmocka_unit_test(test_colours_of_floats),
        cmocka_unit_test(test_images_of_odd_drivers),
        cmocka_unit_test(test_most_levels),
        cmocka_unit_test(test_missing_functions),
        cmocka_unit_test(test_deleted_pack_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
