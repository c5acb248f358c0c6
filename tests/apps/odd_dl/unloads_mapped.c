/* SPDX-License-Identifier: MIT
 * Unloads libGL three times while a persistently mapped buffer has been written. Before that, its context is
 * released and destroyed, only released, or still current. The memory of the mapping may not exist after
 * that.
 *
 * count: 3 glMapBufferRange\(
 * count: 3 glXSwapBuffers\(
 * count: 3 glDrawArrays\(
 * count: 1 glXDestroyContext\(
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 16, SIZE = 4 << 20, GLX_RGBA = 4, GLX_DOUBLEBUFFER = 5 };
enum { ARRAY_BUFFER = 0x8892, VERTEX_ARRAY = 0x8074, FLOAT = 0x1406, TRIANGLES = 4, PERSISTENT = 0xC2 };
enum end { DESTROYED, RELEASED, CURRENT, ENDS };

static void *libgl;

#define LOOK_UP(type, name, args)                                                                            \
    type(*name) args;                                                                                        \
    *(void **)&name = dlsym(libgl, #name);                                                                   \
    if (name == NULL)                                                                                        \
    return 99

/* When the library is unloaded, no call has read what was written after the draw. */
static int draw_mapped(unsigned round)
{
    LOOK_UP(void *, glXGetProcAddress, (const char *));
    LOOK_UP(void, glVertexPointer, (int, unsigned, int, const void *));
    LOOK_UP(void, glEnableClientState, (unsigned));
    LOOK_UP(void, glDrawArrays, (unsigned, int, int));
    LOOK_UP(void, glReadPixels, (int, int, int, int, unsigned, unsigned, void *));
    void (*gen)(int, unsigned *), (*bind)(unsigned, unsigned), (*storage)(unsigned, long, void *, unsigned);
    char *(*map)(unsigned, long, long, unsigned);
    *(void **)&gen = glXGetProcAddress("glGenBuffers");
    *(void **)&bind = glXGetProcAddress("glBindBuffer");
    *(void **)&storage = glXGetProcAddress("glBufferStorage");
    *(void **)&map = glXGetProcAddress("glMapBufferRange");
    const float corners[] = {-1, -1, 1, -1, -1, 1};
    unsigned buffer;
    unsigned char pixel[4];
    gen(1, &buffer);
    bind(ARRAY_BUFFER, buffer);
    storage(ARRAY_BUFFER, SIZE, NULL, PERSISTENT);
    char *memory = map(ARRAY_BUFFER, 0, SIZE, PERSISTENT);
    if (memory == NULL)
        return 99;
    memcpy(memory, corners, sizeof corners);
    glVertexPointer(2, FLOAT, 0, NULL);
    glEnableClientState(VERTEX_ARRAY);
    glDrawArrays(TRIANGLES, 0, 3);
    glReadPixels(0, 0, 1, 1, 0x1908, 0x1401, pixel);
    printf("round %u: %d %d %d\n", round, pixel[0], pixel[1], pixel[2]);
    memset(memory + SIZE / 2, (int)round, SIZE / 2);
    return 0;
}

static int draw(Display *display, enum end end)
{
    LOOK_UP(XVisualInfo *, glXChooseVisual, (Display *, int, int *));
    LOOK_UP(void *, glXCreateContext, (Display *, XVisualInfo *, void *, int));
    LOOK_UP(int, glXMakeCurrent, (Display *, XID, void *));
    LOOK_UP(void, glXDestroyContext, (Display *, void *));
    LOOK_UP(void, glXSwapBuffers, (Display *, XID));
    int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    XVisualInfo *visual = glXChooseVisual(display, DefaultScreen(display), attributes);
    if (visual == NULL)
        return 99;
    Window root = DefaultRootWindow(display);
    XSetWindowAttributes set = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    Window window = XCreateWindow(display, root, 0, 0, SIDE, SIDE, 0, visual->depth, InputOutput,
                                  visual->visual, CWColormap, &set);
    XMapWindow(display, window);
    void *context = glXCreateContext(display, visual, NULL, 1);
    if (context == NULL || !glXMakeCurrent(display, window, context))
        return 99;
    int status = draw_mapped(end);
    glXSwapBuffers(display, window);
    if (end != CURRENT)
        glXMakeCurrent(display, None, NULL);
    if (end == DESTROYED)
        glXDestroyContext(display, context);
    XFree(visual);
    return status;
}

int main(void)
{
    for (enum end end = DESTROYED; end < ENDS; ++end) {
        libgl = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
        Display *display = XOpenDisplay(NULL);
        if (libgl == NULL || display == NULL) {
            fprintf(stderr, "no libGL.so.1, or no display\n");
            return 99;
        }
        int status = draw(display, end);
        if (status != 0)
            return status;
        if (end == DESTROYED)
            XCloseDisplay(display);
        dlclose(libgl);
        void *again = dlopen("libGL.so.1", RTLD_NOW | RTLD_NOLOAD);
        printf("%s\n", again != NULL ? "still loaded" : "unloaded");
    }
    return 0;
}
