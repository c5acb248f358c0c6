/* SPDX-License-Identifier: MIT
 * A plugin whose constructor and destructor call GL. It is opened four times, and left open once at the end.
 *
 * count: 8 glGetError\(
 */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    for (int i = 0; i < 4; ++i) {
        void *plugin = dlopen("$ORIGIN/plugin_early.so", RTLD_LAZY | (i % 2 ? RTLD_GLOBAL : RTLD_LOCAL));
        if (plugin == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 99;
        }
        printf("%d\n", *(int *)dlsym(plugin, "plugin_number"));
        if (i < 3)
            dlclose(plugin);
    }
    return 0;
}
