/* SPDX-License-Identifier: MIT
 * Tests by weak references whether it is linked with GL libraries. It is not.
 *
 * count: 1 glGetError\(
 */
#include <dlfcn.h>
#include <stdio.h>

extern void *glXGetProcAddress(const char *name) __attribute__((weak));
extern void *eglGetDisplay(void *display) __attribute__((weak));
extern unsigned glGetError(void) __attribute__((weak));

static unsigned (*volatile table[])(void) = {glGetError};

int main(void)
{
    printf("glXGetProcAddress %s\n", glXGetProcAddress != NULL ? "there" : "not there");
    printf("eglGetDisplay %s\n", eglGetDisplay != NULL ? "there" : "not there");
    printf("glGetError %s, in a table %s\n", glGetError != NULL ? "there" : "not there",
           table[0] != NULL ? "there" : "not there");
    void *library = dlopen("libGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        return 99;
    printf("then glXGetProcAddress %s\n", glXGetProcAddress != NULL ? "there" : "not there");
    *(void **)&table[0] = dlsym(library, "glGetError");
    printf("error %u\n", table[0]());
    return 0;
}
