/* SPDX-License-Identifier: MIT */
/* OpenGL ES 3 through EGL: a texture that is drawn through an EGL image of another one; fences, and a label
 * for one. Prints a checksum for each frame. late: the image stays. other: it is made of a texture of another
 * context, which is not current then. float: it has components of floating point. leaks: prints instead what
 * it does not delete, as gl_leaks does. At the end, it prints the name of a framebuffer object, which is the
 * first one. */
#include "app_hash.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>
#include <X11/Xlib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, FRAMES = 3 };

static const char vertex_source[] =
    "attribute vec2 position;\nvarying vec2 at;\n"
    "void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position, 0.0, 1.0); }\n";
static const char fragment_source[] = "precision mediump float;\nvarying vec2 at;\nuniform sampler2D image;\n"
                                      "void main() { gl_FragColor = texture2D(image, at); }\n";

static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNEGLCREATESYNCKHRPROC create_sync;
static PFNEGLCLIENTWAITSYNCKHRPROC client_wait_sync;
static PFNEGLDESTROYSYNCKHRPROC destroy_sync;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_target_texture;
static PFNGLOBJECTPTRLABELKHRPROC label_pointer;

static void fail(const char *what)
{
    fprintf(stderr, "egl_images: %s (EGL error 0x%x)\n", what, eglGetError());
    exit(99);
}

static void look_up(void)
{
    create_image = (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
    destroy_image = (PFNEGLDESTROYIMAGEKHRPROC)eglGetProcAddress("eglDestroyImageKHR");
    create_sync = (PFNEGLCREATESYNCKHRPROC)eglGetProcAddress("eglCreateSyncKHR");
    client_wait_sync = (PFNEGLCLIENTWAITSYNCKHRPROC)eglGetProcAddress("eglClientWaitSyncKHR");
    destroy_sync = (PFNEGLDESTROYSYNCKHRPROC)eglGetProcAddress("eglDestroySyncKHR");
    image_target_texture =
        (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES");
    label_pointer = (PFNGLOBJECTPTRLABELKHRPROC)eglGetProcAddress("glObjectPtrLabelKHR");
    if (label_pointer == NULL || create_image == NULL || destroy_image == NULL || create_sync == NULL ||
        client_wait_sync == NULL || destroy_sync == NULL || image_target_texture == NULL)
        fail("no images, syncs or labels");
}

struct egl {
    EGLDisplay display;
    EGLConfig config;
    EGLSurface surface;
    EGLContext context;
    EGLContext source; /* has the texture that the image is made of */
};

static void make_current(const struct egl *e, EGLContext context)
{
    if (!eglMakeCurrent(e->display, e->surface, e->surface, context))
        fail("cannot make the context current");
}

static void open_pbuffer(struct egl *e, Display *x11, bool has_other)
{
    const EGLint attributes[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_RED_SIZE, 8,
        EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, SIDE, EGL_HEIGHT, SIDE, EGL_NONE};
    const EGLint es3[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLint count = 0;
    e->display = eglGetDisplay((EGLNativeDisplayType)x11);
    if (!eglInitialize(e->display, NULL, NULL))
        fail("eglInitialize failed");
    if (!eglChooseConfig(e->display, attributes, &e->config, 1, &count) || count == 0)
        fail("no config");
    e->surface = eglCreatePbufferSurface(e->display, e->config, size);
    e->context = eglCreateContext(e->display, e->config, EGL_NO_CONTEXT, es3);
    e->source = has_other ? eglCreateContext(e->display, e->config, EGL_NO_CONTEXT, es3) : e->context;
    make_current(e, e->context);
}

static void attach(GLuint program, GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

static GLuint build_program(void)
{
    GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, vertex_source);
    attach(program, GL_FRAGMENT_SHADER, fragment_source);
    glBindAttribLocation(program, 0, "position");
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

static void set_filters(void)
{
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void store_floats(const GLubyte *texels)
{
    GLfloat floats[16];
    for (int i = 0; i < 16; i++)
        floats[i] = (GLfloat)texels[i] / 255;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, 2, 2, 0, GL_RGBA, GL_FLOAT, floats);
}

/* The picture depends on the frame; the storage may be new. */
static void fill(GLuint texture, int frame, bool renew, bool is_float)
{
    GLubyte texels[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    texels[4 * frame + 1] = 128;
    glBindTexture(GL_TEXTURE_2D, texture);
    if (is_float)
        store_floats(texels);
    else if (renew)
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    else
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    set_filters();
}

static void use_fence(void)
{
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    label_pointer(fence, -1, "the frame is done");
    glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
    glDeleteSync(fence);
}

static uint64_t draw(const GLuint *textures, int frame)
{
    static uint8_t pixels[SIDE * SIDE * 4];
    static const GLfloat square[] = {-0.8f, -0.8f, 0.8f, -0.8f, -0.8f, 0.8f, 0.8f, 0.8f};
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glClearColor(0.2f, 0.2f, 0.1f * (float)frame, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, square);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    return app_hash(pixels, sizeof pixels);
}

/* The second texture shows the first one. */
static EGLImageKHR show_image(const struct egl *e, const GLuint *textures)
{
    EGLImageKHR image = create_image(e->display, e->source, EGL_GL_TEXTURE_2D_KHR,
                                     (EGLClientBuffer)(uintptr_t)textures[0], NULL);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    image_target_texture(GL_TEXTURE_2D, image);
    set_filters();
    return image;
}

/* Prints what it does not delete. */
static void run_frame(const struct egl *e, const GLuint *textures, int frame, const char *how)
{
    bool late = strcmp(how, "late") == 0, leaks = strcmp(how, "leaks") == 0;
    bool renew = frame == 0 || !late;
    make_current(e, e->source);
    fill(textures[0], frame, renew, strcmp(how, "float") == 0);
    glFlush();
    make_current(e, e->context);
    EGLImageKHR image = renew ? show_image(e, textures) : EGL_NO_IMAGE_KHR;
    uint64_t hash = draw(textures, frame);
    EGLSyncKHR sync = create_sync(e->display, EGL_SYNC_FENCE_KHR, NULL);
    client_wait_sync(e->display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR, EGL_FOREVER_KHR);
    use_fence();
    if (!leaks)
        printf("egl_images %d: %016" PRIx64 " error 0x%x\n", frame, hash, glGetError());
    else if (frame == 1)
        printf("egl_image 0x%" PRIxPTR "\negl_sync 0x%" PRIxPTR "\n", (uintptr_t)image, (uintptr_t)sync);
    if (frame != 1 && !late)
        destroy_image(e->display, image);
    if (frame != 1)
        destroy_sync(e->display, sync);
    eglSwapBuffers(e->display, e->surface);
}

static void name_framebuffer(void)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    printf("framebuffer %u\n", framebuffer);
    glDeleteFramebuffers(1, &framebuffer);
}

int main(int argc, char **argv)
{
    struct egl e;
    GLuint textures[2];
    Display *x11 = XOpenDisplay(NULL);
    const char *how = argc > 1 ? argv[1] : "";
    if (x11 == NULL)
        fail("cannot open the display");
    open_pbuffer(&e, x11, strcmp(how, "other") == 0);
    look_up();
    GLuint program = build_program();
    make_current(&e, e.source);
    glGenTextures(1, textures);
    make_current(&e, e.context);
    glGenTextures(1, textures + 1);
    glViewport(0, 0, SIDE, SIDE);
    for (int frame = 0; frame < FRAMES; frame++)
        run_frame(&e, textures, frame, how);
    glDeleteTextures(1, textures);
    if (strcmp(how, "leaks") == 0)
        printf("texture %u\nprogram %u\nsurface 0x%" PRIxPTR "\ncontext 0x%" PRIxPTR "\n", textures[1],
               program, (uintptr_t)e.surface, (uintptr_t)e.context);
    else
        name_framebuffer();
    return 0;
}
