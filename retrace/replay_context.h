/* SPDX-License-Identifier: MIT
 * Contexts, drawables and threads of the trace, and what of them is bound.
 * Handles of the trace are the keys; GLX and EGL share the tables, for their handles cannot be equal: one
 * kind are X11 resource numbers, the other addresses.
 */
#ifndef RETRACE_REPLAY_CONTEXT_H
#define RETRACE_REPLAY_CONTEXT_H

#include "replayer.h"

/* Creates the context that the trace calls traced. share: a traced handle, 0 for none. */
int replay_context_create(struct replayer *r, uint64_t traced, const struct context_config *config,
                          uint64_t share);
/* Forgets the handle; the context lives on while a thread has it bound. Unknown handles are ignored. */
void replay_context_delete(struct replayer *r, uint64_t traced);

/* A drawable of which only the handle is known gets its size when something is drawn: width and height 0. */
int replay_drawable_create(struct replayer *r, uint64_t traced, int width, int height);
void replay_drawable_delete(struct replayer *r, uint64_t traced);

/* Binds for the present thread, by traced handles, 0 for none. Drawables that were never created are. */
int replay_make_current(struct replayer *r, uint64_t context, uint64_t draw, uint64_t read);

/* Makes the bindings of a traced thread the current ones. */
int replay_switch_thread(struct replayer *r, uint32_t number);

/* Grows the bound drawable, if need be, so that width × height pixels fit. Drawables never shrink. */
int replay_grow_drawable(struct replayer *r, int64_t width, int64_t height);

/* Shows the drawable's back buffer; 0: the bound one. */
void replay_swap_buffers(struct replayer *r, uint64_t drawable);

/* Frees every context, drawable and thread. */
void replay_contexts_fini(struct replayer *r);

#endif
