/* SPDX-License-Identifier: MIT */
/* OpenGL ES 2 through EGL: client-side and buffered attributes, a texture, on an X11 window or a pbuffer.
 * usage: egl_es2 [window|pbuffer] */
#include "app_hash.h"

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <X11/Xlib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64, FRAMES = 3 };

static const char vertex_source[] = "attribute vec4 position;\nattribute vec3 color;\nvarying vec3 shade;\n"
                                    "uniform float angle;\n"
                                    "void main() {\n"
                                    "    float c = cos(angle), s = sin(angle);\n"
                                    "    shade = color;\n"
                                    "    gl_Position = vec4(position.x * c - position.y * s,\n"
                                    "                       position.x * s + position.y * c, 0.0, 1.0);\n"
                                    "}\n";

static const char fragment_source[] =
    "precision mediump float;\nvarying vec3 shade;\nuniform sampler2D image;\n"
    "void main() {\n"
    "    gl_FragColor = vec4(shade, 1.0) * texture2D(image, shade.xy);\n"
    "}\n";

static void fail(const char *what)
{
    fprintf(stderr, "egl_es2: %s (EGL error 0x%x)\n", what, eglGetError());
    exit(99);
}

static EGLNativeWindowType create_window(Display *x11)
{
    Window window = XCreateSimpleWindow(x11, DefaultRootWindow(x11), 0, 0, WIDTH, HEIGHT, 0, 0, 0);
    XSelectInput(x11, window, StructureNotifyMask);
    XMapWindow(x11, window);
    XEvent event;
    do
        XNextEvent(x11, &event);
    while (event.type != MapNotify);
    return window;
}

static EGLSurface open_surface(Display *x11, EGLDisplay display, bool pbuffer)
{
    const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                 pbuffer ? EGL_PBUFFER_BIT : EGL_WINDOW_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_ES2_BIT,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_GREEN_SIZE,
                                 8,
                                 EGL_BLUE_SIZE,
                                 8,
                                 EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglChooseConfig(display, attributes, &config, 1, &count) || count == 0)
        fail("no config");
    EGLSurface surface = pbuffer ? eglCreatePbufferSurface(display, config, size)
                                 : eglCreateWindowSurface(display, config, create_window(x11), NULL);
    eglBindAPI(EGL_OPENGL_ES_API);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, es2);
    if (surface == EGL_NO_SURFACE || context == EGL_NO_CONTEXT)
        fail("no surface or no context");
    if (!eglMakeCurrent(display, surface, surface, context))
        fail("cannot make the context current");
    return surface;
}

static GLuint compile(GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    GLint compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled)
        fail("a shader does not compile");
    return shader;
}

static GLuint build_program(void)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex_source));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment_source));
    glBindAttribLocation(program, 2, "position");
    glBindAttribLocation(program, 5, "color");
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

static void create_inputs(void)
{
    static const GLfloat colors[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    static const GLubyte texels[] = {255, 255, 255, 0, 200, 200, 200, 0, 150, 150, 150, 0, 100, 100, 100, 0};
    GLuint buffer, texture;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof colors, colors, GL_STATIC_DRAW);
    glVertexAttribPointer(5, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glEnableVertexAttribArray(5);
    glEnableVertexAttribArray(2);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void draw_frame(GLint angle, int frame)
{
    GLfloat square[] = {-0.7f, -0.7f, 0.7f, -0.7f, -0.7f, 0.7f, 0.7f, 0.7f}; /* new memory in each frame */
    static const GLubyte indices[] = {1, 2, 3};
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    glClearColor(0.1f, 0.1f, 0.2f * (float)frame, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glUniform1f(angle, 0.5f * (float)frame);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, 0, square);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 3);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("egl_es2 %d: %016" PRIx64 " error 0x%x\n", frame, app_hash(pixels, sizeof pixels), glGetError());
}

int main(int argc, char **argv)
{
    bool pbuffer = argc > 1 && strcmp(argv[1], "pbuffer") == 0;
    Display *x11 = XOpenDisplay(NULL);
    if (x11 == NULL)
        fail("cannot open the display");
    EGLDisplay display = eglGetDisplay((EGLNativeDisplayType)x11);
    if (!eglInitialize(display, NULL, NULL))
        fail("eglInitialize failed");
    EGLSurface surface = open_surface(x11, display, pbuffer);
    GLuint program = build_program();
    create_inputs();
    GLint angle = glGetUniformLocation(program, "angle");
    glViewport(0, 0, WIDTH, HEIGHT);
    for (int frame = 0; frame < FRAMES; frame++) {
        draw_frame(angle, frame);
        eglSwapBuffers(display, surface);
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
    XCloseDisplay(x11);
    return 0;
}
