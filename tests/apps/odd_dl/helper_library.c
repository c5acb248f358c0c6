/* SPDX-License-Identifier: MIT
 * A library of the program with a name like libGL…, which looks up GL by itself. It is a part of the program,
 * not of GL.
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
    void *plugin = dlopen("$ORIGIN/libGLhelper.so", RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*draw)(void);
    *(void **)&draw = dlsym(plugin, "helper_draw");
    return draw();
}
