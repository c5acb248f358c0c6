/* SPDX-License-Identifier: MIT */
#include "app_glx.h"

#include "app_hash.h"

#include <GL/gl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what)
{
    fprintf(stderr, "app_glx: %s\n", what);
    exit(APP_STATUS_NO_DISPLAY);
}

static Window create_window(Display *display, const XVisualInfo *visual, int width, int height)
{
    Window root = RootWindow(display, visual->screen);
    XSetWindowAttributes attributes = {
        .event_mask = StructureNotifyMask,
        .colormap = XCreateColormap(display, root, visual->visual, AllocNone),
    };
    Window window = XCreateWindow(display, root, 0, 0, (unsigned)width, (unsigned)height, 0, visual->depth,
                                  InputOutput, visual->visual, CWEventMask | CWColormap, &attributes);
    XMapWindow(display, window);
    XEvent event;
    do
        XNextEvent(display, &event);
    while (event.type != MapNotify);
    return window;
}

void app_glx_open(struct app_glx *app, int width, int height)
{
    int attributes[] = {GLX_RGBA, GLX_RED_SIZE,   8, GLX_GREEN_SIZE,   8,   GLX_BLUE_SIZE,
                        8,        GLX_DEPTH_SIZE, 1, GLX_DOUBLEBUFFER, None};
    app->width = width;
    app->height = height;
    app->display = XOpenDisplay(NULL);
    if (app->display == NULL)
        fail("cannot open the display");
    XVisualInfo *visual = glXChooseVisual(app->display, DefaultScreen(app->display), attributes);
    if (visual == NULL)
        fail("no visual");
    app->window = create_window(app->display, visual, width, height);
    app->context = glXCreateContext(app->display, visual, NULL, True);
    if (app->context == NULL)
        fail("no context");
    XFree(visual);
    if (!glXMakeCurrent(app->display, app->window, app->context))
        fail("cannot make the context current");
    glViewport(0, 0, width, height);
}

uint64_t app_hash_pixels(int width, int height)
{
    size_t count = (size_t)width * (size_t)height * 4;
    uint8_t *pixels = malloc(count);
    if (pixels == NULL)
        fail("out of memory");
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    uint64_t hash = app_hash(pixels, count);
    free(pixels);
    return hash;
}

void app_glx_present(struct app_glx *app, const char *name, int frame)
{
    printf("%s %d: %016" PRIx64 "\n", name, frame, app_hash_pixels(app->width, app->height));
    GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        printf("%s %d: GL error 0x%x\n", name, frame, error);
    glXSwapBuffers(app->display, app->window);
}

void app_glx_close(struct app_glx *app)
{
    glXMakeCurrent(app->display, None, NULL);
    glXDestroyContext(app->display, app->context);
    XDestroyWindow(app->display, app->window);
    XCloseDisplay(app->display);
}
