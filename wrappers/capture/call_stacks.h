/* SPDX-License-Identifier: MIT
 * Records the backtraces of calls, for functions that need them. A thread remembers which stacks have been
 * recorded in its ring, so usually a call only costs a stack walk and a number.
 */
#ifndef CAPTURE_CALL_STACKS_H
#define CAPTURE_CALL_STACKS_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"

/* If f needs backtraces, appends a record with the callers of the next call, which is of f. frame: as for
 * capture_enter(). Does nothing for a thread without a ring. */
void call_stacks_record(struct capture_thread *t, const struct spec_function *f, const void *frame);

#endif
