/* SPDX-License-Identifier: MIT */
/* OpenGL by EGL: a texture gets an EGL image while a pixel pack buffer is bound that another context has
 * deleted, and whose name may have come again. The buffer must stay as it is. Prints what the program is told
 * of it. usage: egl_deleted_pack [again] */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 16, BYTES = SIDE * SIDE * 4 };

static EGLDisplay display;
static EGLContext contexts[2];
static GLubyte bytes[BYTES];

static void fail(const char *what)
{
    fprintf(stderr, "egl_deleted_pack: %s (EGL error 0x%x)\n", what, eglGetError());
    exit(99);
}

static void enter(int context)
{
    glFinish();
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[context]))
        fail("no context");
}

static void open_contexts(void)
{
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        fail("no OpenGL");
    contexts[0] = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    contexts[1] = eglCreateContext(display, config, contexts[0], NULL);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[0]))
        fail("no context");
}

static EGLImageKHR make_image(void)
{
    PFNEGLCREATEIMAGEKHRPROC create = (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    EGLImageKHR image = create != NULL ? create(display, contexts[0], EGL_GL_TEXTURE_2D_KHR,
                                                (EGLClientBuffer)(uintptr_t)texture, NULL)
                                       : EGL_NO_IMAGE_KHR;
    if (image == EGL_NO_IMAGE_KHR)
        fail("no image");
    return image;
}

static void take_image(EGLImageKHR image)
{
    typedef void (*take_function)(GLenum, void *);
    take_function take = (take_function)eglGetProcAddress("glEGLImageTargetTexture2DOES");
    GLuint texture;
    if (take == NULL)
        fail("no textures of images");
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    take(GL_TEXTURE_2D, image);
}

int main(int argc, char **argv)
{
    GLuint buffer;
    GLint size = -1;
    memset(bytes, 0x55, sizeof bytes);
    open_contexts();
    EGLImageKHR image = make_image();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, sizeof bytes, bytes, GL_STATIC_READ);
    enter(1);
    glDeleteBuffers(1, &buffer);
    if (argc > 1 && strcmp(argv[1], "again") == 0) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, 80, bytes, GL_STATIC_DRAW);
    }
    enter(0);
    take_image(image);
    memset(bytes, 0, sizeof bytes);
    glGetBufferParameteriv(GL_PIXEL_PACK_BUFFER, GL_BUFFER_SIZE, &size);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, 1, bytes);
    printf("size %d, name %d, byte 0x%x, error 0x%x\n", size, glIsBuffer(buffer), bytes[0], glGetError());
    eglTerminate(display);
    return 0;
}
