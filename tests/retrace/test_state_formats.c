/* SPDX-License-Identifier: MIT
 * Tests how a state dump reads an image, by its internal format.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "state_driver.h"

enum { BYTE = GL_UNSIGNED_BYTE };

static const struct {
    GLint internal_format;
    GLenum format, type;
    unsigned channels;
} cases[] = {
    {1, GL_LUMINANCE, BYTE, 1},
    {2, GL_LUMINANCE_ALPHA, BYTE, 2},
    {3, GL_RGB, BYTE, 3},
    {4, GL_RGBA, BYTE, 4},
    {0, GL_RGBA, BYTE, 4},
    {5, GL_RGBA, BYTE, 4},             /* unknown */
    {GL_TEXTURE_2D, GL_RGBA, BYTE, 4}, /* no format */
    {0x7fffffff, GL_RGBA, BYTE, 4},
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_FLOAT, 1},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_FLOAT, 1},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 1},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT, GL_FLOAT, 1},
    {GL_STENCIL_INDEX8, GL_STENCIL_INDEX, BYTE, 1},
    {GL_LUMINANCE8, GL_LUMINANCE, BYTE, 1},
    {GL_LUMINANCE32F_ARB, GL_LUMINANCE, GL_FLOAT, 1},
    {GL_LUMINANCE8UI_EXT, GL_RGBA_INTEGER, BYTE, 4},
    {GL_DEPTH32F_STENCIL8, GL_DEPTH_COMPONENT, GL_FLOAT, 1},
    {GL_STENCIL_INDEX16, GL_STENCIL_INDEX, BYTE, 1},
    {GL_SLUMINANCE8, GL_LUMINANCE, BYTE, 1},
    {GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, BYTE, 2},
    {GL_SLUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, BYTE, 2},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, BYTE, 2},
    {GL_LUMINANCE_ALPHA32F_ARB, GL_LUMINANCE_ALPHA, GL_FLOAT, 2},
    {GL_INTENSITY8, GL_RED, BYTE, 1},
    {GL_ALPHA8, GL_ALPHA, BYTE, 1},
    {GL_ALPHA16F_ARB, GL_ALPHA, GL_FLOAT, 1},
    {GL_RGBA8, GL_RGBA, BYTE, 4},
    {GL_SRGB8_ALPHA8, GL_RGBA, BYTE, 4},
    {GL_SRGB8, GL_RGB, BYTE, 3},
    {GL_BGRA, GL_RGBA, BYTE, 4},
    {GL_BGR, GL_RGB, BYTE, 3},
    {GL_RED, GL_RED, BYTE, 1},
    {GL_RGB, GL_RGB, BYTE, 3},
    {GL_RGB10_A2, GL_RGBA, BYTE, 4},
    {GL_RGB5_A1, GL_RGBA, BYTE, 4},
    {GL_RGB10_A2UI, GL_RGBA_INTEGER, BYTE, 4},
    {GL_RGB9_E5, GL_RGB, GL_FLOAT, 3},
    {GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, 3},
    {GL_R3_G3_B2, GL_RGB, BYTE, 3},
    {GL_RG8, GL_RG, BYTE, 2},
    {GL_RG16F, GL_RG, GL_FLOAT, 2},
    {GL_R8, GL_RED, BYTE, 1},
    {GL_R32F, GL_RED, GL_FLOAT, 1},
    {GL_R8_SNORM, GL_RED, GL_FLOAT, 1},
    {GL_RGBA8_SNORM, GL_RGBA, GL_FLOAT, 4},
    {GL_R8I, GL_RGBA_INTEGER, BYTE, 4},
    {GL_RG32UI, GL_RGBA_INTEGER, BYTE, 4},
    {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_RGB, BYTE, 3},
    {0x8d64 /* GL_ETC1_RGB8_OES */, GL_RGB, BYTE, 3},
    {GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_RGBA, BYTE, 4},
    {GL_COMPRESSED_RGBA_ASTC_4x4_KHR, GL_RGBA, BYTE, 4},
    {GL_COMPRESSED_RG11_EAC, GL_RG, BYTE, 2},
    {GL_COMPRESSED_SRGB_ALPHA, GL_RGBA, BYTE, 4},
    {GL_COMPRESSED_SRGB, GL_RGB, BYTE, 3},
    {GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGBA, BYTE, 4},
    {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, GL_RGB, GL_FLOAT, 3},
    {GL_COMPRESSED_RED_RGTC1, GL_RED, BYTE, 1},
    {GL_COMPRESSED_SIGNED_RG_RGTC2, GL_RG, BYTE, 2},
};

static void compare(struct state_dump *d)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct state_read_format read;
        state_choose_format(d, cases[i].internal_format, &read);
        if (read.format != cases[i].format || read.type != cases[i].type ||
            read.channels != cases[i].channels)
            fail_msg("0x%x: 0x%x, 0x%x, %u", cases[i].internal_format, read.format, read.type, read.channels);
    }
}

static void test_formats(void **state)
{
    (void)state;
    state_driver_reset(NULL);
    state_driver_run(compare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
