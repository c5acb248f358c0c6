/* SPDX-License-Identifier: MIT
 * Terminates GLFW and starts it again, with GLX and then EGL contexts. GLFW unloads the libraries in between.
 * When it opens a window, it clears and swaps once by itself.
 *
 * arguments: glx
 * arguments: egl
 * arguments: mixed
 * count: 6 SwapBuffers\(
 * count: 6 glClear\(
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { CONTEXT_API = 0x2200B, NATIVE_API = 0x36001, EGL_API = 0x36002, VISIBLE = 0x20004 };

static void *glfw;

#define LOOK_UP(type, name, args)                                                                            \
    type(*name) args;                                                                                        \
    *(void **)&name = dlsym(glfw, #name);                                                                    \
    if (name == NULL)                                                                                        \
    return 99

static int draw(int api, int round)
{
    LOOK_UP(int, glfwInit, (void));
    LOOK_UP(void, glfwTerminate, (void));
    LOOK_UP(void, glfwWindowHint, (int, int));
    LOOK_UP(void *, glfwCreateWindow, (int, int, const char *, void *, void *));
    LOOK_UP(void, glfwMakeContextCurrent, (void *));
    LOOK_UP(void *, glfwGetProcAddress, (const char *));
    LOOK_UP(void, glfwSwapBuffers, (void *));
    if (!glfwInit())
        return 99;
    glfwWindowHint(CONTEXT_API, api);
    glfwWindowHint(VISIBLE, 0);
    void *window = glfwCreateWindow(16, 16, "twice", NULL, NULL);
    if (window == NULL)
        return 99;
    glfwMakeContextCurrent(window);
    void (*clear_color)(float, float, float, float);
    void (*clear)(unsigned);
    void (*read_pixels)(int, int, int, int, unsigned, unsigned, void *);
    *(void **)&clear_color = glfwGetProcAddress("glClearColor");
    *(void **)&clear = glfwGetProcAddress("glClear");
    *(void **)&read_pixels = glfwGetProcAddress("glReadPixels");
    unsigned char pixel[4] = {0, 0, 0, 0};
    clear_color((float)round / 4, 0.5F, 1, 1);
    clear(0x4000);
    read_pixels(0, 0, 1, 1, 0x1908, 0x1401, pixel);
    printf("round %d: %d %d %d\n", round, pixel[0], pixel[1], pixel[2]);
    glfwSwapBuffers(window);
    glfwTerminate();
    return 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "glx";
    glfw = dlopen("libglfw.so.3", RTLD_NOW | RTLD_LOCAL);
    if (glfw == NULL) {
        fprintf(stderr, "no libglfw.so.3\n");
        return 99;
    }
    for (int round = 0; round < 3; ++round) {
        int egl = strcmp(how, "egl") == 0 || (strcmp(how, "mixed") == 0 && round == 1);
        int status = draw(egl ? EGL_API : NATIVE_API, round);
        if (status != 0) {
            fprintf(stderr, "GLFW cannot make a window with a context\n");
            return status;
        }
        if (mmap(NULL, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            return 99;
    }
    return 0;
}
