/* SPDX-License-Identifier: MIT
 * A plugin that is linked with libGL.
 */
#include "plugin_draw.h"

__attribute__((visibility("default"))) int plugin_draw(void);

int plugin_draw(void)
{
    return plugin_draw_frame("linked plugin");
}

/* Needs no display: not every driver can draw if libGL is in a namespace of its own. */
__attribute__((visibility("default"))) int plugin_ask(void);

int plugin_ask(void)
{
    GLXContext context = glXGetCurrentContext();
    printf("plugin: context %s, error %d\n", context == NULL ? "none" : "some", (int)glGetError());
    return 0;
}
