/* SPDX-License-Identifier: MIT */
/* Finds GL at run time, as game engines do: dlopen of libGL.so.1, dlsym on that handle, and glXGetProcAddress
 * for what came after OpenGL 1.1. Nothing here is linked with GL. usage: glx_dlopen [dlsym|getproc] (which of
 * the two leads to the 1.1 functions) */
#include "app_hash.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, HEIGHT = 60, FRAMES = 2 };

#define FUNCTIONS_GLX(X)                                                                                     \
    X(XVisualInfo *, ChooseVisual, (Display *, int, int *))                                                  \
    X(GLXContext, CreateContext, (Display *, XVisualInfo *, GLXContext, Bool))                               \
    X(void, DestroyContext, (Display *, GLXContext))                                                         \
    X(Bool, MakeCurrent, (Display *, GLXDrawable, GLXContext))                                               \
    X(void, SwapBuffers, (Display *, GLXDrawable))

#define FUNCTIONS_GL(X)                                                                                      \
    X(void, Begin, (GLenum))                                                                                 \
    X(void, BlendColor, (GLfloat, GLfloat, GLfloat, GLfloat))                                                \
    X(void, Clear, (GLbitfield))                                                                             \
    X(void, ClearColor, (GLfloat, GLfloat, GLfloat, GLfloat))                                                \
    X(void, Color3f, (GLfloat, GLfloat, GLfloat))                                                            \
    X(void, End, (void))                                                                                     \
    X(GLenum, GetError, (void))                                                                              \
    X(void, ReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *))                            \
    X(void, Vertex2f, (GLfloat, GLfloat))                                                                    \
    X(void, Viewport, (GLint, GLint, GLsizei, GLsizei))

static struct {
#define X(type, name, args) type(*name) args;
    FUNCTIONS_GL(X)
#undef X
} gl;

static struct {
#define X(type, name, args) type(*name) args;
    FUNCTIONS_GLX(X)
#undef X
} glx;

typedef void (*any_function)(void);

static void *library;
static any_function (*get_proc_address)(const GLubyte *);

static void fail(const char *what)
{
    fprintf(stderr, "glx_dlopen: %s\n", what);
    exit(99);
}

static any_function look_up(const char *name, int by_dlsym)
{
    any_function found = NULL;
    if (by_dlsym)
        *(void **)&found = dlsym(library, name);
    else
        found = get_proc_address((const GLubyte *)name);
    if (found == NULL)
        fail(name);
    return found;
}

static void load(int by_dlsym)
{
    library = dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL)
        fail(dlerror());
    *(void **)&get_proc_address = dlsym(library, "glXGetProcAddress");
    if (get_proc_address == NULL)
        fail("no glXGetProcAddress");
#define X(type, name, args) gl.name = (type(*) args)look_up("gl" #name, by_dlsym);
    FUNCTIONS_GL(X)
#undef X
#define X(type, name, args) glx.name = (type(*) args)look_up("glX" #name, by_dlsym);
    FUNCTIONS_GLX(X)
#undef X
    bool found = get_proc_address((const GLubyte *)"notAFunctionOfAnyone") != NULL; /* GLVND has any */
    printf("glx_dlopen: an unknown name is %s\n", found ? "found" : "not found");
}

static void draw_frame(int frame)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    gl.ClearColor(0.0f, 0.5f * (float)frame, 0.0f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    gl.BlendColor(0.125f, 0.25f, 0.5f, 1.0f);
    gl.Begin(GL_TRIANGLES);
    gl.Color3f(1.0f, 1.0f, 0.0f);
    gl.Vertex2f(-0.5f, -0.5f);
    gl.Vertex2f(0.5f, -0.5f);
    gl.Vertex2f(0.0f, 0.5f);
    gl.End();
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("glx_dlopen %d: %016" PRIx64 " error 0x%x\n", frame, app_hash(pixels, sizeof pixels),
           gl.GetError());
}

int main(int argc, char **argv)
{
    int by_dlsym = argc < 2 || strcmp(argv[1], "getproc") != 0;
    int attributes[] = {GLX_RGBA, GLX_RED_SIZE, 8, GLX_DOUBLEBUFFER, None};
    load(by_dlsym);
    Display *display = XOpenDisplay(NULL);
    if (display == NULL)
        fail("cannot open the display");
    XVisualInfo *visual = glx.ChooseVisual(display, DefaultScreen(display), attributes);
    if (visual == NULL)
        fail("no visual");
    Window root = RootWindow(display, visual->screen);
    XSetWindowAttributes set = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    Window window = XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth, InputOutput,
                                  visual->visual, CWColormap, &set);
    XMapWindow(display, window);
    XSync(display, False);
    GLXContext context = glx.CreateContext(display, visual, NULL, True);
    glx.MakeCurrent(display, window, context);
    gl.Viewport(0, 0, WIDTH, HEIGHT);
    for (int frame = 0; frame < FRAMES; frame++) {
        draw_frame(frame);
        glx.SwapBuffers(display, window);
    }
    glx.MakeCurrent(display, None, NULL);
    glx.DestroyContext(display, context);
    XCloseDisplay(display);
    dlclose(library);
    return 0;
}
