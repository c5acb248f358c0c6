/* SPDX-License-Identifier: MIT
 * Asks the X server about the program's windows and the drawables of GLX, by XCB. An error is an answer
 * there: the program's error handlers do not learn of it. (glXQueryDrawable() has errors for what is no
 * drawable of GLX, and Xlib's own handler ends the program then.)
 */
#ifndef LOOKUP_X_WINDOWS_H
#define LOOKUP_X_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

enum x_window {
    X_WINDOW_UNKNOWN, /* XCB is not loaded, or the connection is broken */
    X_WINDOW_IS_NONE, /* the server has no such drawable */
    X_WINDOW_HAS_SIZE,
};

/* Asks for a drawable of an Xlib display (Display *), in pixels. The size is only set with
 * X_WINDOW_HAS_SIZE. */
enum x_window x_window_size(void *display, unsigned long drawable, unsigned *width, unsigned *height);

/* Asks for an attribute of a drawable of GLX, as glXQueryDrawable() does. Returns false if the server does
 * not tell it, or libxcb-glx is not loaded; the driver loads it, unless it is NVIDIA's. */
bool x_glx_attribute(void *display, unsigned long drawable, uint32_t attribute, uint32_t *value);

/* Frees what a function of Xlib or GLX has returned. memory may be NULL. */
void x_free(void *memory);

#endif
