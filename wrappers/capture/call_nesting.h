/* SPDX-License-Identifier: MIT
 * Tells calls that the program makes from those that the library makes within one of them.
 */
#ifndef CAPTURE_CALL_NESTING_H
#define CAPTURE_CALL_NESTING_H

#include "capture/capture_call.h"

#include <stdbool.h>

/* Does the library call the stub with this frame (the stack pointer of its caller) from within call outer of
 * thread t? outer may be gone, and its stack too: longjmp() and exceptions leave calls in debug callbacks and
 * in X error handlers, coroutines are switched there. Not for the hot path. */
bool call_is_within(const struct capture_thread *t, const struct capture_call *outer, const void *frame);

#endif
