/* SPDX-License-Identifier: MIT
 * Windows, a GLX and an EGL that do not exist, for tests of what is built upon them. What they are asked for
 * is in the log (call_log.h).
 */
#ifndef TESTS_MADE_UP_X11_H
#define TESTS_MADE_UP_X11_H

#include <stdbool.h>

#include "windows/surface_copy.h"

extern struct made_up_x11 {
    bool lacks_display, lacks_glx, lacks_egl, binds_nothing;
    bool refuses_window, refuses_surface, refuses_pbuffer, refuses_binding, refuses_size;
    bool refuses_config, has_no_visual;
    struct surface_buffers selected; /* by the driver; unknown: front buffers */
    const char *refuses_context;     /* "GLX" or "EGL" */
    int open;                        /* everything that is */
    int last;                        /* number of contexts, surfaces and windows */
} made_up;

#endif
