/* SPDX-License-Identifier: MIT
 * What a program has drawn to a window in the current frame, kept while the window changes its size. A driver
 * may drop it then.
 */
#ifndef RETRACE_KEPT_PIXELS_H
#define RETRACE_KEPT_PIXELS_H

#include "replayer.h"

struct kept_pixels {
    GLuint framebuffer;           /* 0: nothing is kept */
    GLuint colours, front, depth; /* front: of the front buffer, too; 0: not kept */
    int width, height;
    int samples;   /* of a pixel */
    GLenum buffer; /* of the window: the back buffer, or the only one */
};

/* Copies colours, depth and stencil of the window that is bound for drawing. Does nothing if the context has
 * no framebuffer objects, if there is an open primitive, or while a display list is compiled. */
void kept_pixels_take(struct replayer *r, struct kept_pixels *k);

/* Copies them back to the lower left of the window, which is still bound, and frees them. Neither changes the
 * program's state or errors. */
void kept_pixels_put_back(struct replayer *r, struct kept_pixels *k);

#endif
