/* SPDX-License-Identifier: MIT
 * Distinguishes calls of the program from calls that the GL library makes within one of them.
 */
#ifndef CAPTURE_CALL_NESTING_H
#define CAPTURE_CALL_NESTING_H

#include "capture/capture_call.h"

#include <stdbool.h>

/* Returns true if the stub was called by the library within call outer of thread t. frame: the stack pointer
 * of the stub's caller. outer and its stack may no longer exist: longjmp() and exceptions leave calls from
 * debug callbacks and X error handlers, and coroutines may be switched there. Not for the hot path. */
bool call_is_within(const struct capture_thread *t, const struct capture_call *outer, const void *frame);

/* Returns true if the program's own code made the call although outer, which it is within, was not in the
 * library: a signal handler has interrupted the recorder. Where this cannot be known, returns false. */
bool call_is_interrupting(const struct capture_call *outer, const void *frame);

#endif
