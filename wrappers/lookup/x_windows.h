/* SPDX-License-Identifier: MIT
 * Asks the X server for the size of the program's windows, by XCB. An error is an answer there: the program's
 * error handlers do not learn of it.
 */
#ifndef LOOKUP_X_WINDOWS_H
#define LOOKUP_X_WINDOWS_H

enum x_window {
    X_WINDOW_UNKNOWN, /* XCB is not loaded, or the connection is broken */
    X_WINDOW_IS_NONE, /* the server has no such drawable */
    X_WINDOW_HAS_SIZE,
};

/* Asks for a drawable of an Xlib display (Display *), in pixels. The size is only set with
 * X_WINDOW_HAS_SIZE. */
enum x_window x_window_size(void *display, unsigned long drawable, unsigned *width, unsigned *height);

#endif
