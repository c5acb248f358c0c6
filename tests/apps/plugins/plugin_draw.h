/* SPDX-License-Identifier: MIT
 * Draws a frame with GLX. The including file defines what the names glX… and gl… refer to.
 */
#ifndef PLUGIN_DRAW_H
#define PLUGIN_DRAW_H

#include <GL/gl.h>
#include <GL/glx.h>
#include <stdio.h>

/* Returns 0, or 99 if there is no display. */
static inline int plugin_draw_frame(const char *who)
{
    int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    Display *display = XOpenDisplay(NULL);
    XVisualInfo *visual = display != NULL ? glXChooseVisual(display, 0, attributes) : NULL;
    if (visual == NULL)
        return 99;
    Window root = DefaultRootWindow(display);
    XSetWindowAttributes set = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    Window window = XCreateWindow(display, root, 0, 0, 16, 16, 0, visual->depth, InputOutput, visual->visual,
                                  CWColormap, &set);
    XMapWindow(display, window);
    GLXContext context = glXCreateContext(display, visual, NULL, 1);
    unsigned char pixel[4] = {0, 0, 0, 0};
    if (context == NULL || !glXMakeCurrent(display, window, context))
        return 99;
    glClearColor(0.25F, 0.5F, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    glXSwapBuffers(display, window);
    printf("%s: %d %d %d, error %d\n", who, pixel[0], pixel[1], pixel[2], (int)glGetError());
    glXMakeCurrent(display, None, NULL);
    glXDestroyContext(display, context);
    XFree(visual);
    XCloseDisplay(display);
    return 0;
}

#endif
