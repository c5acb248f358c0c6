/* SPDX-License-Identifier: MIT
 * A plugin that is linked to libGL.
 */
#include "plugin_draw.h"

__attribute__((visibility("default"))) int plugin_draw(void);

int plugin_draw(void)
{
    return plugin_draw_frame("linked plugin");
}
