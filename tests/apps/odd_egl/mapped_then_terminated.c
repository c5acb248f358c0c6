/* SPDX-License-Identifier: MIT
 * Buffers that are still mapped when their display is terminated: with the context current or not, and
 * released later or never. Then the display is opened again, and draws.
 *
 * mapped by glMapBufferOES
 * count: 4 memcpy\(.* n = 300\)
 * persistent: written and drawn, and once more where the context stays current
 * count: 11 memcpy\(
 * count: 4 eglTerminate\(
 * apitrace: no (it does not replay eglTerminate and contexts of a display that is opened again)
 */
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 1 << 20 };
enum way { CURRENT, NOT_CURRENT, RELEASED_LATER, THREAD_RELEASED, WAYS };

static PFNGLBUFFERSTORAGEEXTPROC buffer_storage;
static PFNGLMAPBUFFERRANGEEXTPROC map_range;
static PFNGLMAPBUFFEROESPROC map_buffer;
static PFNGLUNMAPBUFFEROESPROC unmap_buffer;

static int is_missing(void)
{
    const char *extensions = (const char *)glGetString(GL_EXTENSIONS);
    buffer_storage = (PFNGLBUFFERSTORAGEEXTPROC)eglGetProcAddress("glBufferStorageEXT");
    map_range = (PFNGLMAPBUFFERRANGEEXTPROC)eglGetProcAddress("glMapBufferRangeEXT");
    map_buffer = (PFNGLMAPBUFFEROESPROC)eglGetProcAddress("glMapBufferOES");
    unmap_buffer = (PFNGLUNMAPBUFFEROESPROC)eglGetProcAddress("glUnmapBufferOES");
    return extensions == NULL || strstr(extensions, "GL_EXT_buffer_storage") == NULL ||
           strstr(extensions, "GL_EXT_map_buffer_range") == NULL ||
           strstr(extensions, "GL_OES_mapbuffer") == NULL;
}

static EGLContext open_display(EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_ES2_BIT, EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
        count == 0)
        return EGL_NO_CONTEXT;
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    eglMakeCurrent(display, surface, surface, context);
    return context;
}

static void draw(void)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, 1);
    glFinish();
}

static char *map_buffers(void)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT_EXT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    GLuint buffers[3];
    glGenBuffers(3, buffers);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 300, NULL, GL_STATIC_DRAW);
    memset(map_buffer(GL_ELEMENT_ARRAY_BUFFER, GL_WRITE_ONLY_OES), 1, 300);
    unmap_buffer(GL_ELEMENT_ARRAY_BUFFER);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ARRAY_BUFFER, 9000, NULL, GL_STATIC_DRAW);
    map_buffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[2]);
    buffer_storage(GL_ARRAY_BUFFER, SIZE, NULL, flags);
    return map_range(GL_ARRAY_BUFFER, 0, SIZE, flags);
}

/* Terminates the display, with its context current or not. */
static void terminate(EGLDisplay display, enum way way, char *memory)
{
    if (way == NOT_CURRENT)
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
    if (way == NOT_CURRENT)
        return;
    memory[SIZE / 2] = 2;
    draw();
    if (way == RELEASED_LATER)
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (way == THREAD_RELEASED)
        eglReleaseThread();
}

int main(void)
{
    Display *x = XOpenDisplay(NULL);
    EGLDisplay display = eglGetDisplay((EGLNativeDisplayType)x);
    for (enum way way = CURRENT; way < WAYS; ++way) {
        if (open_display(display) == EGL_NO_CONTEXT || is_missing()) {
            fputs("no OpenGL ES 2 with buffer storage\n", stderr);
            return 99;
        }
        draw();
        char *memory = map_buffers();
        memory[SIZE / 2] = 1;
        draw();
        draw();
        printf("%d: error 0x%x\n", way, glGetError());
        terminate(display, way, memory);
    }
    puts("done");
    return 0;
}
