/* SPDX-License-Identifier: MIT
 * Backtraces of calls: which functions want them, and the records of who calls.
 * A thread remembers which stacks its ring was told of, so that a call mostly costs a walk up the stack and a
 * number.
 */
#ifndef CAPTURE_CALL_STACKS_H
#define CAPTURE_CALL_STACKS_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"

/* If f wants backtraces, appends a record that says who makes the call of f that comes next. frame: as of
 * capture_enter(). Does nothing for a thread without a ring. */
void call_stacks_record(struct capture_thread *t, const struct spec_function *f, const void *frame);

#endif
