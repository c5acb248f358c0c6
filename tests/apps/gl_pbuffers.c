/* SPDX-License-Identifier: MIT
 * Prints what is drawn to pbuffers: of GLX, with colours that no window has; of EGL, also in turns with a
 * window that was to have one buffer. usage: gl_pbuffers glx|egl
 */
#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 30 };

static Display *display;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "gl_pbuffers: no %s\n", what);
    exit(99);
}

static int get(GLenum name)
{
    GLint value = -1;
    glGetIntegerv(name, &value);
    return value;
}

static void show(const char *what)
{
    GLfloat pixel[4];
    glReadPixels(WIDTH / 4, HEIGHT / 4, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    printf("%s: %d %d %d %d bits, draws to 0x%x, reads 0x%x, %.4f %.4f %.4f %.4f, error 0x%x\n", what,
           get(GL_RED_BITS), get(GL_GREEN_BITS), get(GL_BLUE_BITS), get(GL_ALPHA_BITS),
           (unsigned)get(GL_DRAW_BUFFER), (unsigned)get(GL_READ_BUFFER), (double)pixel[0], (double)pixel[1],
           (double)pixel[2], (double)pixel[3], glGetError());
}

static void draw(const char *what, float green)
{
    glClearColor(0.2f, green, 0.7f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    show(what);
}

/* --- GLX -------------------------------------------------------------------------------------------- */

/* */
static GLXFBConfig find_config(int red, int has_two_buffers)
{
    int wanted[] = {GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_DOUBLEBUFFER, has_two_buffers, None}, count = 0;
    GLXFBConfig *all = glXChooseFBConfig(display, DefaultScreen(display), wanted, &count), found = NULL;
    for (int i = 0; i < count && found == NULL; ++i) {
        int bits = 0;
        glXGetFBConfigAttrib(display, all[i], GLX_RED_SIZE, &bits);
        if (bits == red)
            found = all[i];
    }
    XFree(all);
    return found;
}

static void with_glx(void)
{
    static const int size[] = {GLX_PBUFFER_WIDTH, WIDTH, GLX_PBUFFER_HEIGHT, HEIGHT, None};
    static const int kinds[][2] = {{10, True}, {10, False}, {5, True}, {5, False}, {8, True}, {8, False}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        GLXFBConfig config = find_config(kinds[i][0], kinds[i][1]);
        if (config == NULL)
            continue;
        GLXContext context = glXCreateNewContext(display, config, GLX_RGBA_TYPE, NULL, True);
        GLXPbuffer first = glXCreatePbuffer(display, config, size);
        GLXPbuffer second = glXCreatePbuffer(display, config, size);
        if (!glXMakeContextCurrent(display, first, first, context))
            die("pbuffers of GLX");
        draw("first", 0.513f);
        glXMakeContextCurrent(display, second, first, context);
        draw("second", 0.3f);
        glXMakeContextCurrent(display, first, second, context);
        show("second again");
        glXMakeContextCurrent(display, None, None, NULL);
        glXDestroyPbuffer(display, first);
        glXDestroyPbuffer(display, second);
        glXDestroyContext(display, context);
    }
}

/* --- EGL -------------------------------------------------------------------------------------------- */

static void bind(EGLDisplay egl, EGLContext context, EGLSurface drawn, EGLSurface read)
{
    if (!eglMakeCurrent(egl, drawn, read, context))
        die("binding of EGL");
}

/* The context is bound to a window or to a pbuffer first. */
static void in_turns(EGLDisplay egl, EGLConfig config, Window id, int begins_with_window)
{
    static const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
    static const EGLint single[] = {EGL_RENDER_BUFFER, EGL_SINGLE_BUFFER, EGL_NONE};
    EGLContext context = eglCreateContext(egl, config, EGL_NO_CONTEXT, NULL);
    EGLSurface window = eglCreateWindowSurface(egl, config, (EGLNativeWindowType)id, single);
    EGLSurface pbuffer = eglCreatePbufferSurface(egl, config, size);
    if (context == EGL_NO_CONTEXT || window == EGL_NO_SURFACE || pbuffer == EGL_NO_SURFACE)
        die("surfaces of EGL");
    for (int i = 0; i < 3; ++i) {
        EGLSurface now = (i + begins_with_window) % 2 != 0 ? window : pbuffer;
        bind(egl, context, now, now);
        draw(now == window ? "window" : "pbuffer", 0.3f * (float)i);
    }
    bind(egl, context, window, pbuffer);
    show("pbuffer, read");
    bind(egl, context, pbuffer, window);
    show("window, read");
    eglMakeCurrent(egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(egl, window);
    eglDestroySurface(egl, pbuffer);
    eglDestroyContext(egl, context);
}

static void with_egl(void)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                    EGL_WINDOW_BIT | EGL_PBUFFER_BIT,
                                    EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_NONE};
    EGLDisplay egl = eglGetDisplay((EGLNativeDisplayType)display);
    EGLConfig config;
    EGLint count = 0, visual = 0;
    XVisualInfo wanted_visual = {0};
    if (!eglInitialize(egl, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(egl, wanted, &config, 1, &count) || count == 0)
        die("configuration of EGL");
    eglGetConfigAttrib(egl, config, EGL_NATIVE_VISUAL_ID, &visual);
    wanted_visual.visualid = (VisualID)visual;
    XVisualInfo *found = XGetVisualInfo(display, VisualIDMask, &wanted_visual, &count);
    if (found == NULL)
        die("visual");
    Window root = DefaultRootWindow(display);
    XSetWindowAttributes set = {.colormap = XCreateColormap(display, root, found->visual, AllocNone)};
    for (int i = 0; i < 2; ++i) {
        Window window = XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, found->depth, InputOutput,
                                      found->visual, CWColormap | CWBorderPixel, &set);
        XMapWindow(display, window);
        XSync(display, False);
        in_turns(egl, config, window, i);
    }
    XFree(found);
    eglTerminate(egl);
}

int main(int argc, char **argv)
{
    display = XOpenDisplay(NULL);
    if (display == NULL)
        die("display");
    if (argc > 1 && strcmp(argv[1], "egl") == 0)
        with_egl();
    else
        with_glx();
    XCloseDisplay(display);
    return 0;
}
