/* SPDX-License-Identifier: MIT
 * A plugin that prefers its own libraries' symbols, the C library's among them, becomes another program.
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
