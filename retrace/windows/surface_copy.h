/* SPDX-License-Identifier: MIT
 * Makes one surface of EGL take the place of another: copies what has been drawn, and which of its buffers
 * are selected. The current context, which must be one of EGL, otherwise stays as it is.
 */
#ifndef RETRACE_SURFACE_COPY_H
#define RETRACE_SURFACE_COPY_H

/* Copies width x height pixels from the lower left of the surface that is bound for reading to the one that
 * is bound for drawing: colours, depth and stencil. The rest of that becomes black, as far away as can be,
 * and 0. Does nothing if the context has no glBlitFramebuffer().
 */
void surface_copy(int width, int height);

/* The buffers of the bound surfaces that the context draws to and reads from: GL_BACK and the like. Both are
 * 0 for OpenGL ES, which has no choice. */
struct surface_buffers {
    unsigned draw, read;
};

struct surface_buffers surface_buffers_get(void);

/* Selects buffers; 0: leaves it as it is. */
void surface_buffers_set(struct surface_buffers buffers);

#endif
