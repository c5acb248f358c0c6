/* SPDX-License-Identifier: MIT
 * What a program has drawn to a window in the current frame, or cleared, kept while the window changes its
 * size. A driver may drop it then.
 */
#ifndef RETRACE_KEPT_PIXELS_H
#define RETRACE_KEPT_PIXELS_H

#include "replayer.h"

struct kept_pixels {
    GLuint framebuffer; /* 0: nothing is kept */
    GLuint colours, depth;
    int width, height;
    GLenum buffer; /* of the window */
};

/* Copies colours, depth and stencil of the window that is bound for drawing. Does nothing if the context has
 * no framebuffer objects, if there is an open primitive, or while a display list is compiled. */
void kept_pixels_take(struct replayer *r, struct kept_pixels *k);

/* Copies them back to the lower left of the window, which is still bound, and frees them. Neither changes the
 * program's state or errors. */
void kept_pixels_put_back(struct replayer *r, struct kept_pixels *k);

/* Notes that the bound window is about to be cleared, unless only a part of it is and more was before: by a
 * scissor box that does not reach beyond it, or with another draw buffer. Of masked components and bits, the
 * earlier values stay. values: NULL: those of the context. Neither state nor errors change. */
void kept_pixels_note_clear(struct replayer *r, GLbitfield mask, const struct clear_values *values);

/* Clears a rectangle of the bound framebuffer, whatever is masked. Does nothing if the rectangle has no
 * pixels, if there is an open primitive, or while a display list is compiled. Neither state nor errors
 * change. */
void kept_pixels_clear(struct replayer *r, const struct clear_values *values, int x, int y, int width,
                       int height);

#endif
