/* SPDX-License-Identifier: MIT
 * The contexts and threads of the trace, and their bindings, indexed by traced handles. GLX and EGL share the
 * tables, also that of drawables (replay_drawable.h), because their handles cannot be equal: GLX handles are
 * X11 resource numbers, EGL handles are addresses.
 */
#ifndef RETRACE_REPLAY_CONTEXT_H
#define RETRACE_REPLAY_CONTEXT_H

#include "replayer.h"

/* Creates a context with the traced handle `traced`. share: a traced handle, or 0 for none. */
int replay_context_create(struct replayer *r, uint64_t traced, const struct context_config *config,
                          uint64_t share);
/* Removes the handle. The context exists as long as a thread has bound it. Unknown handles are ignored. */
void replay_context_delete(struct replayer *r, uint64_t traced);
/* Returns the context with this traced handle, or NULL. */
struct replay_context *replay_context_find(const struct replayer *r, uint64_t traced);

/* Binds a context and drawables for the current traced thread, by traced handles; 0 for none. Drawables whose
 * creation is not in the trace are created. */
int replay_make_current(struct replayer *r, uint64_t context, uint64_t draw, uint64_t read);

/* Call it before calls of another traced thread. The driver gets what this one has called. */
void replay_leave_thread(struct replayer *r);
/* Makes the bindings of a traced thread the current ones. */
int replay_switch_thread(struct replayer *r, uint32_t number);

/* Returns the traced thread with this number, or NULL if it has had no calls yet. */
struct replay_thread *replay_find_thread(const struct replayer *r, uint32_t number);

/* Frees all contexts, drawables and threads. */
void replay_contexts_fini(struct replayer *r);

#endif
