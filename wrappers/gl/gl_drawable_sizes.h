/* SPDX-License-Identifier: MIT
 * Tells the trace how large drawables are. A context gets the size of the drawable that it is bound to first,
 * as its viewport. Of other drawables, and later, only the window system knows it. A program learns of a new
 * size by events, and then draws to another box, so that is when a window of GLX is asked about. (There is no
 * question to EGL between two of its calls, because it would change what eglGetError() returns.)
 */
#ifndef GL_DRAWABLE_SIZES_H
#define GL_DRAWABLE_SIZES_H

#include "capture/capture_thread.h"

/* Notes what a call of f, which has bound a context, bound for drawing. Returns true if it is another
 * drawable than before. */
bool gl_drawable_bind(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args);

/* The thread has no drawable any more. */
void gl_drawable_unbind(struct capture_thread *t);

/* The program is going to draw to the whole drawable, which has the size of the viewport that the trace
 * tells.
 */
void gl_drawable_see_whole(struct capture_thread *t, int32_t width, int32_t height);

/* Asks for the size of the bound drawable, and records that as if the program had asked. For
 * capture_thread.complete. */
void gl_drawable_tell_size(struct capture_thread *t);

#endif
