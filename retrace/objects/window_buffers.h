/* SPDX-License-Identifier: MIT
 * Front and back buffers of windows, where the driver takes each for a drawable of its own
 * (window_system_ops.follow_buffers). There is nothing to do until a program names a front buffer.
 */
#ifndef RETRACE_WINDOW_BUFFERS_H
#define RETRACE_WINDOW_BUFFERS_H

#include "replayer.h"

/* Returns true if the drawable has no back buffer. context: that draws to it. */
bool window_buffers_is_single(const struct replay_drawable *drawable, const struct replay_context *context);

/* Returns true if the argument of glDrawBuffer() or glReadBuffer() means a front buffer, also with others. */
bool window_buffers_names_front(uint64_t buffer);

/* The program is about to select this buffer, or to compile that to a list. */
void window_buffers_name(struct replayer *r, uint64_t buffer);

/* Something has been drawn, maybe into a list. Call it for each call that draws. */
void window_buffers_draw(struct replayer *r);

/* The context may have selected other buffers. */
void window_buffers_follow(struct replayer *r);

/* The buffers of the drawable were swapped. With --check, its front buffer is kept from now on. */
void window_buffers_swap(struct replayer *r, struct replay_drawable *drawable);

/* glReadBuffer() for a picture, or to put it back. */
void window_buffers_read(struct replayer *r, GLenum buffer);

/* What is between them reads depth and stencil of the window, which are in one of its buffers only. Returns
 * true if end must be called. */
bool window_buffers_begin_depth(struct replayer *r);
void window_buffers_end_depth(struct replayer *r);

#endif
