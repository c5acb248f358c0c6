/* SPDX-License-Identifier: MIT
 * One context on drawables of different sizes. It sets no viewport, so only what is asked of the window
 * system tells their sizes. Or one window, with viewports that do not tell its size. Each drawable is
 * cleared, read as a whole, and swapped. usage: window_sizes glx|egl|mixed|views
 */
#include "app_glx.h"

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct app_glx app;
static EGLDisplay egl;
static EGLConfig egl_config;
static int step;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "window_sizes: %s failed\n", what);
    exit(APP_STATUS_NO_DISPLAY);
}

static void fill(int width, int height)
{
    glClearColor(step % 2 == 0 ? 1.0f : 0.0f, step % 3 == 0 ? 1.0f : 0.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    printf("%d: %dx%d %016llx\n", step++, width, height, (unsigned long long)app_hash_pixels(width, height));
}

static Window another_window(int width, int height)
{
    XWindowAttributes attributes;
    XGetWindowAttributes(app.display, app.window, &attributes);
    XSetWindowAttributes set = {.colormap = attributes.colormap};
    Window window = XCreateWindow(app.display, attributes.root, 0, 0, (unsigned)width, (unsigned)height, 0,
                                  attributes.depth, InputOutput, attributes.visual, CWColormap, &set);
    XMapWindow(app.display, window);
    XSync(app.display, False);
    return window;
}

static void resize(Window window, int width, int height)
{
    XResizeWindow(app.display, window, (unsigned)width, (unsigned)height);
    XSync(app.display, False);
}

static void glx_fill(GLXDrawable drawable, int width, int height)
{
    if (!glXMakeCurrent(app.display, drawable, app.context))
        die("glXMakeCurrent");
    fill(width, height);
    glXSwapBuffers(app.display, drawable);
}

static GLXPbuffer glx_pbuffer(int width, int height)
{
    XWindowAttributes attributes;
    XGetWindowAttributes(app.display, app.window, &attributes);
    int count, value, attribs[] = {GLX_PBUFFER_WIDTH, width, GLX_PBUFFER_HEIGHT, height, None};
    GLXFBConfig *configs = glXGetFBConfigs(app.display, 0, &count), found = NULL;
    for (int i = 0; i < count && found == NULL; ++i)
        if (glXGetFBConfigAttrib(app.display, configs[i], GLX_VISUAL_ID, &value) == 0 &&
            (VisualID)value == XVisualIDFromVisual(attributes.visual))
            found = configs[i];
    if (found == NULL)
        die("glXGetFBConfigs");
    return glXCreatePbuffer(app.display, found, attribs);
}

static void with_glx(void)
{
    Window second = another_window(150, 30);
    glx_fill(app.window, 64, 48);
    glx_fill(second, 150, 30);
    resize(app.window, 120, 90);
    glx_fill(app.window, 120, 90);
    resize(second, 20, 70);
    glx_fill(second, 20, 70);
    GLXPbuffer pbuffer = glx_pbuffer(170, 25);
    glx_fill(pbuffer, 170, 25);
    resize(app.window, 30, 20);
    glx_fill(app.window, 30, 20);
    glx_fill(pbuffer, 170, 25);
    glXMakeCurrent(app.display, None, NULL);
    resize(app.window, 90, 110);
    glx_fill(app.window, 90, 110);
    glXDestroyPbuffer(app.display, pbuffer);
    XDestroyWindow(app.display, second);
}

static void view_and_fill(int x, int y, int width, int height, int window_width, int window_height)
{
    glViewport(x, y, width, height);
    fill(window_width, window_height);
    glXSwapBuffers(app.display, app.window);
}

/* Viewports beyond the window, in a corner of it, in parts of it, and what is drawn elsewhere. */
static void with_views(void)
{
    PFNGLGENFRAMEBUFFERSPROC generate =
        (PFNGLGENFRAMEBUFFERSPROC)glXGetProcAddressARB((const GLubyte *)"glGenFramebuffers");
    PFNGLBINDFRAMEBUFFERPROC bind =
        (PFNGLBINDFRAMEBUFFERPROC)glXGetProcAddressARB((const GLubyte *)"glBindFramebuffer");
    GLuint framebuffer;
    view_and_fill(-20, -10, 300, 200, 64, 48);
    view_and_fill(0, 0, 20, 20, 64, 48);
    view_and_fill(0, 0, 20, 20, 64, 48);
    resize(app.window, 100, 80);
    view_and_fill(0, 0, 100, 80, 100, 80);
    for (int i = 0; i < 20; ++i) /* more than are asked about */
        glViewport(i, 0, 200, 10 + i);
    view_and_fill(0, 0, 50, 80, 100, 80);
    resize(app.window, 90, 40);
    view_and_fill(5, 5, 80, 30, 90, 40);
    generate(1, &framebuffer);
    bind(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, 500, 400);
    bind(GL_FRAMEBUFFER, 0);
    view_and_fill(0, 0, 90, 41, 90, 40);
    resize(app.window, 64, 48);
    view_and_fill(0, 0, 64, 48, 64, 48);
}

static EGLContext egl_open(void)
{
    const EGLint attribs[] = {EGL_SURFACE_TYPE,
                              EGL_WINDOW_BIT | EGL_PBUFFER_BIT,
                              EGL_RENDERABLE_TYPE,
                              EGL_OPENGL_BIT,
                              EGL_RED_SIZE,
                              8,
                              EGL_GREEN_SIZE,
                              8,
                              EGL_BLUE_SIZE,
                              8,
                              EGL_NONE};
    EGLint count = 0;
    egl = eglGetDisplay((EGLNativeDisplayType)app.display);
    if (!eglInitialize(egl, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(egl, attribs, &egl_config, 1, &count) || count == 0)
        die("eglInitialize");
    EGLContext context = eglCreateContext(egl, egl_config, EGL_NO_CONTEXT, NULL);
    if (context == EGL_NO_CONTEXT)
        die("eglCreateContext");
    return context;
}

static void egl_fill(EGLSurface surface, EGLContext context, int width, int height)
{
    if (!eglMakeCurrent(egl, surface, surface, context))
        die("eglMakeCurrent");
    fill(width, height);
    eglSwapBuffers(egl, surface);
}

/* mixed: the window of GLX takes its turns, too. */
static void with_egl(int mixed)
{
    glXMakeCurrent(app.display, None, NULL);
    EGLContext context = egl_open();
    Window windows[2] = {another_window(100, 40), another_window(35, 130)};
    EGLSurface surfaces[2];
    for (int i = 0; i < 2; ++i) {
        surfaces[i] = eglCreateWindowSurface(egl, egl_config, windows[i], NULL);
        if (surfaces[i] == EGL_NO_SURFACE)
            die("eglCreateWindowSurface");
    }
    const EGLint size[] = {EGL_WIDTH, 160, EGL_HEIGHT, 140, EGL_NONE};
    EGLSurface pbuffer = eglCreatePbufferSurface(egl, egl_config, size);
    for (int turn = 0; turn < 2; ++turn) {
        egl_fill(surfaces[0], context, turn ? 70 : 100, turn ? 80 : 40);
        egl_fill(surfaces[1], context, 35, 130);
        egl_fill(pbuffer, context, 160, 140);
        resize(windows[0], 70, 80);
        eglMakeCurrent(egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (mixed) {
            glx_fill(app.window, turn ? 50 : 64, turn ? 60 : 48);
            resize(app.window, 50, 60);
            glXMakeCurrent(app.display, None, NULL);
        }
    }
    eglDestroySurface(egl, surfaces[0]);
    eglDestroySurface(egl, surfaces[1]);
    eglDestroySurface(egl, pbuffer);
    eglDestroyContext(egl, context);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "glx";
    app_glx_open(&app, 64, 48);
    if (strcmp(mode, "glx") == 0)
        with_glx();
    else if (strcmp(mode, "views") == 0)
        with_views();
    else
        with_egl(strcmp(mode, "mixed") == 0);
    app_glx_close(&app);
    return 0;
}
