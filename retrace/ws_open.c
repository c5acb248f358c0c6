/* SPDX-License-Identifier: MIT */
#include "window_system.h"

#include <stdlib.h>

static bool has_display(void)
{
    const char *x11 = getenv("DISPLAY");
    return x11 != NULL && *x11 != '\0';
}

int window_system_open(struct window_system **out, bool headless)
{
    if (!headless)
        return window_system_open_glfw(out, false);
    int rc = window_system_open_egl(out);
    return rc != 0 && has_display() ? window_system_open_glfw(out, true) : rc;
}
