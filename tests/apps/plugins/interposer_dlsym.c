/* SPDX-License-Identifier: MIT
 * Another preloaded library that intercepts dlsym(), as overlays do.
 */
#include <dlfcn.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef void *(*dlsym_function)(void *handle, const char *name);

EXPORT void *dlsym(void *restrict handle, const char *restrict name);

void *dlsym(void *restrict handle, const char *restrict name)
{
    static dlsym_function next;
    if (next == NULL)
        *(void **)&next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    return next(handle, name);
}
