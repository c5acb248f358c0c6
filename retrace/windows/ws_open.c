/* SPDX-License-Identifier: MIT */
#include "windows/window_system.h"

#include <stdlib.h>

static bool has_display(void)
{
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x11 != NULL && *x11 != '\0') || (wayland != NULL && *wayland != '\0');
}

static int open_any(struct window_system **out, const struct window_settings *settings)
{
    if (!settings->headless || settings->creation == CREATE_BY_GLX)
        return window_system_open_glfw(out, settings);
    int rc = window_system_open_egl(out, settings);
    return rc != 0 && has_display() ? window_system_open_glfw(out, settings) : rc;
}

int window_system_open(struct window_system **out, const struct window_settings *settings)
{
    int rc = open_any(out, settings);
    if (rc == 0)
        (*out)->driver = settings->driver;
    return rc;
}
