/* SPDX-License-Identifier: MIT */
#include "windows/window_system.h"

#include <stdlib.h>

#include "base/error.h"

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

static bool has_display(void)
{
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/* X11 has GLX, and windows of any size, on Wayland, too, if there is a server of X11. */
static int try_windows(struct window_system **out, const struct window_settings *settings)
{
    int rc = TRACE_ERR_IO;
    if (!has_display())
        return trace_error_set(rc, "neither DISPLAY nor WAYLAND_DISPLAY is set");
    if (is_set("DISPLAY"))
        rc = window_system_open_x11(out, settings);
    return rc != 0 && is_set("WAYLAND_DISPLAY") ? window_system_open_glfw(out, settings) : rc;
}

/* With --headless, windows are only what --contexts=GLX asks for, or the last resort. */
static int open_windows(struct window_system **out, const struct window_settings *settings)
{
    int rc = try_windows(out, settings);
    if (rc == 0)
        return 0;
    const char *hint = !settings->headless                   ? " (--headless needs none)"
                       : settings->creation == CREATE_BY_GLX ? " (--contexts=GLX needs one)"
                                                             : "";
    return trace_error_prefix(rc, "cannot open a window system%s", hint);
}

static int open_any(struct window_system **out, const struct window_settings *settings)
{
    if (!settings->headless || settings->creation == CREATE_BY_GLX)
        return open_windows(out, settings);
    int rc = window_system_open_egl(out, settings);
    return rc != 0 && has_display() ? open_windows(out, settings) : rc;
}

int window_system_open(struct window_system **out, const struct window_settings *settings)
{
    int rc = open_any(out, settings);
    if (rc == 0)
        (*out)->settings = *settings;
    return rc;
}

static const char *find_lacking(struct window_system *ws, const struct buffer_config *buffers)
{
    return ws->ops->find_lacking != NULL ? ws->ops->find_lacking(ws, buffers) : NULL;
}

static int open_other(struct window_system **out, const struct window_system *ws)
{
    if (!ws->is_offscreen)
        return ws->settings.creation != CREATE_BY_GLX ? window_system_open_egl(out, &ws->settings)
                                                      : TRACE_ERR_UNSUPPORTED;
    return ws->settings.creation != CREATE_BY_EGL && has_display() ? open_windows(out, &ws->settings)
                                                                   : TRACE_ERR_UNSUPPORTED;
}

int window_system_replace(struct window_system **ws, const struct buffer_config *buffers)
{
    struct window_system *other = NULL;
    const char *lacking = find_lacking(*ws, buffers);
    if (lacking == NULL)
        return 0;
    if (open_other(&other, *ws) != 0 || find_lacking(other, buffers) != NULL) {
        if (other != NULL)
            other->ops->close(other);
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "drawables have no %s: %s%s", lacking,
                               (*ws)->description,
                               (*ws)->is_offscreen ? " (windows of GLX may have them; is DISPLAY set?)" : "");
    }
    other->settings = (*ws)->settings;
    (*ws)->ops->close(*ws);
    *ws = other;
    return 0;
}
