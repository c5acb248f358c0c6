/* SPDX-License-Identifier: MIT
 * Two threads show EGL images at the same time, which are destroyed at once. Then the display is terminated,
 * and opened again. The last EGL error stays as it is, and so do what is current and the names of framebuffer
 * objects.
 *
 * count: 120 glTexImage2D\(.*width = 4, height = 4.*blob\(64\).* // fake
 * count: 3 eglTerminate\(
 * apitrace: no (it does not replay eglTerminate and contexts of a display that is opened again)
 */
#include "app_egl.h"

#include <EGL/eglext.h>
#include <GLES2/gl2ext.h>
#include <pthread.h>

enum { ROUNDS = 3, IMAGES = 20, SIDE = 4 };

static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC show_image;

struct thread {
    EGLDisplay display;
    EGLConfig config;
    unsigned good;
};

/* Returns whether all is as it should be. */
static int use_image(EGLDisplay display, EGLContext context, GLuint number)
{
    GLuint textures[2], framebuffer = 0;
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    EGLImageKHR image =
        create_image(display, context, EGL_GL_TEXTURE_2D_KHR, (EGLClientBuffer)(uintptr_t)textures[0], NULL);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    eglBindAPI(EGL_NONE); /* an error */
    show_image(GL_TEXTURE_2D, image);
    int is_good = eglGetError() == EGL_BAD_PARAMETER && eglGetCurrentContext() == context;
    destroy_image(display, image);
    glDeleteTextures(2, textures);
    glGenFramebuffers(1, &framebuffer);
    return is_good && framebuffer == number && glGetError() == GL_NO_ERROR;
}

static void *use_images(void *argument)
{
    static const EGLint versions[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    struct thread *t = argument;
    EGLSurface surface = eglCreatePbufferSurface(t->display, t->config, size);
    EGLContext context = eglCreateContext(t->display, t->config, EGL_NO_CONTEXT, versions);
    if (!eglMakeCurrent(t->display, surface, surface, context))
        app_egl_fail("no context");
    for (GLuint i = 1; i <= IMAGES; ++i)
        t->good += (unsigned)use_image(t->display, context, i);
    eglReleaseThread();
    return NULL;
}

int main(void)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_ES2_BIT, EGL_NONE};
    Display *x11 = XOpenDisplay(NULL);
    struct thread threads[2] = {{.display = eglGetDisplay((EGLNativeDisplayType)x11)}};
    pthread_t handles[2];
    EGLint count = 0;
    create_image = (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
    destroy_image = (PFNEGLDESTROYIMAGEKHRPROC)eglGetProcAddress("eglDestroyImageKHR");
    show_image = (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES");
    for (int round = 0; round < ROUNDS; ++round) {
        if (!eglInitialize(threads[0].display, NULL, NULL) ||
            !eglChooseConfig(threads[0].display, wanted, &threads[0].config, 1, &count) || count == 0)
            app_egl_fail("no display");
        threads[1] = threads[0];
        for (int i = 0; i < 2; ++i)
            pthread_create(&handles[i], NULL, use_images, &threads[i]);
        for (int i = 0; i < 2; ++i)
            pthread_join(handles[i], NULL);
        printf("%d: %u and %u images, terminated %u\n", round, threads[0].good, threads[1].good,
               eglTerminate(threads[0].display));
        threads[0].good = 0;
    }
    return 0;
}
