/* SPDX-License-Identifier: MIT
 * A window with one buffer: the program draws to it, and later selects the front buffer, which is the same.
 * Prints which buffer it has got, and pixels.
 */
#include <GL/gl.h>
#include <GL/glx.h>
#include <stdio.h>

enum { WIDTH = 64, HEIGHT = 48 };

static void show(const char *what)
{
    static GLubyte pixels[HEIGHT][WIDTH][4];
    const GLubyte *corner = pixels[0][0], *centre = pixels[HEIGHT / 2][WIDTH / 2];
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("%s: %u,%u,%u and %u,%u,%u, error 0x%x\n", what, corner[0], corner[1], corner[2], centre[0],
           centre[1], centre[2], glGetError());
}

int main(void)
{
    int attributes[] = {GLX_RGBA, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, None};
    Display *display = XOpenDisplay(NULL);
    XVisualInfo *visual =
        display != NULL ? glXChooseVisual(display, DefaultScreen(display), attributes) : NULL;
    if (visual == NULL) {
        fprintf(stderr, "glx_single: no display or no visual\n");
        return 99;
    }
    Window root = DefaultRootWindow(display);
    XSetWindowAttributes set = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    Window window = XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth, InputOutput,
                                  visual->visual, CWColormap, &set);
    XMapWindow(display, window);
    XSync(display, False);
    GLXContext context = glXCreateContext(display, visual, NULL, True);
    GLint buffer = 0;
    glXMakeCurrent(display, window, context);
    glGetIntegerv(GL_DRAW_BUFFER, &buffer);
    printf("buffer 0x%x\n", (unsigned)buffer);
    glClearColor(1.0f, 0.5f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glFlush();
    show("cleared");
    glDrawBuffer(GL_FRONT);
    glReadBuffer(GL_FRONT);
    glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
    show("front buffer");
    glXMakeCurrent(display, None, NULL);
    glXDestroyContext(display, context);
    XFree(visual);
    XCloseDisplay(display);
    return 0;
}
