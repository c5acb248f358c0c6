/* SPDX-License-Identifier: MIT
 * Tests how a state dump reads each sample of a texture, by a shader: what the shader is, what it is called
 * with, how values become pixels, and what is put back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_samples.h"
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
#define BOUND(start, size)                                                                                   \
    INTEGER(GL_ACTIVE_TEXTURE, GL_TEXTURE2), INTEGER(GL_CURRENT_PROGRAM, 31),                                \
        INTEGER(GL_SHADER_STORAGE_BUFFER_BINDING, 32),                                                       \
        {"glGetIntegeri_v", 0, 0, GL_SHADER_STORAGE_BUFFER_BINDING, {33}, NULL},                             \
        {"glGetInteger64i_v", 0, 0, GL_SHADER_STORAGE_BUFFER_START, {start}, NULL},                          \
        {"glGetInteger64i_v", 0, 0, GL_SHADER_STORAGE_BUFFER_SIZE, {size}, NULL},                            \
        {"glGetProgramiv", 102, 0, GL_LINK_STATUS, {1}, NULL},                                               \
        {"glGetUniformLocation", 102, 0, 0, {1}, "source"},                                                  \
        {"glGetUniformLocation", 102, 0, 0, {2}, "size"}, {"glGetUniformLocation", 102, 0, 0, {3}, "layer"}, \
        {"glGetUniformLocation", 102, 0, 0, {4}, "number"},                                                  \
    {                                                                                                        \
        "glGetBufferParameteriv", 103, 0, GL_BUFFER_SIZE, {4096}, NULL                                       \
    }

static struct state_image_info info;
static struct state_read_format format;
static GLenum target;
static bool is_read;
static char pixels[8192];

static void read_all(struct state_dump *d)
{
    const struct state_target t = {.target = target};
    struct state_pixels out;
    struct state_image_info all = info;
    all.height *= info.samples;
    if (!state_pixels_init(d, &out, &all, &format))
        return; /* no memory */
    is_read = state_read_samples(d, &t, &info, &out);
    size_t size = (size_t)out.width * out.height * format.channels * (format.type == GL_FLOAT ? 4 : 1);
    assert_in_range(size, 1, sizeof pixels);
    memcpy(pixels, out.data, size);
    if (!is_read)
        return;
    state_key(&d->w, "is_read");
    state_bool(&d->w, true);
}

#define SHADER(version, sampler, at)                                                                         \
    "glCreateShader(0x91b9): 101\nglCreateProgram(): 102\nglShaderSource(101):\n"                            \
    "#version " version "\nprecision highp float;\nlayout(local_size_x = 8, local_size_y = 8) in;\n"         \
    "layout(std430, binding = 0) writeonly buffer Texels { vec4 texels[]; };\n"                              \
    "uniform highp " sampler " source;\nuniform ivec2 size;\nuniform int layer;\nuniform int number;\n"      \
    "void main() {\n  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"                                         \
    "  if (at.x < size.x && at.y < size.y)\n"                                                                \
    "    texels[at.y * size.x + at.x] = vec4(texelFetch(source, " at ", number));\n}\n\n"                    \
    "glCompileShader(101)\nglAttachShader(102, 101)\nglLinkProgram(102)\nglDeleteShader(101)\n"
#define READ(layer, number, groups, size)                                                                    \
    "glUniform1i(3, " layer ")\nglUniform1i(4, " number ")\nglDispatchCompute(" groups ", 1)\n"              \
    "glMemoryBarrier(0x200)\nglBindBuffer(0x8f36, 103)\nglBindBuffer(0x8f36, 0)\n"                           \
    "glBindBuffer(0x8f36, 103)\nglGetBufferSubData(0x8f36, 0, " size ")\nglBindBuffer(0x8f36, 0)\n"
#define BEGIN(size, width, height)                                                                           \
    "glBindBufferBase(0x90d2, 0, 103)\nglBufferData(0x90d2, " size ", 0x88e1)\nglUseProgram(102)\n"          \
    "glUniform1i(1, 2)\nglUniform2i(2, " width ", " height ")\n"
#define FINISH(bind)                                                                                         \
    bind "\nglBindBuffer(0x90d2, 32)\nglUseProgram(31)\nglDeleteProgram(102)\nglDeleteBuffers(1, 103)\n"

static void begin(const struct state_answer *answers, const GLfloat *texels, GLenum internal_format)
{
    state_driver_reset(answers);
    state_driver.bytes = (const uint8_t *)texels;
    target = GL_TEXTURE_2D_MULTISAMPLE;
    info = (struct state_image_info){
        .width = 2, .height = 1, .depth = 1, .samples = 2, .internal_format = (GLint)internal_format};
    format = (struct state_read_format){GL_RGBA, GL_UNSIGNED_BYTE, 4};
}

static const struct state_answer bound[] = {BOUND(16, 64), END};

/* Bytes are rounded, and clamped. */
static void test_bytes(void **state)
{
    static const GLfloat texels[] = {0, 1, 0.5F, 2, -1, 0.0019F, 0.00197F, 0.998F};
    static const uint8_t expected[] = {0, 255, 128, 255, 0, 0, 1, 254};
    (void)state;
    begin(bound, texels, GL_RGBA8);
    state_driver_run(read_all);
    assert_memory_equal(pixels, expected, 8);
    assert_memory_equal(pixels + 8, expected, 8); /* the second sample */
    begin(bound, texels, GL_RGBA8);
    state_driver_expect(read_all, "{\"is_read\":true}",
                        SHADER("430", "sampler2DMS", "at") BEGIN("32", "2", "1") READ("0", "0", "1, 1", "32")
                            READ("0", "1", "1, 1", "32") FINISH("glBindBufferRange(0x90d2, 0, 33, 16, 64)"));
}

/* Groups have 8 × 8 invocations. Layers and samples follow each other; a whole buffer is bound as such. */
static void test_layers(void **state)
{
    static const struct state_answer whole[] = {BOUND(0, 0), END};
    GLfloat texels[9 * 16 * 4], *found = (GLfloat *)(void *)pixels;
    (void)state;
    for (int i = 0; i < 9 * 16 * 4; ++i)
        texels[i] = (GLfloat)i;
    begin(whole, texels, GL_RGBA32F);
    target = GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    info = (struct state_image_info){
        .width = 9, .height = 16, .depth = 2, .samples = 1, .internal_format = GL_RGBA32F};
    format = (struct state_read_format){GL_RED, GL_FLOAT, 1};
    state_driver_run(read_all);
    assert_true(is_read);
    for (int i = 0; i < 2 * 9 * 16; ++i)
        assert_float_equal(found[i], 4 * (i % (9 * 16)), 0);
    assert_string_equal(state_driver.log,
                        SHADER("430", "sampler2DMSArray", "ivec3(at, layer)") BEGIN("2304", "9", "16")
                            READ("0", "0", "2, 2", "2304") READ("1", "0", "2, 2", "2304")
                                FINISH("glBindBufferBase(0x90d2, 0, 33)"));
}

/* Integers are clamped, too. Alpha is the fourth component. */
static void test_components(void **state)
{
    static const GLfloat numbers[] = {0, 1, 300, -5, 7, 8, 9, 255};
    static const uint8_t bytes[] = {0, 1, 255, 0, 7, 8, 9, 255};
    static const GLfloat alphas[] = {0, 0, 0, 1, 0, 0, 0, 0.2F};
    (void)state;
    begin(bound, numbers, GL_RGBA32I);
    format.format = GL_RGBA_INTEGER;
    state_driver_run(read_all);
    assert_memory_equal(pixels, bytes, 8);
    assert_non_null(strstr(state_driver.log, SHADER("430", "isampler2DMS", "at")));
    begin(bound, numbers, GL_RGBA32UI);
    format.format = GL_RGBA_INTEGER;
    state_driver_run(read_all);
    assert_memory_equal(pixels, bytes, 8);
    assert_non_null(strstr(state_driver.log, SHADER("430", "usampler2DMS", "at")));
    begin(bound, alphas, GL_ALPHA8);
    format = (struct state_read_format){GL_ALPHA, GL_UNSIGNED_BYTE, 1};
    state_driver_run(read_all);
    assert_memory_equal(pixels, "\xff\x33\xff\x33", 4);
}

/* A buffer of OpenGL ES is mapped. */
static void test_es(void **state)
{
    static const GLfloat texels[8] = {0};
    (void)state;
    begin(bound, texels, GL_RGBA8);
    state_driver.is_es = true;
    state_driver.version = 31;
    state_driver_run(read_all);
    assert_true(is_read);
    assert_non_null(strstr(state_driver.log, SHADER("310 es", "sampler2DMS", "at")));
    begin(bound, texels, GL_RGBA8);
    state_driver.is_es = true;
    state_driver.version = 31;
    target = GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    state_driver_run(read_all);
    assert_non_null(strstr(state_driver.log, SHADER("320 es", "sampler2DMSArray", "ivec3(at, layer)")));
}

/* What the driver does not know was not bound. */
static void test_unknown_bindings(void **state)
{
    static const GLfloat texels[8] = {0};
    static const GLenum unknown[] = {GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
                                     GL_SHADER_STORAGE_BUFFER_SIZE, GL_CURRENT_PROGRAM};
    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
        begin(bound, texels, GL_RGBA8);
        for (const struct state_answer *a = bound; a->function != NULL; ++a)
            if (a->pname == unknown[i])
                state_driver.failing = a;
        state_driver_run(read_all);
        assert_true(is_read);
    }
}

/* Without one of these functions, or if the shader does not link, or the buffer cannot be read, nothing is
 * read, and everything is put back. */
static void test_failures(void **state)
{
    static const GLfloat texels[8] = {0};
    static const char *const functions[] = {
        "glDispatchCompute", "glCreateShader",  "glBindBufferBase", "glBindBufferRange", "glGetIntegeri_v",
        "glGetInteger64i_v", "glMemoryBarrier", "glUniform2i",      "glActiveTexture",   "glBindBuffer"};
    static const struct state_answer unlinked[] = {{"glGetProgramiv", 102, 0, GL_LINK_STATUS, {0}, NULL},
                                                   END};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        begin(bound, texels, GL_RGBA8);
        state_driver.lacks = functions[i];
        state_driver_run(read_all);
        assert_false(is_read);
        assert_string_equal(state_driver.log, "");
    }
    begin(bound, texels, GL_RGBA8);
    state_driver.version = 42;
    state_driver_run(read_all);
    assert_false(is_read);
    assert_string_equal(state_driver.log, "");
    begin(unlinked, texels, GL_RGBA8);
    state_driver_expect(read_all, "{}", SHADER("430", "sampler2DMS", "at") "glDeleteProgram(102)\n");
    begin(bound, texels, GL_RGBA8);
    state_driver.fails = "glGetBufferSubData";
    state_driver_run(read_all);
    assert_false(is_read);
    assert_string_equal(state_driver.log,
                        SHADER("430", "sampler2DMS", "at") BEGIN("32", "2", "1") READ("0", "0", "1, 1", "32")
                            FINISH("glBindBufferRange(0x90d2, 0, 33, 16, 64)"));
}

/* What another context has deleted is not bound, and neither is anything that it would have to give way to.
 */
static void test_deleted_buffers(void **state)
{
    static const GLfloat texels[8] = {0};
    static const struct state_answer copies[] = {INTEGER(GL_COPY_READ_BUFFER_BINDING, 40), BOUND(16, 64),
                                                 END};
    static const GLuint bindings[] = {32, 33}, others[] = {40, 103};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        begin(bound, texels, GL_RGBA8);
        state_driver.gone = bindings[i];
        state_driver_run(read_all);
        assert_false(is_read);
        assert_string_equal(state_driver.log, "");
        begin(copies, texels, GL_RGBA8);
        state_driver.gone = others[i];
        state_driver_run(read_all);
        assert_false(is_read);
        assert_null(strstr(state_driver.log, "glBindBuffer(0x8f36"));
        assert_non_null(strstr(state_driver.log, FINISH("glBindBufferRange(0x90d2, 0, 33, 16, 64)")));
    }
}

#define LEVEL(samples)                                                                                       \
    {"glGetTexLevelParameteriv", GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_WIDTH, {2}, NULL},                 \
        {"glGetTexLevelParameteriv", GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_HEIGHT, {1}, NULL},            \
        {"glGetTexLevelParameteriv",                                                                         \
         GL_TEXTURE_2D_MULTISAMPLE,                                                                          \
         0,                                                                                                  \
         GL_TEXTURE_INTERNAL_FORMAT,                                                                         \
         {GL_RGBA8},                                                                                         \
         NULL},                                                                                              \
    {                                                                                                        \
        "glGetTexLevelParameteriv", GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, {samples}, NULL        \
    }
#define TEXTURE                                                                                              \
    {                                                                                                        \
        "glGetIntegerv", 2, 0, GL_TEXTURE_BINDING_2D_MULTISAMPLE, {7}, NULL                                  \
    }

/* With --keep-samples, a picture has all samples, one below the other, if there are several. */
static void test_dumps(void **state)
{
    static const struct state_answer several[] = {
        TEXTURE, LEVEL(2), INTEGER(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 3), BOUND(16, 64), END};
    static const struct state_answer one[] = {
        TEXTURE, LEVEL(1), INTEGER(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 3), BOUND(16, 64), END};
    static const GLfloat texels[] = {0, 1, 0, 1, 1, 0, 0, 1};
    static const uint8_t rows[] = {0, 255, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 255, 0, 0, 255};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        int height = i == 2 ? 2 : 1;
        begin(i == 1 ? one : several, texels, GL_RGBA8);
        state_driver.unit = 2;
        state_driver.options.keep_samples = i > 0;
        state_driver.pixels = rows; /* by a framebuffer, or by the shader */
        state_driver.byte_count = sizeof texels;
        state_picture_add("GL_TEXTURE2, GL_TEXTURE_2D_MULTISAMPLE", 2, height, 1, "GL_RGBA8", NULL,
                          state_picture_png(2, (uint32_t)height, 4, rows));
        state_picture_expect(state_dump_textures, "textures", NULL);
        assert_int_equal(strstr(state_driver.log, "glDispatchCompute") != NULL, i == 2);
        assert_int_equal(strstr(state_driver.log, "glReadPixels") != NULL, i != 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deleted_buffers),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_es),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_unknown_bindings),
        cmocka_unit_test(test_dumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
