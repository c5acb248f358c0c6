/* SPDX-License-Identifier: MIT
 * Loads libGL, draws, and unloads it, four times. It may be at another address each time.
 *
 * count: 4 glXMakeCurrent\(.*, ctx = 0x
 * count: 4 glClear\(
 * count: 4 glXDestroyContext\(
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 16, ROUNDS = 4, GLX_RGBA = 4, GLX_DOUBLEBUFFER = 5 };

static void *libgl;

#define LOOK_UP(type, name, args)                                                                            \
    type(*name) args;                                                                                        \
    *(void **)&name = dlsym(libgl, #name);                                                                   \
    if (name == NULL)                                                                                        \
    return 99

static int draw(Display *display, int round)
{
    LOOK_UP(XVisualInfo *, glXChooseVisual, (Display *, int, int *));
    LOOK_UP(void *, glXCreateContext, (Display *, XVisualInfo *, void *, int));
    LOOK_UP(int, glXMakeCurrent, (Display *, XID, void *));
    LOOK_UP(void, glXDestroyContext, (Display *, void *));
    LOOK_UP(void, glXSwapBuffers, (Display *, XID));
    LOOK_UP(void, glClearColor, (float, float, float, float));
    LOOK_UP(void, glClear, (unsigned));
    LOOK_UP(void, glReadPixels, (int, int, int, int, unsigned, unsigned, void *));
    int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    XVisualInfo *visual = glXChooseVisual(display, DefaultScreen(display), attributes);
    if (visual == NULL)
        return 99;
    Window root = DefaultRootWindow(display);
    XSetWindowAttributes set = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    Window window = XCreateWindow(display, root, 0, 0, SIZE, SIZE, 0, visual->depth, InputOutput,
                                  visual->visual, CWColormap, &set);
    XMapWindow(display, window);
    void *context = glXCreateContext(display, visual, NULL, 1);
    unsigned char pixel[4] = {0, 0, 0, 0};
    if (context == NULL || !glXMakeCurrent(display, window, context))
        return 99;
    glClearColor((float)round / 4, 0.5F, 1, 1);
    glClear(0x4000);
    glReadPixels(0, 0, 1, 1, 0x1908, 0x1401, pixel);
    printf("round %d: %d %d %d\n", round, pixel[0], pixel[1], pixel[2]);
    glXSwapBuffers(display, window);
    glXMakeCurrent(display, None, NULL);
    glXDestroyContext(display, context);
    XDestroyWindow(display, window);
    XFree(visual);
    return 0;
}

int main(void)
{
    for (int round = 0; round < ROUNDS; ++round) {
        libgl = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
        Display *display = XOpenDisplay(NULL);
        if (libgl == NULL || display == NULL) {
            fprintf(stderr, "no libGL.so.1, or no display\n");
            return 99;
        }
        int status = draw(display, round);
        XCloseDisplay(display);
        dlclose(libgl);
        if (status != 0)
            return status;
        void *again = dlopen("libGL.so.1", RTLD_NOW | RTLD_NOLOAD);
        printf("%s\n", again != NULL ? "still loaded" : "unloaded");
        /* so that it cannot get the same address again */
        if (mmap(NULL, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            return 99;
    }
    return 0;
}
