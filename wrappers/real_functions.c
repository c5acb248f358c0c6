/* SPDX-License-Identifier: MIT
 * Where the real functions are: in the libraries behind this one, in libraries that the program opened by
 * itself, or wherever the window system's GetProcAddress finds them.
 */
#include "capture_internal.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(capture_function) found[SPEC_FUNCTION_COUNT];

/* Given to functions that no library has, so that they are looked up once. */
static uint64_t missing_function(void)
{
    return 0;
}

static const char *const gl_libraries[] = {"libGL.so.1", "libOpenGL.so.0", "libGLESv2.so.2",
                                           "libGLESv1_CM.so.1", NULL};
static const char *const glx_libraries[] = {"libGLX.so.0", "libGL.so.1", NULL};
static const char *const egl_libraries[] = {"libEGL.so.1", NULL};

static const char *const *libraries_of(const struct spec_function *f)
{
    return f->api == SPEC_API_GLX ? glx_libraries : f->api == SPEC_API_EGL ? egl_libraries : gl_libraries;
}

static void *find_in_libraries(const struct spec_function *f, int mode)
{
    for (const char *const *name = libraries_of(f); *name != NULL; ++name) {
        void *handle = dlopen(*name, mode);
        void *p = handle != NULL ? real_dlsym(handle, f->name) : NULL;
        if (p != NULL)
            return p;
    }
    return NULL;
}

typedef capture_function (*proc_address_function)(const char *name);

/* Extension functions are in no library's symbol table. Asks the window system that the program uses. */
static void *find_extension(const struct spec_function *f)
{
    static const uint16_t lookups[] = {SPEC_FN_glXGetProcAddressARB, SPEC_FN_eglGetProcAddress};
    for (unsigned i = 0; i < sizeof lookups / sizeof lookups[0]; ++i) {
        const struct spec_function *lookup = &spec_functions[lookups[i]];
        void *p = real_dlsym(RTLD_NEXT, lookup->name);
        if (p == NULL)
            p = find_in_libraries(lookup, RTLD_LAZY | RTLD_NOLOAD);
        proc_address_function get;
        *(void **)&get = p;
        capture_function result = p != NULL ? get(f->name) : NULL;
        if (result != NULL)
            return *(void **)&result;
    }
    return NULL;
}

static void *look_up(const struct spec_function *f)
{
    void *p = real_dlsym(RTLD_NEXT, f->name);
    if (p == NULL)
        p = find_in_libraries(f, RTLD_LAZY | RTLD_NOLOAD);
    if (p == NULL)
        p = find_extension(f);
    if (p == NULL)
        p = find_in_libraries(f, RTLD_LAZY);
    return p;
}

capture_function real_function_find(uint32_t id)
{
    capture_function f = atomic_load_explicit(&found[id], memory_order_relaxed);
    if (f != NULL)
        return f;
    *(void **)&f = look_up(&spec_functions[id]);
    if (f == NULL)
        f = (capture_function)missing_function;
    atomic_store_explicit(&found[id], f, memory_order_relaxed);
    return f;
}

void real_function_set(uint32_t id, capture_function f)
{
    capture_function none = NULL;
    atomic_compare_exchange_strong(&found[id], &none, f);
    if (none == (capture_function)missing_function)
        atomic_store(&found[id], f);
}
