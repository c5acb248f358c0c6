/* SPDX-License-Identifier: MIT */
/* Looks a function up in each of libglvnd's libraries, opened by name, and prints which object it is in. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void print_object(const char *how, const char *function, void *address)
{
    Dl_info info;
    const char *path = address != NULL && dladdr(address, &info) != 0 ? info.dli_fname : "nowhere";
    const char *slash = strrchr(path, '/');
    printf("%s %s: %s\n", how, function, slash != NULL ? slash + 1 : path);
}

int main(void)
{
    static const struct {
        const char *library;
        const char *function;
    } lookups[] = {
        {"libGL.so.1", "glClear"},         {"libGL.so.1", "glXSwapBuffers"},  {"libOpenGL.so.0", "glClear"},
        {"libGLX.so.0", "glXSwapBuffers"}, {"libEGL.so.1", "eglSwapBuffers"}, {"libGLESv2.so.2", "glClear"},
        {"libGLESv1_CM.so.1", "glClear"},
    };
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; i++) {
        void *handle = dlopen(lookups[i].library, RTLD_LAZY | RTLD_LOCAL);
        if (handle != NULL)
            print_object(lookups[i].library, lookups[i].function, dlsym(handle, lookups[i].function));
    }
    void *handle = dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL)
        return 1;
    print_object("libGL.so.1", "glNoSuchFunction", dlsym(handle, "glNoSuchFunction"));
    void *(*get)(const char *name);
    *(void **)&get = dlsym(handle, "glXGetProcAddressARB");
    print_object("glXGetProcAddressARB", "glDrawArraysInstanced", get("glDrawArraysInstanced"));
    return 0;
}
