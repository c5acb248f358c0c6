/* SPDX-License-Identifier: MIT
 * Terminates SDL and starts it again, with EGL or GLX contexts. SDL unloads the libraries in between.
 *
 * arguments: 1
 * arguments: 0
 * count: 3 SwapBuffers\(
 * count: 3 glClear\(
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { INIT_VIDEO = 0x20, WINDOW_OPENGL = 2, WINDOW_HIDDEN = 8 };

static void *sdl;

#define LOOK_UP(type, name, args)                                                                            \
    type(*name) args;                                                                                        \
    *(void **)&name = dlsym(sdl, #name);                                                                     \
    if (name == NULL)                                                                                        \
    return 99

static int draw(const char *egl, int round)
{
    LOOK_UP(int, SDL_SetHint, (const char *, const char *));
    LOOK_UP(int, SDL_Init, (unsigned));
    LOOK_UP(void, SDL_Quit, (void));
    LOOK_UP(void *, SDL_CreateWindow, (const char *, int, int, int, int, unsigned));
    LOOK_UP(void *, SDL_GL_CreateContext, (void *));
    LOOK_UP(void, SDL_GL_DeleteContext, (void *));
    LOOK_UP(void, SDL_GL_SwapWindow, (void *));
    LOOK_UP(void *, SDL_GL_GetProcAddress, (const char *));
    LOOK_UP(void, SDL_DestroyWindow, (void *));
    SDL_SetHint("SDL_VIDEO_X11_FORCE_EGL", egl);
    SDL_SetHint("SDL_NO_SIGNAL_HANDLERS", "1");
    if (SDL_Init(INIT_VIDEO) != 0)
        return 99;
    void *window = SDL_CreateWindow("twice", 0, 0, 16, 16, WINDOW_OPENGL | WINDOW_HIDDEN);
    void *context = window != NULL ? SDL_GL_CreateContext(window) : NULL;
    if (context == NULL)
        return 99;
    void (*clear_color)(float, float, float, float);
    void (*clear)(unsigned);
    void (*read_pixels)(int, int, int, int, unsigned, unsigned, void *);
    *(void **)&clear_color = SDL_GL_GetProcAddress("glClearColor");
    *(void **)&clear = SDL_GL_GetProcAddress("glClear");
    *(void **)&read_pixels = SDL_GL_GetProcAddress("glReadPixels");
    unsigned char pixel[4] = {0, 0, 0, 0};
    clear_color((float)round / 4, 0.5F, 1, 1);
    clear(0x4000);
    read_pixels(0, 0, 1, 1, 0x1908, 0x1401, pixel);
    printf("round %d: %d %d %d\n", round, pixel[0], pixel[1], pixel[2]);
    SDL_GL_SwapWindow(window);
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}

int main(int argc, char **argv)
{
    setenv("SDL_VIDEODRIVER", "x11", 1);
    sdl = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (sdl == NULL) {
        fprintf(stderr, "no libSDL2-2.0.so.0\n");
        return 99;
    }
    for (int round = 0; round < 3; ++round) {
        int status = draw(argc > 1 ? argv[1] : "0", round);
        if (status != 0) {
            fprintf(stderr, "SDL cannot make a window with a context\n");
            return status;
        }
        if (mmap(NULL, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            return 99;
    }
    return 0;
}
