/* SPDX-License-Identifier: MIT
 * A context that is current without a surface at first, where clearing is an error, and then draws to a
 * window. usage: surfaceless_first glx|egl
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64 };

static struct app_glx app;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "surfaceless_first: %s failed\n", what);
    exit(APP_STATUS_NO_DISPLAY);
}

static void clear_nothing(void)
{
    glClear(GL_COLOR_BUFFER_BIT);
    printf("status 0x%x, error 0x%x\n", glCheckFramebufferStatus(GL_FRAMEBUFFER), glGetError());
}

static void draw(int frame)
{
    GLint drawn, read, viewport[4];
    glGetIntegerv(GL_DRAW_BUFFER, &drawn);
    glGetIntegerv(GL_READ_BUFFER, &read);
    glGetIntegerv(GL_VIEWPORT, viewport);
    glClearColor(0.2f, 0.5f * (float)frame, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    printf("draws to 0x%x, reads 0x%x, viewport %dx%d: %016llx, error 0x%x\n", (unsigned)drawn,
           (unsigned)read, viewport[2], viewport[3], (unsigned long long)app_hash_pixels(SIDE, SIDE),
           glGetError());
}

static GLXContext glx_context(void)
{
    static const int version[] = {GLX_CONTEXT_MAJOR_VERSION_ARB, 3, GLX_CONTEXT_MINOR_VERSION_ARB, 3, None};
    PFNGLXCREATECONTEXTATTRIBSARBPROC create =
        (PFNGLXCREATECONTEXTATTRIBSARBPROC)glXGetProcAddress((const GLubyte *)"glXCreateContextAttribsARB");
    XWindowAttributes attributes;
    int count, value;
    XGetWindowAttributes(app.display, app.window, &attributes);
    GLXFBConfig *configs = glXGetFBConfigs(app.display, 0, &count);
    for (int i = 0; i < count; ++i)
        if (glXGetFBConfigAttrib(app.display, configs[i], GLX_VISUAL_ID, &value) == 0 &&
            (VisualID)value == XVisualIDFromVisual(attributes.visual))
            return create(app.display, configs[i], NULL, True, version);
    return NULL;
}

static void with_glx(void)
{
    GLXContext context = glx_context();
    if (context == NULL || !glXMakeContextCurrent(app.display, None, None, context))
        die("glXMakeContextCurrent");
    clear_nothing();
    for (int frame = 0; frame < 2; ++frame) {
        glXMakeCurrent(app.display, app.window, context);
        draw(frame);
        glXSwapBuffers(app.display, app.window);
        glXMakeContextCurrent(app.display, None, None, context);
        clear_nothing();
    }
    glXMakeCurrent(app.display, None, NULL);
    glXDestroyContext(app.display, context);
}

static void with_egl(void)
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    static const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                    EGL_WINDOW_BIT,
                                    EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_GREEN_SIZE,
                                    8,
                                    EGL_BLUE_SIZE,
                                    8,
                                    EGL_DEPTH_SIZE,
                                    24,
                                    EGL_NONE};
    EGLDisplay display = eglGetDisplay((EGLNativeDisplayType)app.display);
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        die("eglInitialize");
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        die("eglMakeCurrent");
    clear_nothing();
    Window window =
        XCreateSimpleWindow(app.display, DefaultRootWindow(app.display), 0, 0, SIDE, SIDE, 0, 0, 0);
    XMapWindow(app.display, window);
    XSync(app.display, False);
    EGLSurface surface = eglCreateWindowSurface(display, config, (EGLNativeWindowType)window, NULL);
    for (int frame = 0; frame < 2; ++frame) {
        if (!eglMakeCurrent(display, surface, surface, context))
            die("eglMakeCurrent");
        draw(frame);
        eglSwapBuffers(display, surface);
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
        clear_nothing();
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(display, surface);
    eglDestroyContext(display, context);
}

int main(int argc, char **argv)
{
    app_glx_open(&app, SIDE, SIDE);
    glXMakeCurrent(app.display, None, NULL);
    if (argc > 1 && strcmp(argv[1], "egl") == 0)
        with_egl();
    else
        with_glx();
    app_glx_close(&app);
    return 0;
}
