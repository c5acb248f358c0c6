/* SPDX-License-Identifier: MIT
 * Another library is preloaded, before or after the tracer, and also intercepts GL functions.
 *
 * arguments: first interposer
 * arguments: last interposer
 * arguments: first interposer_dlsym
 * arguments: last interposer_dlsym
 * count: 2 glClear\(
 * count: 2 glXSwapBuffers\(
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs the program again, with the library first or last in the list. */
static int run_again(char **argv)
{
    char path[2048], list[8192];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *others = getenv("LD_PRELOAD");
    if (n <= 0)
        return 99;
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    int first = strcmp(argv[1], "first") == 0;
    snprintf(list, sizeof list, "%s%s%s/%s.so%s%s", first || others == NULL ? "" : others,
             first || others == NULL ? "" : ":", path, argv[2], first && others != NULL ? ":" : "",
             first && others != NULL ? others : "");
    setenv("LD_PRELOAD", list, 1);
    char *again[] = {argv[0], NULL};
    execv("/proc/self/exe", again);
    return 99;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return run_again(argv);
    struct app_glx app;
    app_glx_open(&app, 16, 16);
    for (int frame = 0; frame < 2; ++frame) {
        void (*clear)(GLbitfield mask);
        *(void **)&clear = dlsym(dlopen("libGL.so.1", RTLD_LAZY), "glClear");
        (frame == 0 ? glClear : clear)(GL_COLOR_BUFFER_BIT);
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    return 0;
}
