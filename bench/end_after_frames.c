/* SPDX-License-Identifier: MIT */
/* Preloaded into a program that never ends, as glxgears: ends it when it has swapped buffers FRAMES times. */
#include <GL/glx.h>
#include <dlfcn.h>
#include <stdlib.h>

__attribute__((visibility("default"))) void glXSwapBuffers(Display *display, GLXDrawable drawable)
{
    static void (*swap)(Display *, GLXDrawable);
    static long left;
    if (swap == NULL) {
        const char *frames = getenv("FRAMES");
        union {
            void *object;
            void (*function)(Display *, GLXDrawable);
        } next = {.object = dlsym(RTLD_NEXT, "glXSwapBuffers")};
        swap = next.function;
        left = frames != NULL ? atol(frames) : 0;
    }
    swap(display, drawable);
    if (--left == 0)
        exit(0);
}
