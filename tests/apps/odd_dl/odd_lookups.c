/* SPDX-License-Identifier: MIT
 * Unusual lookups: before any GL library is loaded, without a handle, with a version, and of names that are
 * not functions. Prints what dlerror() says about them.
 *
 * count: 3 glGetError\(
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef unsigned (*get_error_function)(void);

static void print(const char *what, void *p)
{
    const char *error = dlerror();
    printf("%s: %s, %s\n", what, p != NULL ? "there" : "not there", error != NULL ? "an error" : "no error");
}

static void look_around(const char *when)
{
    printf("-- %s\n", when);
    print("RTLD_DEFAULT glXGetProcAddress", dlsym(RTLD_DEFAULT, "glXGetProcAddress"));
    print("RTLD_NEXT glClear", dlsym(RTLD_NEXT, "glClear"));
    print("dlopen(NULL) eglGetDisplay", dlsym(dlopen(NULL, RTLD_LAZY), "eglGetDisplay"));
    print("dlvsym glXQueryVersion", dlvsym(RTLD_DEFAULT, "glXQueryVersion", "GLIBC_2.2.5"));
    print("RTLD_DEFAULT glTexPageCommitmentEXT", dlsym(RTLD_DEFAULT, "glTexPageCommitmentEXT"));
    print("RTLD_DEFAULT puts", dlsym(RTLD_DEFAULT, "puts"));
    print("RTLD_NEXT glNoSuchFunction", dlsym(RTLD_NEXT, "glNoSuchFunction"));
}

static void call(void *p)
{
    get_error_function get_error;
    *(void **)&get_error = p;
    if (p != NULL)
        printf("error %u\n", get_error());
}

int main(void)
{
    look_around("without a library");
    void *local = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (local == NULL)
        return 99;
    look_around("with a local one");
    print("handle glClear", dlsym(local, "glClear"));
    print("handle, no name", dlsym(local, ""));
    print("handle gl", dlsym(local, "gl"));
    print("handle glNoSuchFunction", dlsym(local, "glNoSuchFunction"));
    char name[4096];
    memset(name, 'g', sizeof name);
    memcpy(name, "gl", 2);
    name[sizeof name - 1] = '\0';
    print("handle, long name", dlsym(local, name));
    print("handle eglGetDisplay", dlsym(local, "eglGetDisplay"));
    call(dlsym(local, "glGetError"));
    call(dlvsym(local, "glGetError", "GLIBC_2.2.5"));
    if (dlopen("libGL.so.1", RTLD_NOW | RTLD_GLOBAL) == NULL)
        return 99;
    look_around("with a global one");
    call(dlsym(RTLD_DEFAULT, "glGetError"));
    call(dlsym(RTLD_NEXT, "glGetError"));
    return 0;
}
