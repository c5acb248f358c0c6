/* SPDX-License-Identifier: MIT
 * Records the backtraces of calls, for functions that need them. A thread remembers which stacks have been
 * recorded in its ring, so usually a call only costs a stack walk and a number.
 */
#ifndef CAPTURE_CALL_STACKS_H
#define CAPTURE_CALL_STACKS_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"

/* If f needs backtraces, appends a record with the callers of the next call, which is of f. frame: as for
 * capture_enter(). For a thread without a ring, this is left to call_stacks_record_waiting(). */
void call_stacks_record(struct capture_thread *t, const struct spec_function *f, const void *frame);

/* Maps what the shared ring needs for backtraces, while there is memory. To be called when a thread has
 * started. */
void call_stacks_reserve(void);

/* Appends the record that waits for a ring, if there is one. The thread has borrowed the ring. */
void call_stacks_record_waiting(struct capture_thread *t, const struct spec_function *f);

#endif
