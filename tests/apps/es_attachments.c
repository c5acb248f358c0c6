/* SPDX-License-Identifier: MIT */
/* Clears framebuffers of OpenGL ES whose attachments have 32 x 16 texels or pixels: a texture in red, a
 * renderbuffer in green; from OpenGL ES 2 on, a face of a cube of 16 x 16 in blue; in OpenGL ES 3, a layer of
 * 8 x 4 at level 1 in white. usage: es_attachments VERSION (1, 2 or 3: of the context that is asked for) */
#include "app_egl.h"

#include <GLES3/gl3.h>

enum { WIDTH = 32, HEIGHT = 16 };

static int version;

/* OpenGL ES 1 has framebuffers by an extension. */
static void *function(const char *name)
{
    char extension[64];
    snprintf(extension, sizeof extension, "%s%s", name, version == 1 ? "OES" : "");
    return app_egl_function(extension);
}

static void bind_new_framebuffer(void)
{
    void (*generate)(GLsizei, GLuint *) = function("glGenFramebuffers");
    void (*bind)(GLenum, GLuint) = function("glBindFramebuffer");
    GLuint framebuffer;
    generate(1, &framebuffer);
    bind(GL_FRAMEBUFFER, framebuffer);
}

static GLuint bind_new_texture(GLenum target)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    return texture;
}

static void clear(GLfloat red, GLfloat green, GLfloat blue)
{
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (glGetError() != GL_NO_ERROR)
        app_egl_fail("cannot clear a framebuffer");
}

static void clear_texture(GLenum target, GLenum image, GLsizei width, GLsizei height)
{
    void (*attach)(GLenum, GLenum, GLenum, GLuint, GLint) = function("glFramebufferTexture2D");
    GLuint texture = bind_new_texture(target);
    GLenum faces = target == GL_TEXTURE_2D ? 1 : 6,
           first = faces == 1 ? target : GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    for (GLenum face = 0; face < faces; ++face)
        glTexImage2D(first + face, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    bind_new_framebuffer();
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, image, texture, 0);
    bind_new_texture(target); /* another one is bound */
    clear(target == GL_TEXTURE_2D, 0, target != GL_TEXTURE_2D);
}

static void clear_renderbuffer(void)
{
    void (*generate)(GLsizei, GLuint *) = function("glGenRenderbuffers");
    void (*bind)(GLenum, GLuint) = function("glBindRenderbuffer");
    void (*allocate)(GLenum, GLenum, GLsizei, GLsizei) = function("glRenderbufferStorage");
    void (*attach)(GLenum, GLenum, GLenum, GLuint) = function("glFramebufferRenderbuffer");
    GLuint buffer;
    generate(1, &buffer);
    bind(GL_RENDERBUFFER, buffer);
    allocate(GL_RENDERBUFFER, GL_RGB565, WIDTH, HEIGHT);
    bind(GL_RENDERBUFFER, 0);
    bind_new_framebuffer();
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    clear(0, 1, 0);
}

static void clear_layer(void)
{
    void (*allocate)(GLenum, GLsizei, GLenum, GLsizei, GLsizei, GLsizei) = function("glTexStorage3D");
    void (*attach)(GLenum, GLenum, GLuint, GLint, GLint) = function("glFramebufferTextureLayer");
    GLuint texture = bind_new_texture(GL_TEXTURE_2D_ARRAY);
    allocate(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, 16, 8, 3);
    bind_new_framebuffer();
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 1, 2);
    bind_new_texture(GL_TEXTURE_2D_ARRAY);
    clear(1, 1, 1);
}

int main(int argc, char **argv)
{
    struct app_egl app;
    version = argc > 1 ? atoi(argv[1]) : 2;
    app_egl_open(&app, version, 64, 64);
    printf("%s\n", (const char *)glGetString(GL_VERSION));
    clear_texture(GL_TEXTURE_2D, GL_TEXTURE_2D, WIDTH, HEIGHT);
    clear_renderbuffer();
    if (version > 1)
        clear_texture(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 16, 16);
    if (version > 2)
        clear_layer();
    return 0;
}
