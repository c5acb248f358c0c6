/* SPDX-License-Identifier: MIT */
/* Finds EGL and GLES at run time: dlopen of libEGL.so.1 and libGLESv2.so.2, dlsym for EGL, and for GL either
 * dlsym on the GLES library or eglGetProcAddress. Draws on a pbuffer; links neither X11 nor GL. usage:
 * egl_dlopen [dlsym|getproc] */
#include "app_hash.h"

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 48, HEIGHT = 32, FRAMES = 2 };

#define FUNCTIONS_EGL(X)                                                                                     \
    X(EGLBoolean, BindAPI, (EGLenum))                                                                        \
    X(EGLBoolean, ChooseConfig, (EGLDisplay, const EGLint *, EGLConfig *, EGLint, EGLint *))                 \
    X(EGLContext, CreateContext, (EGLDisplay, EGLConfig, EGLContext, const EGLint *))                        \
    X(EGLSurface, CreatePbufferSurface, (EGLDisplay, EGLConfig, const EGLint *))                             \
    X(EGLDisplay, GetDisplay, (EGLNativeDisplayType))                                                        \
    X(EGLBoolean, Initialize, (EGLDisplay, EGLint *, EGLint *))                                              \
    X(EGLBoolean, MakeCurrent, (EGLDisplay, EGLSurface, EGLSurface, EGLContext))                             \
    X(EGLBoolean, SwapBuffers, (EGLDisplay, EGLSurface))                                                     \
    X(EGLBoolean, Terminate, (EGLDisplay))

#define FUNCTIONS_GL(X)                                                                                      \
    X(void, Clear, (GLbitfield))                                                                             \
    X(void, ClearColor, (GLfloat, GLfloat, GLfloat, GLfloat))                                                \
    X(void, Enable, (GLenum))                                                                                \
    X(GLenum, GetError, (void))                                                                              \
    X(void, ReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *))                            \
    X(void, Scissor, (GLint, GLint, GLsizei, GLsizei))                                                       \
    X(void, Viewport, (GLint, GLint, GLsizei, GLsizei))

static struct {
#define X(type, name, args) type(*name) args;
    FUNCTIONS_EGL(X)
#undef X
} egl;

static struct {
#define X(type, name, args) type(*name) args;
    FUNCTIONS_GL(X)
#undef X
} gl;

typedef void (*any_function)(void);

static any_function (*get_proc_address)(const char *);

static void fail(const char *what)
{
    fprintf(stderr, "egl_dlopen: %s\n", what);
    exit(99);
}

static any_function look_up(void *library, const char *name)
{
    any_function found = NULL;
    if (library != NULL)
        *(void **)&found = dlsym(library, name);
    else
        found = get_proc_address(name);
    if (found == NULL)
        fail(name);
    return found;
}

static void load(int by_dlsym)
{
    void *libegl = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    void *libgles = dlopen("libGLESv2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (libegl == NULL || libgles == NULL)
        fail(dlerror());
    *(void **)&get_proc_address = dlsym(libegl, "eglGetProcAddress");
    if (get_proc_address == NULL)
        fail("no eglGetProcAddress");
#define X(type, name, args) egl.name = (type(*) args)look_up(libegl, "egl" #name);
    FUNCTIONS_EGL(X)
#undef X
#define X(type, name, args) gl.name = (type(*) args)look_up(by_dlsym ? libgles : NULL, "gl" #name);
    FUNCTIONS_GL(X)
#undef X
}

static EGLSurface open_surface(EGLDisplay display)
{
    /* apitrace's replay has depth and stencil, with which Mesa rounds colours of clears in another way */
    const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                 EGL_PBUFFER_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_ES2_BIT,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_DEPTH_SIZE,
                                 24,
                                 EGL_STENCIL_SIZE,
                                 8,
                                 EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!egl.Initialize(display, NULL, NULL))
        fail("cannot initialise EGL");
    if (!egl.ChooseConfig(display, attributes, &config, 1, &count) || count == 0)
        fail("no config");
    EGLSurface surface = egl.CreatePbufferSurface(display, config, size);
    egl.BindAPI(EGL_OPENGL_ES_API);
    EGLContext context = egl.CreateContext(display, config, EGL_NO_CONTEXT, es2);
    if (!egl.MakeCurrent(display, surface, surface, context))
        fail("cannot make the context current");
    return surface;
}

static void draw_frame(int frame)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    gl.Scissor(0, 0, WIDTH, HEIGHT);
    gl.Enable(GL_SCISSOR_TEST);
    gl.ClearColor(0.2f, 0.4f, 0.6f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    gl.Scissor(8 * frame, 4, 16, 16);
    gl.ClearColor(1.0f, 0.5f, 0.0f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("egl_dlopen %d: %016" PRIx64 " error 0x%x\n", frame, app_hash(pixels, sizeof pixels),
           gl.GetError());
}

int main(int argc, char **argv)
{
    load(argc < 2 || strcmp(argv[1], "getproc") != 0);
    EGLDisplay display = egl.GetDisplay(EGL_DEFAULT_DISPLAY);
    EGLSurface surface = open_surface(display);
    gl.Viewport(0, 0, WIDTH, HEIGHT);
    for (int frame = 0; frame < FRAMES; frame++) {
        draw_frame(frame);
        egl.SwapBuffers(display, surface);
    }
    egl.Terminate(display);
    return 0;
}
