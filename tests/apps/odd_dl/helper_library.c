/* SPDX-License-Identifier: MIT
 * A program's library called libGL…, which finds GL by itself, is the program, not GL.
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
