/* SPDX-License-Identifier: MIT */
/* A texture that shows an X pixmap (GLX_EXT_texture_from_pixmap), as compositors have them. X draws into the
 * pixmap before each frame. With an argument, the pixel store is not in its initial state, which must not
 * matter. At the end, it prints the name of a framebuffer object, which is the first one. */
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glxext.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64, FRAMES = 3, PIXMAP_SIDE = 7 };

static void fail(const char *what)
{
    fprintf(stderr, "glx_pixmap: %s\n", what);
    exit(APP_STATUS_NO_DISPLAY);
}

static GLXFBConfig choose_config(Display *display)
{
    const int attributes[] = {GLX_DRAWABLE_TYPE,
                              GLX_PIXMAP_BIT,
                              GLX_BIND_TO_TEXTURE_RGB_EXT,
                              True,
                              GLX_BIND_TO_TEXTURE_TARGETS_EXT,
                              GLX_TEXTURE_2D_BIT_EXT,
                              GLX_BUFFER_SIZE,
                              24,
                              None};
    int count = 0;
    GLXFBConfig *configs = glXChooseFBConfig(display, DefaultScreen(display), attributes, &count);
    GLXFBConfig chosen = NULL;
    for (int i = 0; i < count && chosen == NULL; i++) {
        XVisualInfo *visual = glXGetVisualFromFBConfig(display, configs[i]);
        if (visual != NULL && visual->depth == 24)
            chosen = configs[i];
        XFree(visual);
    }
    if (chosen == NULL)
        fail("no configuration for pixmaps");
    XFree(configs);
    return chosen;
}

static void paint(Display *display, Pixmap pixmap, GC gc, int frame)
{
    static const unsigned long colors[] = {0xff0000, 0x00ff00, 0x0080ff, 0xffff00};
    XSetForeground(display, gc, colors[frame]);
    XFillRectangle(display, pixmap, gc, 0, 0, PIXMAP_SIDE, PIXMAP_SIDE);
    XSetForeground(display, gc, colors[frame + 1]);
    XFillRectangle(display, pixmap, gc, 2, 1, 3, 5);
    XSync(display, False);
}

static void draw(void)
{
    glClearColor(0.3f, 0.3f, 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        float x = i == 1 || i == 2 ? 1 : 0, y = i >= 2 ? 1 : 0;
        glTexCoord2f(x, y);
        glVertex2f(1.6f * x - 0.8f, 1.6f * y - 0.8f);
    }
    glEnd();
}

static void name_framebuffer(void)
{
    GLuint framebuffer;
    PFNGLGENFRAMEBUFFERSPROC generate =
        (PFNGLGENFRAMEBUFFERSPROC)glXGetProcAddress((const GLubyte *)"glGenFramebuffers");
    PFNGLDELETEFRAMEBUFFERSPROC delete =
        (PFNGLDELETEFRAMEBUFFERSPROC)glXGetProcAddress((const GLubyte *)"glDeleteFramebuffers");
    generate(1, &framebuffer);
    printf("framebuffer %u\n", framebuffer);
    delete (1, &framebuffer);
}

int main(int argc, char **argv)
{
    struct app_glx app;
    const int kind[] = {GLX_TEXTURE_TARGET_EXT, GLX_TEXTURE_2D_EXT, GLX_TEXTURE_FORMAT_EXT,
                        GLX_TEXTURE_FORMAT_RGB_EXT, None};
    GLuint texture;
    app_glx_open(&app, SIDE, SIDE);
    PFNGLXBINDTEXIMAGEEXTPROC bind =
        (PFNGLXBINDTEXIMAGEEXTPROC)glXGetProcAddress((const GLubyte *)"glXBindTexImageEXT");
    PFNGLXRELEASETEXIMAGEEXTPROC release =
        (PFNGLXRELEASETEXIMAGEEXTPROC)glXGetProcAddress((const GLubyte *)"glXReleaseTexImageEXT");
    if (bind == NULL || release == NULL)
        fail("no textures from pixmaps");
    Pixmap pixmap = XCreatePixmap(app.display, app.window, PIXMAP_SIDE, PIXMAP_SIDE, 24);
    GC gc = XCreateGC(app.display, pixmap, 0, NULL);
    GLXPixmap image = glXCreatePixmap(app.display, choose_config(app.display), pixmap, kind);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glEnable(GL_TEXTURE_2D);
    if (argc > 1 && argv[1] != NULL) {
        glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 100);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        paint(app.display, pixmap, gc, frame);
        bind(app.display, image, GLX_FRONT_LEFT_EXT, NULL);
        draw();
        app_glx_present(&app, "glx_pixmap", frame);
        release(app.display, image, GLX_FRONT_LEFT_EXT);
    }
    name_framebuffer();
    glXDestroyPixmap(app.display, image);
    XFreePixmap(app.display, pixmap);
    app_glx_close(&app);
    return 0;
}
