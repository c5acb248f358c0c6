/* SPDX-License-Identifier: MIT
 * A program's own library with a name like GL's. It looks up half of the GL functions with dlsym(), and half
 * with glXGetProcAddressARB().
 */
#include <GL/glx.h>
#include <dlfcn.h>

static void *library;

static void *by_name(const char *name)
{
    return dlsym(library, name);
}

static void *by_glx(const char *name)
{
    void (*(*get)(const GLubyte *name))(void);
    *(void **)&get = dlsym(library, "glXGetProcAddressARB");
    void (*f)(void) = get((const GLubyte *)name);
    return *(void **)&f;
}

#define FUNCTION(name, how) ((__typeof__(&name))how(#name))
#define glXChooseVisual     FUNCTION(glXChooseVisual, by_name)
#define glXCreateContext    FUNCTION(glXCreateContext, by_name)
#define glXMakeCurrent      FUNCTION(glXMakeCurrent, by_name)
#define glXDestroyContext   FUNCTION(glXDestroyContext, by_name)
#define glXSwapBuffers      FUNCTION(glXSwapBuffers, by_glx)
#define glClearColor        FUNCTION(glClearColor, by_glx)
#define glClear             FUNCTION(glClear, by_name)
#define glReadPixels        FUNCTION(glReadPixels, by_glx)
#define glGetError          FUNCTION(glGetError, by_glx)
#include "plugin_draw.h"

__attribute__((visibility("default"))) int helper_draw(void);

int helper_draw(void)
{
    library = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
    return library != NULL ? plugin_draw_frame("helper") : 99;
}
