/* SPDX-License-Identifier: MIT
 * What a program has cleared in the current frame of a window, which is cleared where the window is new after
 * it has grown.
 */
#ifndef RETRACE_WINDOW_CLEARS_H
#define RETRACE_WINDOW_CLEARS_H

#include "replayer.h"

/* Notes that the bound window is about to be cleared, unless only a part of it is and more was before: by a
 * scissor box that does not reach beyond it, or with another draw buffer. Of masked components and bits, the
 * earlier values stay. values: NULL: those of the context. Neither state nor errors change. */
void window_clears_note(struct replayer *r, GLbitfield mask, const struct clear_values *values);

/* Clears a rectangle of the bound framebuffer, whatever is masked. Does nothing if the rectangle has no
 * pixels, if there is an open primitive, or while a display list is compiled. Neither state nor errors
 * change. */
void window_clears_repeat(struct replayer *r, const struct clear_values *values, int x, int y, int width,
                          int height);

#endif
