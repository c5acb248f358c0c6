/* SPDX-License-Identifier: MIT
 * Makes one surface of EGL take the place of another: copies what has been drawn, and which of its buffers
 * are selected. The current context, which must be one of EGL, otherwise stays as it is.
 */
#ifndef RETRACE_SURFACE_COPY_H
#define RETRACE_SURFACE_COPY_H

#include <stdbool.h>

enum surface_parts {
    SURFACE_COLOURS = 1,
    SURFACE_DEPTH = 2, /* and stencil */
};

/* Copies width x height pixels from the lower left of the surface that is bound for reading to the one that
 * is bound for drawing. parts: which, of enum surface_parts. Does nothing if the context has no
 * glBlitFramebuffer(). The caller selects the buffers again, if there is a choice. */
void surface_copy(int width, int height, unsigned parts);

/* Makes the surface that is bound for drawing black, as far away as can be, and 0. Does nothing for contexts
 * without glClearBufferfi(). The caller selects the buffers again, if there is a choice. */
void surface_clear(void);

/* The buffers of the bound surfaces that the context draws to and reads from: GL_BACK and the like. */
struct surface_buffers {
    bool is_known; /* false for OpenGL ES, which has no choice */
    unsigned draw, read;
    int output; /* of fragment shaders, which draws to `draw`; the others draw to nothing */
};

struct surface_buffers surface_buffers_get(void);

/* Selects buffers, if they are known and others are selected. */
void surface_buffers_set(struct surface_buffers buffers);

#endif
