/* SPDX-License-Identifier: MIT
 * A thread releases its context with eglReleaseThread(). Then the context is destroyed while one of its
 * buffers is mapped: the memory no longer exists, and calls without a context read nothing.
 *
 * count: 1 memcpy\(
 * count: 1 eglReleaseThread\(
 * lacks: glVertexAttribPointer\(.*pointer = blob
 */
#include "app_egl.h"

#include <GLES2/gl2ext.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 1 << 20, PART = 4096 };

static char *map_buffer(void)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT_EXT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    PFNGLBUFFERSTORAGEEXTPROC storage;
    PFNGLMAPBUFFERRANGEEXTPROC map;
    const char *extensions = (const char *)glGetString(GL_EXTENSIONS);
    GLuint buffer;
    if (strstr(extensions, "GL_EXT_buffer_storage") == NULL ||
        strstr(extensions, "GL_EXT_map_buffer_range") == NULL)
        app_egl_fail("no persistent mappings");
    *(void **)&storage = app_egl_function("glBufferStorageEXT");
    *(void **)&map = app_egl_function("glMapBufferRangeEXT");
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    storage(GL_ARRAY_BUFFER, SIZE, NULL, flags);
    return map(GL_ARRAY_BUFFER, 0, SIZE, flags);
}

int main(void)
{
    static const GLfloat corner[2];
    struct app_egl app;
    app_egl_open(&app, 2, 16, 16);
    EGLContext context = eglGetCurrentContext();
    char *memory = map_buffer();
    memset(memory, 7, PART);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, 1);
    app_egl_present(&app, "mapped", 0);
    printf("released %d\n", eglReleaseThread());
    printf("destroyed %d\n", eglDestroyContext(app.display, context));
    /* The addresses belong to the program now. */
    char *again =
        mmap(memory, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (again == memory)
        memset(again, 9, SIZE);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corner);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_POINTS, 0, 1);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, (void *)(uintptr_t)corner);
    printf("no context: %d\n", eglGetCurrentContext() == EGL_NO_CONTEXT);
    eglTerminate(app.display);
    return 0;
}
