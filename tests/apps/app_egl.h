/* SPDX-License-Identifier: MIT
 * An X11 window with a current OpenGL ES context, for test programs that link libEGL. Any failure is printed
 * on stderr and ends the program with status 99, so that no test takes it for a result.
 */
#ifndef APP_EGL_H
#define APP_EGL_H

#include "app_hash.h"

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <X11/Xlib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct app_egl {
    EGLDisplay display;
    EGLSurface surface;
    int width, height;
};

static inline void app_egl_fail(const char *what)
{
    fprintf(stderr, "app_egl: %s (EGL error 0x%x)\n", what, eglGetError());
    exit(99);
}

/* Returns a function that may be in another library, or in none. */
static inline void *app_egl_function(const char *name)
{
    void (*f)(void) = eglGetProcAddress(name);
    if (f == NULL)
        app_egl_fail(name);
    return *(void **)&f;
}

static inline Window app_egl_window(Display *x11, int width, int height)
{
    Window window =
        XCreateSimpleWindow(x11, DefaultRootWindow(x11), 0, 0, (unsigned)width, (unsigned)height, 0, 0, 0);
    XEvent event;
    XSelectInput(x11, window, StructureNotifyMask);
    XMapWindow(x11, window);
    do
        XNextEvent(x11, &event);
    while (event.type != MapNotify);
    return window;
}

/* version: of OpenGL ES: 1, 2 or 3 */
static inline void app_egl_open(struct app_egl *app, int version, int width, int height)
{
    const EGLint kind = version == 1 ? EGL_OPENGL_ES_BIT : EGL_OPENGL_ES2_BIT;
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, kind, EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8,
                             EGL_BLUE_SIZE,       8,    EGL_NONE};
    const EGLint versions[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    Display *x11 = XOpenDisplay(NULL);
    EGLConfig config;
    EGLint count = 0;
    app->width = width;
    app->height = height;
    if (x11 == NULL)
        app_egl_fail("cannot open the display");
    app->display = eglGetDisplay((EGLNativeDisplayType)x11);
    if (!eglInitialize(app->display, NULL, NULL))
        app_egl_fail("cannot initialize");
    if (!eglChooseConfig(app->display, wanted, &config, 1, &count) || count == 0)
        app_egl_fail("no config");
    app->surface = eglCreateWindowSurface(app->display, config, app_egl_window(x11, width, height), NULL);
    EGLContext context = eglCreateContext(app->display, config, EGL_NO_CONTEXT, versions);
    if (app->surface == EGL_NO_SURFACE || context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(app->display, app->surface, app->surface, context))
        app_egl_fail("no context");
    glViewport(0, 0, width, height);
}

/* Prints "NAME FRAME: CHECKSUM" for the back buffer's pixels, and swaps. */
static inline void app_egl_present(struct app_egl *app, const char *name, int frame)
{
    size_t size = (size_t)app->width * (size_t)app->height * 4;
    uint8_t *pixels = calloc(1, size);
    if (pixels == NULL)
        app_egl_fail("no memory");
    glReadPixels(0, 0, app->width, app->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("%s %d: %016" PRIx64 "\n", name, frame, app_hash(pixels, size));
    free(pixels);
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        printf("%s %d: GL error 0x%x\n", name, frame, error);
    eglSwapBuffers(app->display, app->surface);
}

#endif
