/* SPDX-License-Identifier: MIT */
/* Textures that OpenGL ES cannot read by framebuffers, each in a unit of its own. Prints the names of those
 * that the driver has, with their units, and draws two frames with the one in unit 1.
 * usage: es_textures VERSION (1, 2 or 3: of the context that is asked for) */
#include "app_egl.h"

#include <GLES2/gl2ext.h>
#include <GLES3/gl32.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_TEXTURE_UNITS = 0x84e2, TEXTURE_CROP_RECT_OES = 0x8b9d }; /* of OpenGL ES 1 */

/* A texture of 4 x 4 texels, and of 6 layers if the target has any. size: of a compressed layer; 0: it is not
 * compressed. */
struct kind {
    const char *name;
    int version; /* that has it, or an extension of it */
    GLenum target;
    GLenum internal_format, format, type;
    int size, texel; /* bytes */
    const void *texels;
};

static const GLubyte bytes[] = {10, 20, 30, 40};
static const GLushort shorts[] = {0x8000, 0x4000, 300, 7};
static const GLuint words[] = {1, 200, 70000, 0xffffffff};
static const GLint numbers[] = {-5, 100, 300, 7};
static const GLbyte signs[] = {-127, 127, 0, 127};
static const GLfloat floats[] = {-1.5f, 1000.25f, 0.125f, 0.5f};
static const GLushort halves[] = {0xbe00, 0x3000, 0x3c00, 0x3800}; /* -1.5, 0.125, 1, 0.5 */
static const GLuint packed_depth[] = {0x80000012};                 /* 0.5 and a stencil of 18 */
static const GLubyte etc[] = {0xf0, 0x80, 0x0f, 0, 0, 0, 0, 0};
static const GLubyte etc_alpha[] = {128, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x80, 0x0f, 0, 0, 0, 0, 0};
static const GLubyte dxt1[] = {0x00, 0xf8, 0x1f, 0x00, 0x00, 0x00, 0x55, 0x55}; /* red above, blue */

static const struct kind kinds[] = {
    {"alpha", 1, GL_TEXTURE_2D, GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, 0, 1, bytes},
    {"mipmaps", 1, GL_TEXTURE_2D, GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, 0, 1, bytes},
    {"luminance_alpha", 1, GL_TEXTURE_2D, GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 0, 2,
     bytes},
    {"etc1", 1, GL_TEXTURE_2D, GL_ETC1_RGB8_OES, 0, 0, 8, 8, etc},
    {"dxt1", 1, GL_TEXTURE_2D, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 0, 0, 8, 8, dxt1},
    {"luminance", 1, GL_TEXTURE_2D, GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, 0, 1, bytes},
    {"cube_luminance", 1, GL_TEXTURE_CUBE_MAP, GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, 0, 1, bytes},
    {"depth16", 2, GL_TEXTURE_2D, GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 0, 2, shorts},
    {"depth_stencil", 2, GL_TEXTURE_2D, GL_DEPTH_STENCIL, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 0, 4,
     packed_depth},
    {"luminance_float", 2, GL_TEXTURE_2D, GL_LUMINANCE, GL_LUMINANCE, GL_FLOAT, 0, 4, floats},
    {"alpha_half", 2, GL_TEXTURE_2D, GL_ALPHA, GL_ALPHA, GL_HALF_FLOAT_OES, 0, 2, halves},
    {"rgba_float", 2, GL_TEXTURE_2D, GL_RGBA, GL_RGBA, GL_FLOAT, 0, 16, floats},
    {"rgba32f", 3, GL_TEXTURE_2D, GL_RGBA32F, GL_RGBA, GL_FLOAT, 0, 16, floats},
    {"rgb16f", 3, GL_TEXTURE_2D, GL_RGB16F, GL_RGB, GL_HALF_FLOAT, 0, 6, halves},
    {"rgb9_e5", 3, GL_TEXTURE_2D, GL_RGB9_E5, GL_RGB, GL_FLOAT, 0, 12, floats},
    {"r8ui", 3, GL_TEXTURE_2D, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 0, 1, bytes},
    {"rgba32ui", 3, GL_TEXTURE_2D, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 0, 16, words},
    {"rgba32i", 3, GL_TEXTURE_2D, GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 0, 16, numbers},
    {"rgba8_snorm", 3, GL_TEXTURE_2D, GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 0, 4, signs},
    {"srgb8", 3, GL_TEXTURE_2D, GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, 0, 3, bytes},
    {"depth32f", 3, GL_TEXTURE_2D, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 0, 4, &floats[3]},
    {"depth24_stencil8", 3, GL_TEXTURE_2D, GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 0, 4,
     packed_depth},
    {"etc2_alpha", 3, GL_TEXTURE_2D, GL_COMPRESSED_RGBA8_ETC2_EAC, 0, 0, 16, 16, etc_alpha},
    {"srgb_etc2", 3, GL_TEXTURE_2D, GL_COMPRESSED_SRGB8_ETC2, 0, 0, 8, 8, etc},
    {"array_etc2", 3, GL_TEXTURE_2D_ARRAY, GL_COMPRESSED_RGB8_ETC2, 0, 0, 8, 8, etc},
    {"array_luminance", 3, GL_TEXTURE_2D_ARRAY, GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, 0, 1, bytes},
    {"volume_r32i", 3, GL_TEXTURE_3D, GL_R32I, GL_RED_INTEGER, GL_INT, 0, 4, numbers},
    {"cube_depth16", 3, GL_TEXTURE_CUBE_MAP, GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 0,
     2, shorts},
    {"stencil8", 3, GL_TEXTURE_2D, GL_STENCIL_INDEX8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 0, 1, bytes},
};

enum { SIDE = 4, LEVELS = 3, LAYERS = 6, MOST_BYTES = SIDE * SIDE * LAYERS * 16 };

/* Of several texels, each layer, face or level begins with another one, and each row. */
static void fill(const struct kind *k, int first, GLubyte *out, int side)
{
    int texels = k->texels == bytes ? (int)sizeof bytes / k->texel : 1;
    for (int i = 0; i < side * side; i++)
        memcpy(out + i * k->texel, (const GLubyte *)k->texels + (i + i / side + first) % texels * k->texel,
               (size_t)k->texel);
}

static void put_image(const struct kind *k, GLenum image, int first, GLint level)
{
    GLubyte texels[MOST_BYTES];
    GLsizei side = SIDE >> level;
    fill(k, first, texels, k->size > 0 ? 1 : side);
    if (k->size > 0)
        glCompressedTexImage2D(image, level, k->internal_format, side, side, 0, k->size, texels);
    else
        glTexImage2D(image, level, (GLint)k->internal_format, side, side, 0, k->format, k->type, texels);
}

static void put_layers(const struct kind *k)
{
    void (*compressed)(GLenum, GLint, GLenum, GLsizei, GLsizei, GLsizei, GLint, GLsizei, const void *) =
        app_egl_function("glCompressedTexImage3D");
    void (*image)(GLenum, GLint, GLint, GLsizei, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *) =
        app_egl_function("glTexImage3D");
    GLubyte texels[MOST_BYTES];
    int size = k->size > 0 ? k->size : SIDE * SIDE * k->texel;
    for (int layer = 0; layer < LAYERS; layer++)
        fill(k, layer, texels + layer * size, k->size > 0 ? 1 : SIDE);
    if (k->size > 0)
        compressed(k->target, 0, k->internal_format, SIDE, SIDE, LAYERS, 0, LAYERS * size, texels);
    else
        image(k->target, 0, (GLint)k->internal_format, SIDE, SIDE, LAYERS, 0, k->format, k->type, texels);
}

/* Returns false if the driver does not have it. */
static bool put_texture(const struct kind *k)
{
    GLuint texture;
    while (glGetError() != GL_NO_ERROR)
        continue;
    glGenTextures(1, &texture);
    glBindTexture(k->target, texture);
    if (k->target == GL_TEXTURE_CUBE_MAP)
        for (int face = 0; face < 6; face++)
            put_image(k, GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, face, 0);
    else if (k->target != GL_TEXTURE_2D)
        put_layers(k);
    else
        for (int level = 0; level < (strcmp(k->name, "mipmaps") == 0 ? LEVELS : 1); level++)
            put_image(k, k->target, level, level);
    if (glGetError() == GL_NO_ERROR)
        return true;
    glBindTexture(k->target, 0);
    glDeleteTextures(1, &texture);
    return false;
}

/* --- frames ---------------------------------------------------------------------------------------- */

static GLuint shader(GLenum type, const char *text)
{
    GLuint made = glCreateShader(type);
    glShaderSource(made, 1, &text, NULL);
    glCompileShader(made);
    return made;
}

static void use_program(void)
{
    GLuint program = glCreateProgram();
    glAttachShader(program,
                   shader(GL_VERTEX_SHADER, "attribute vec4 corner;\nvarying vec2 place;\n"
                                            "void main() { gl_Position = corner; place = corner.xy; }\n"));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER,
                                   "precision mediump float;\nvarying vec2 place;\nuniform sampler2D image;\n"
                                   "void main() { gl_FragColor = texture2D(image, place); }\n"));
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "image"), 1);
}

/* Draws with all levels of the mipmaps, in a few sizes. */
static void draw(int version)
{
    if (version == 1) {
        void (*draw_texture)(GLint, GLint, GLint, GLint, GLint) = app_egl_function("glDrawTexiOES");
        for (int side = 1; side < 8; side++)
            draw_texture(8 * side, 0, 0, side, side);
        return;
    }
    for (int side = 1; side < 8; side++) {
        glViewport(8 * side, 0, side, side);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

static void prepare_to_draw(int version)
{
    static const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    void (*activate)(GLenum) = app_egl_function("glActiveTexture");
    activate(GL_TEXTURE1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    if (version == 1) {
        static const GLint whole[] = {0, 0, SIDE, SIDE};
        glEnable(GL_TEXTURE_2D);
        glTexParameteriv(GL_TEXTURE_2D, TEXTURE_CROP_RECT_OES, whole);
        return;
    }
    use_program();
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
}

int main(int argc, char **argv)
{
    int version = argc > 1 ? atoi(argv[1]) : 2;
    struct app_egl app;
    app_egl_open(&app, version, 64, 64);
    void (*activate)(GLenum) = app_egl_function("glActiveTexture");
    GLint units = 0, unit = 0;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glGetIntegerv(version == 1 ? MAX_TEXTURE_UNITS : GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &units);
    printf("%s\n", (const char *)glGetString(GL_VERSION));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && unit < units; i++) {
        if (kinds[i].version > version)
            continue;
        activate(GL_TEXTURE0 + (GLenum)unit);
        if (put_texture(&kinds[i]))
            printf("%d %s\n", unit++, kinds[i].name);
    }
    while (glGetError() != GL_NO_ERROR)
        continue;
    prepare_to_draw(version);
    for (int frame = 0; frame < 2; frame++) {
        glClear(GL_COLOR_BUFFER_BIT);
        draw(version);
        app_egl_present(&app, "es_textures", frame);
    }
    return 0;
}
