/* SPDX-License-Identifier: MIT
 * A plugin and libGL in a namespace of their own, where nothing is preloaded, and another libGL in the
 * program's namespace.
 *
 * count: 3 glGetError\(
 * count: 1 glXGetCurrentContext\(
 */
#include <dlfcn.h>
#include <stdio.h>

static void ask(const char *where, void *library)
{
    unsigned (*get_error)(void);
    *(void **)&get_error = dlsym(library, "glGetError");
    if (get_error != NULL)
        printf("%s: error %u\n", where, get_error());
}

int main(void)
{
    void *plugin = dlmopen(LM_ID_NEWLM, "$ORIGIN/plugin_linked.so", RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 99;
    }
    int (*draw)(void);
    *(void **)&draw = dlsym(plugin, "plugin_ask");
    draw();
    ask("the namespace's", plugin);
    ask("the program's", dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL));
    return 0;
}
