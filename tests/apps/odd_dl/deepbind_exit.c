/* SPDX-License-Identifier: MIT
 * A plugin that prefers symbols of its own libraries, including the C library, executes another program.
 *
 * count: 1 glGetError\(
 */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *plugin = dlopen("$ORIGIN/plugin_exits.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*leave)(void);
    *(void **)&leave = dlsym(plugin, "plugin_exit");
    return leave();
}
