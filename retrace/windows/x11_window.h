/* SPDX-License-Identifier: MIT
 * Windows of X11, which need no window manager, and work with any.
 */
#ifndef RETRACE_X11_WINDOW_H
#define RETRACE_X11_WINDOW_H

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>

struct x11_screen {
    Display *display;
    Atom delete_window, protocols, state, fullscreen_state;
    bool fullscreen; /* windows cover the screen */
    bool closed;     /* the user has closed a window */
};

struct x11_window {
    Window id;
    Colormap colours;
};

/* Connects to the server of the environment variable DISPLAY. The caller closes s->display. Errors:
 * TRACE_ERR_IO if there is none. */
int x11_screen_open(struct x11_screen *s, bool fullscreen);

/* Creates an invisible window of this size in pixels. Errors: TRACE_ERR_IO. */
int x11_window_open(struct x11_screen *s, struct x11_window *out, const XVisualInfo *visual, int width,
                    int height);
void x11_window_close(struct x11_screen *s, struct x11_window *w);

/* Returns when the window is visible, or after a moment. */
void x11_window_show(struct x11_screen *s, const struct x11_window *w);

/* Returns when the window has the new size; one that covers the screen stays as it is. Errors:
 * TRACE_ERR_UNSUPPORTED if a window manager refuses it. */
int x11_window_resize(struct x11_screen *s, const struct x11_window *w, int width, int height);

/* Handles what has happened to windows. wait: sleeps until something happens, or for a moment. Returns false
 * if the user has closed a window. */
bool x11_poll_events(struct x11_screen *s, bool wait);

#endif
