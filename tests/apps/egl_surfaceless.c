/* SPDX-License-Identifier: MIT
 * Draws to a pbuffer, then clears with no surface at all, which is an error, and reads the pbuffer: it has
 * kept its picture.
 */
#include "app_egl.h"

#include <EGL/eglext.h>

static unsigned red_at_corner(void)
{
    unsigned char pixel[4];
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    return pixel[0];
}

int main(void)
{
    const EGLint wanted[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_RED_SIZE, 8,
        EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
        count == 0)
        app_egl_fail("no display without surfaces");
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    EGLSurface pbuffer = eglCreatePbufferSurface(display, config, size);
    if (!eglMakeCurrent(display, pbuffer, pbuffer, context))
        app_egl_fail("eglMakeCurrent");
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    eglSwapBuffers(display, pbuffer); /* does nothing */
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        app_egl_fail("eglMakeCurrent without surfaces");
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    printf("error 0x%x, ", glGetError());
    eglMakeCurrent(display, pbuffer, pbuffer, context);
    printf("red %u\n", red_at_corner());
    return 0;
}
