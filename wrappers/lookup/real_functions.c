/* SPDX-License-Identifier: MIT
 * Finds the real functions: in the libraries that follow this one, in libraries that the program opened
 * itself, or by the window system's GetProcAddress.
 */
#include "lookup/real_functions.h"

#include "lookup/elf_objects.h"
#include "lookup/gl_libraries.h"
#include "lookup/real_dlsym.h"
#include "lookup/stubs.h"

#include "runtime/spec.h"
#include "spec_ids.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Atomic(capture_function) real_functions_known[SPEC_FUNCTION_COUNT];

/* Returned for functions that no library has, so that they are only looked up once. */
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

/* If this library takes the place of the GL libraries (LD_LIBRARY_PATH), these variables have the paths of
 * the real ones; the names are apitrace's. */
static void *open_library(const char *name, int flags)
{
    static const struct {
        const char *name, *variable;
    } real[] = {{"libGL.so.1", "TRACE_LIBGL"},
                {"libEGL.so.1", "TRACE_LIBEGL"},
                {"libGLESv2.so.2", "TRACE_LIBGLESV2"},
                {"libGLESv1_CM.so.1", "TRACE_LIBGLESV1"},
                {"libOpenGL.so.0", "TRACE_LIBOPENGL"}};
    const char *path = NULL;
    for (unsigned i = 0; path == NULL && i < sizeof real / sizeof real[0]; ++i)
        if (strcmp(name, real[i].name) == 0)
            path = getenv(real[i].variable);
    return dlopen(path != NULL ? path : name, flags);
}

/* Returns NULL for our own function, which is there if the library is this one under another name. */
static void *find_in(void *handle, const struct spec_function *f)
{
    void *p = handle != NULL ? real_dlsym(handle, spec_string(f->name)) : NULL;
    void (*stub)(void) = capture_stubs[f->id];
    return p != *(void **)&stub ? p : NULL;
}

/* Only searches a library that is already loaded, and does not keep it loaded, since the program decides when
 * to unload it. */
static void *find_in_loaded(const struct spec_function *f)
{
    for (const char *const *name = libraries_of(f); *name != NULL; ++name) {
        void *handle = open_library(*name, RTLD_LAZY | RTLD_NOLOAD), *p = find_in(handle, f);
        if (handle != NULL)
            dlclose(handle);
        if (p != NULL)
            return p;
    }
    return NULL;
}

/* Loads a library and keeps it loaded: the program calls a function that it did not get from a library. */
static void *find_by_loading(const struct spec_function *f)
{
    for (const char *const *name = libraries_of(f); *name != NULL; ++name) {
        void *p = find_in(open_library(*name, RTLD_LAZY), f);
        if (p != NULL)
            return p;
    }
    return NULL;
}

/* Finds the next function with this name in the program's global scope. A variable with this name is not a
 * match; programs that load GL themselves have such variables. */
static void *find_next(const struct spec_function *f)
{
    void *p = real_dlsym(RTLD_NEXT, spec_string(f->name));
    struct elf_object object;
    if (p == NULL || !elf_object_at(p, &object))
        return p;
    const ElfW(Sym) *symbol = elf_object_symbol(&object, spec_string(f->name));
    return symbol != NULL && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT ? NULL : p;
}

typedef capture_function (*proc_address_function)(const char *name);

/* Extension functions are not in the symbol table of a library. Asks the window system that the program uses.
 */
static void *find_extension(const struct spec_function *f)
{
    static const uint16_t lookups[] = {SPEC_FN_glXGetProcAddressARB, SPEC_FN_eglGetProcAddress};
    for (unsigned i = 0; i < sizeof lookups / sizeof lookups[0]; ++i) {
        const struct spec_function *lookup = &spec_functions[lookups[i]];
        void *p = find_next(lookup);
        if (p == NULL)
            p = find_in_loaded(lookup);
        proc_address_function get;
        *(void **)&get = p;
        capture_function result = p != NULL ? get(spec_string(f->name)) : NULL;
        if (result != NULL)
            return *(void **)&result;
    }
    return NULL;
}

static void *look_up(const struct spec_function *f)
{
    void *p = find_next(f);
    if (p == NULL)
        p = find_in_loaded(f);
    if (p == NULL)
        p = find_extension(f);
    if (p == NULL)
        p = find_by_loading(f);
    return p;
}

capture_function real_function_look_up(uint32_t id)
{
    capture_function f;
    *(void **)&f = look_up(&spec_functions[id]);
    if (f == NULL)
        f = (capture_function)missing_function;
    atomic_store_explicit(&real_functions_known[id], f, memory_order_relaxed);
    return f;
}

static void *address_of(capture_function f)
{
    return *(void **)&f;
}

/* Counted by a function that libEGL itself has: those that it makes at run time seem to be unloaded always.
 */
static atomic_uint egl_unloads;

void real_functions_forget_unloaded(void)
{
    struct elf_object last = {.start = 0, .end = 0};
    bool lost_egl = false;
    for (uint32_t id = 0; id < SPEC_FUNCTION_COUNT; ++id) {
        capture_function f = atomic_load_explicit(&real_functions_known[id], memory_order_relaxed);
        uintptr_t at = (uintptr_t)address_of(f);
        if (f == NULL || (at >= last.start && at < last.end))
            continue;
        if (f != (capture_function)missing_function && elf_object_at((void *)at, &last))
            continue;
        last = (struct elf_object){.start = 0, .end = 0};
        lost_egl |= f != (capture_function)missing_function && id == SPEC_FN_eglMakeCurrent;
        atomic_compare_exchange_strong(&real_functions_known[id], &f, NULL);
    }
    if (lost_egl)
        atomic_fetch_add(&egl_unloads, 1);
}

unsigned real_functions_egl_unloads(void)
{
    return atomic_load(&egl_unloads);
}

/* Returns true if a call may go to either function. It may not if they belong to two copies of a library, or
 * to libraries of different origin (such as the system's and one that the program ships), or if one belongs
 * to a library that intercepts it. A function outside all objects was generated by a dispatch library. */
static bool are_interchangeable(capture_function a, capture_function b)
{
    struct elf_object first, second;
    if (a == b || !elf_object_at(address_of(a), &first) || !elf_object_at(address_of(b), &second) ||
        first.start == second.start)
        return true;
    const char *file = strrchr(first.name, '/'), *other = strrchr(second.name, '/');
    return file != NULL && other != NULL && file - first.name == other - second.name &&
           strncmp(first.name, second.name, (size_t)(file - first.name)) == 0 && strcmp(file, other) != 0 &&
           gl_libraries_have(&first, "") && gl_libraries_have(&second, "");
}

/* Returns the target of the program's linked calls, if it is known already. */
static capture_function find_known(uint32_t id)
{
    struct elf_object object;
    capture_function known = atomic_load(&real_functions_known[id]);
    if (known != NULL && known != (capture_function)missing_function &&
        elf_object_at(address_of(known), &object))
        return known;
    *(void **)&known = find_next(&spec_functions[id]);
    return known;
}

bool real_function_set(uint32_t id, capture_function f)
{
    capture_function known = find_known(id);
    if (known != NULL && !are_interchangeable(known, f))
        return false;
    atomic_store(&real_functions_known[id], known != NULL ? known : f);
    return true;
}
