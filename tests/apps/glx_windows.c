/* SPDX-License-Identifier: MIT */
/* Two windows of different sizes and two contexts that share a display list: each context draws to each
 * window. */
#include "app_glx.h"

#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 2, WIDTH = 96, HEIGHT = 64 };

static void draw(struct app_glx *app, GLXContext context, GLuint list, int frame, float red)
{
    if (!glXMakeCurrent(app->display, app->window, context)) {
        fprintf(stderr, "glx_windows: cannot make the context current\n");
        exit(APP_STATUS_NO_DISPLAY);
    }
    glViewport(0, 0, app->width, app->height);
    glClearColor(red, 0.25f * (float)frame, 0.5f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glCallList(list);
    app_glx_present(app, "glx_windows", frame);
}

/* A second window and context on the same display. */
static void open_second(struct app_glx *out, const struct app_glx *first)
{
    XWindowAttributes attributes;
    XVisualInfo wanted, *visual;
    int count;
    XGetWindowAttributes(first->display, first->window, &attributes);
    wanted.visualid = XVisualIDFromVisual(attributes.visual);
    visual = XGetVisualInfo(first->display, VisualIDMask, &wanted, &count);
    XSetWindowAttributes set = {.colormap = attributes.colormap};
    *out = *first;
    out->window = XCreateWindow(first->display, attributes.root, 0, 0, WIDTH, HEIGHT, 0, attributes.depth,
                                InputOutput, attributes.visual, CWColormap, &set);
    XMapWindow(first->display, out->window);
    XSync(first->display, False);
    out->context = glXCreateContext(first->display, visual, first->context, True);
    out->width = WIDTH;
    out->height = HEIGHT;
    XFree(visual);
}

int main(void)
{
    struct app_glx first, second;
    app_glx_open(&first, WIDTH, HEIGHT);
    open_second(&second, &first);
    GLuint list = glGenLists(3) + 2;
    glNewList(list, GL_COMPILE);
    glBegin(GL_TRIANGLES);
    glColor3f(1.0f, 1.0f, 0.0f);
    glVertex2f(-0.5f, -0.5f);
    glVertex2f(0.5f, -0.5f);
    glVertex2f(0.0f, 0.5f);
    glEnd();
    glEndList();
    for (int frame = 0; frame < FRAMES; frame++) {
        draw(&first, first.context, list, frame, 0.0f);
        draw(&second, second.context, list, frame, 0.25f);
        draw(&second, first.context, list, frame, 0.5f);
        draw(&first, second.context, list, frame, 0.75f);
    }
    glXMakeCurrent(first.display, None, NULL);
    glXDestroyContext(second.display, second.context);
    XDestroyWindow(second.display, second.window);
    app_glx_close(&first);
    fprintf(stderr, "glx_windows: done\n");
    return 0;
}
