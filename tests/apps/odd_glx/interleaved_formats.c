/* SPDX-License-Identifier: MIT
 * Every format of glInterleavedArrays() (OpenGL 4.6 compatibility profile, table 10.6), with and without a
 * stride, from memory of which not a byte more exists, in two texture units; a wrong one; one in a buffer.
 *
 * lacks: glInterleavedArrays\(.*pointer = 0x[0-9a-f]{3}
 * count: 4 glInterleavedArrays\(format = GL_C3F_V3F, stride = 0, pointer = NULL\)
 * pictures: 64 64
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

enum { SIDE = 64, VERTICES = 3 };

struct format {
    GLenum format;
    int texture, bytes, colors, normal, vertex; /* numbers of components; bytes: color of four bytes */
};

static const struct format formats[] = {
    {GL_V2F, 0, 0, 0, 0, 2},
    {GL_V3F, 0, 0, 0, 0, 3},
    {GL_C4UB_V2F, 0, 4, 0, 0, 2},
    {GL_C4UB_V3F, 0, 4, 0, 0, 3},
    {GL_C3F_V3F, 0, 0, 3, 0, 3},
    {GL_N3F_V3F, 0, 0, 0, 3, 3},
    {GL_C4F_N3F_V3F, 0, 0, 4, 3, 3},
    {GL_T2F_V3F, 2, 0, 0, 0, 3},
    {GL_T4F_V4F, 4, 0, 0, 0, 4},
    {GL_T2F_C4UB_V3F, 2, 4, 0, 0, 3},
    {GL_T2F_C3F_V3F, 2, 0, 3, 0, 3},
    {GL_T2F_N3F_V3F, 2, 0, 0, 3, 3},
    {GL_T2F_C4F_N3F_V3F, 2, 0, 4, 3, 3},
    {GL_T4F_C4F_N3F_V4F, 4, 0, 4, 3, 4},
};

static size_t put_floats(uint8_t *to, const GLfloat *values, int count)
{
    memcpy(to, values, (size_t)count * sizeof *values);
    return (size_t)count * sizeof *values;
}

/* Writes the vertices, and returns the number of bytes of one. */
static size_t make_vertices(const struct format *f, size_t stride, uint8_t *out)
{
    static const GLfloat corners[VERTICES][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {0, 1, 0, 1}};
    static const GLfloat colors[VERTICES][4] = {{1, 0.5f, 0, 1}, {0, 1, 0.5f, 1}, {0.5f, 0, 1, 1}};
    static const GLubyte bytes[VERTICES][4] = {{255, 9, 9, 255}, {9, 255, 9, 255}, {9, 9, 255, 255}};
    static const GLfloat coordinates[VERTICES][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}};
    static const GLfloat normal[3] = {0, 0, 1};
    size_t at = 0;
    for (int i = 0; i < VERTICES; ++i) {
        uint8_t *vertex = out + (size_t)i * stride;
        at = put_floats(vertex, coordinates[i], f->texture);
        memcpy(vertex + at, bytes[i], (size_t)f->bytes);
        at += (size_t)f->bytes;
        at += put_floats(vertex + at, colors[i], f->colors);
        at += put_floats(vertex + at, normal, f->normal);
        at += put_floats(vertex + at, corners[i], f->vertex);
    }
    return at;
}

static void draw_format(int i, size_t padding)
{
    uint8_t vertices[VERTICES * 128] = {0};
    const struct format *f = &formats[i];
    size_t size = make_vertices(f, 0, vertices), stride = size + padding;
    make_vertices(f, stride, vertices);
    const void *memory = guarded_end(vertices, 2 * stride + size);
    glColor3f(1, 1, 1);
    glLoadIdentity();
    glTranslatef(-0.75f + 0.5f * (float)(i % 4), -0.75f + 0.5f * (float)(i / 4), 0);
    glScalef(0.2f, 0.2f, 1);
    glInterleavedArrays(f->format, padding != 0 ? (GLsizei)stride : 0, memory);
    glDrawArrays(GL_TRIANGLES, 0, VERTICES);
}

static void draw_others(void)
{
    static const GLfloat data[] = {1, 0, 0, -1, -1, 0, 0, 1, 0, 1, -1, 0, 0, 0, 1, 0, 1, 0};
    GLuint buffer;
    glInterleavedArrays(GL_V2F - 1, 0, guarded_gone());
    glInterleavedArrays(GL_T4F_C4F_N3F_V4F + 1, 0, guarded_gone());
    glInterleavedArrays(GL_V3F, -8, guarded_gone());
    while (glGetError() != GL_NO_ERROR)
        ;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof data, data, GL_STATIC_DRAW);
    glInterleavedArrays(GL_C3F_V3F, 0, NULL);
    glLoadIdentity();
    glTranslatef(0.75f, 0.75f, 0);
    glScalef(0.2f, 0.2f, 1);
    glDrawArrays(GL_TRIANGLES, 0, VERTICES);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
}

int main(void)
{
    static const GLubyte texels[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    struct app_glx app;
    app_glx_open(&app, SIDE, SIDE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 2, 2, 0, GL_RGB, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (int frame = 0; frame < 4; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        glClientActiveTexture(frame == 3 ? GL_TEXTURE1 : GL_TEXTURE0);
        if (frame >= 2)
            glEnable(GL_TEXTURE_2D);
        for (int i = 0; i < (int)(sizeof formats / sizeof formats[0]); ++i)
            draw_format(i, frame % 2 == 1 ? 20 : 0);
        draw_others();
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
