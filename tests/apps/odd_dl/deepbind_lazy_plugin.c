/* SPDX-License-Identifier: MIT
 * The same with functions that are bound at their first call.
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
    void *plugin = dlopen("$ORIGIN/plugin_linked.so", RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*draw)(void);
    *(void **)&draw = dlsym(plugin, "plugin_draw");
    return draw();
}
