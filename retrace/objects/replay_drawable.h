/* SPDX-License-Identifier: MIT
 * The drawables of the trace, and their sizes. A trace has the sizes of pbuffers, but seldom those of
 * windows. These are inferred: a window has at least the size of the viewports that are drawn to it.
 */
#ifndef RETRACE_REPLAY_DRAWABLE_H
#define RETRACE_REPLAY_DRAWABLE_H

#include "replayer.h"

/* Returns the buffers of the configuration or visual in this argument, or NULL if the trace does not tell
 * them. */
const struct buffer_config *replay_buffers(struct replayer *r, const struct replay_call *c,
                                           unsigned argument);

/* Returns the buffers as the options want them. */
struct buffer_config replay_buffers_with_options(const struct replay_options *options,
                                                 const struct buffer_config *buffers);

/* Creates a drawable. If its size is unknown, width and height are 0, and it gets its size when something is
 * drawn. A drawable of known size keeps it. buffers: NULL: those of the context that draws to it first. */
int replay_drawable_create(struct replayer *r, uint64_t traced, const struct buffer_config *buffers,
                           int width, int height);
/* Removes the handle. The drawable exists as long as a thread has bound it. Unknown handles are ignored. */
void replay_drawable_delete(struct replayer *r, uint64_t traced);

/* Finds the drawable with this traced handle, and creates it if its creation is not in the trace. Handle 0
 * gives NULL. */
int replay_drawable_find(struct replayer *r, uint64_t traced, struct replay_drawable **out);

/* Gives the drawable a window, now that it is known which context draws to it. drawable may be NULL. */
int replay_drawable_realise(struct replayer *r, struct replay_drawable *drawable,
                            struct replay_context *context);

/* Drops a reference. drawable may be NULL. */
void replay_drawable_unref(struct replayer *r, struct replay_drawable *drawable);

/* Fits the bound drawable to a viewport. It grows if it is smaller. It shrinks if the viewport begins a frame
 * at its corner, and until now every viewport had covered all of it: so it looks when a program's window gets
 * smaller, but also when a program draws to one part of its window after the other. So it shrinks when the
 * frame ends, unless a viewport reaches beyond that size before. is_initial: the viewport is the one that the
 * context got when it was bound for the first time, which has the size of the drawable. */
void replay_fit_viewport(struct replayer *r, int64_t x, int64_t y, int64_t width, int64_t height,
                         bool is_initial);

/* The size that pictures have: if the drawable is about to shrink, the smaller one. */
int replay_drawable_width(const struct replay_drawable *drawable);
int replay_drawable_height(const struct replay_drawable *drawable);

/* Enlarges the bound drawable if it is smaller than width x height pixels. */
void replay_grow_drawable(struct replayer *r, int64_t width, int64_t height);

/* A display list has ended: if it was only compiled, the bound drawable grows for the viewports in it. It
 * gets the size that was told meanwhile. */
void replay_grow_after_list(struct replayer *r);

/* Gives a drawable the size that the trace has recorded. A dimension of 0 stays what it is. */
void replay_drawable_set_size(struct replayer *r, uint64_t traced, int64_t width, int64_t height);

/* The tracer has told the size of a drawable, and does so whenever it changes. From now on, what is drawn to
 * it does not change its size. */
void replay_drawable_tell(struct replayer *r, uint64_t traced);

/* These buffers are about to be cleared, maybe of the drawable. mask: as for glClear(). values: the first
 * members say what to; NULL: to what the context has. */
void replay_clear_drawable(struct replayer *r, GLbitfield mask, const struct clear_values *values);

/* Swaps the buffers of the drawable; 0: the bound one. */
void replay_swap_buffers(struct replayer *r, uint64_t traced);

#endif
