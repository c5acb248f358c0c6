/* SPDX-License-Identifier: MIT
 * A plugin whose exported variables have the names of GL functions. It must write to them, not to our
 * functions.
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
    void *plugin = dlopen("$ORIGIN/plugin_pointers.so", RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*draw)(void);
    *(void **)&draw = dlsym(plugin, "plugin_draw");
    return draw();
}
