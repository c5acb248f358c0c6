/* SPDX-License-Identifier: MIT
 * A plugin that gets the C library's dlsym() instead of ours, because it prefers its own libraries.
 *
 * expect: glXCreateContext\(
 * expect: glClearColor\(
 * count: 1 glClear\(
 * count: 1 glXSwapBuffers\(
 */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *plugin = dlopen("$ORIGIN/libGLhelper.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*draw)(void);
    *(void **)&draw = dlsym(plugin, "helper_draw");
    return draw();
}
