/* SPDX-License-Identifier: MIT
 * A GLX that is made up, and notes what it is asked for.
 */
#ifndef TESTS_STUB_GLX_H
#define TESTS_STUB_GLX_H

#include <GL/glx.h>
#include <X11/Xlibint.h>
#include <stdbool.h>
#undef min
#undef max

enum { CONFIGS = 4, SRGB = 0x20b2, ATTRIBUTES = 17 };

/* visual_depth 0: it has no visual. */
struct glx_config {
    int depth, visual_depth, drawables, renders;
};

extern struct stub_glx {
    struct glx_config configs[CONFIGS];
    int count, chosen; /* how many there are, and have all that is wanted */
    bool lacks_glx, refuses;
    bool chooses_none, has_none; /* there are no lists of configurations */
    bool has_error;              /* of the X server */
    const char *extensions;
    char log[1000];
    int freed, asked;
    int other; /* the attribute by which the first one differs; 0: none */
} glx;

/* Screen 2 of it is the default one. */
extern struct _XDisplay glx_connection;

extern const char glx_context; /* contexts are its address */

/* Makes everything as it is in the beginning: there is one usual configuration. */
Display *glx_reset(void);

void glx_swap_interval(Display *display, GLXDrawable drawable, int interval);

#endif
