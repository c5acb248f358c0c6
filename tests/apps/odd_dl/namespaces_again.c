/* SPDX-License-Identifier: MIT
 * Repeatedly opens and closes namespaces with their own libGL.
 *
 * count: 24 glGetError\(
 * count: 24 glXGetCurrentContext\(
 */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    for (int round = 0; round < 24; ++round) {
        void *plugin = dlmopen(LM_ID_NEWLM, "$ORIGIN/plugin_linked.so", RTLD_LAZY | RTLD_LOCAL);
        if (plugin == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 99;
        }
        int (*ask)(void);
        *(void **)&ask = dlsym(plugin, "plugin_ask");
        printf("round %d: %d\n", round, ask());
        dlclose(plugin);
    }
    return 0;
}
