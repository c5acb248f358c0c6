/* SPDX-License-Identifier: MIT
 * A plugin that looks up functions itself and stores them in exported variables with the functions' names.
 */
#include <GL/glx.h>
#include <dlfcn.h>
#include <stddef.h>

#define FUNCTIONS(X)                                                                                         \
    X(glXChooseVisual)                                                                                       \
    X(glXCreateContext)                                                                                      \
    X(glXMakeCurrent)                                                                                        \
    X(glXDestroyContext)                                                                                     \
    X(glXSwapBuffers)                                                                                        \
    X(glClearColor)                                                                                          \
    X(glClear)                                                                                               \
    X(glReadPixels)                                                                                          \
    X(glGetError)

/* The headers declare functions with these names, so the variables get them only as symbols. */
#define X(name)                                                                                              \
    extern __typeof__(&name) pointer_##name __asm__(#name) __attribute__((visibility("default")));           \
    __typeof__(&name) pointer_##name = NULL;
FUNCTIONS(X)
#undef X

#define glXChooseVisual   pointer_glXChooseVisual
#define glXCreateContext  pointer_glXCreateContext
#define glXMakeCurrent    pointer_glXMakeCurrent
#define glXDestroyContext pointer_glXDestroyContext
#define glXSwapBuffers    pointer_glXSwapBuffers
#define glClearColor      pointer_glClearColor
#define glClear           pointer_glClear
#define glReadPixels      pointer_glReadPixels
#define glGetError        pointer_glGetError
#include "plugin_draw.h"

__attribute__((visibility("default"))) int plugin_draw(void);

int plugin_draw(void)
{
    static const char *const names[] = {"glXChooseVisual",   "glXCreateContext", "glXMakeCurrent",
                                        "glXDestroyContext", "glXSwapBuffers",   "glClearColor",
                                        "glClear",           "glReadPixels",     "glGetError"};
    void **const variables[] = {
        (void **)&glXChooseVisual,   (void **)&glXCreateContext, (void **)&glXMakeCurrent,
        (void **)&glXDestroyContext, (void **)&glXSwapBuffers,   (void **)&glClearColor,
        (void **)&glClear,           (void **)&glReadPixels,     (void **)&glGetError};
    void *library = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return 99;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i)
        *variables[i] = dlsym(library, names[i]);
    return plugin_draw_frame("plugin with pointers");
}
