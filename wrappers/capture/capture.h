/* SPDX-License-Identifier: MIT
 * The functions that the generated stubs call: record the enter, find the real function, record the leave.
 * Exported C symbols have no context argument, so this module and the process state of the tracer are the
 * only exception to "no global state".
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "capture/capture_call.h"
#include "lookup/stubs.h"

#include "runtime/spec.h"

/* Runs the function's before hook and writes its enter record. frame: the stack pointer of the stub's caller.
 * Everything that the stub has on the stack is below it, including c. Returns the function of the real
 * library, for this call only. Never NULL: a missing function is replaced by one that returns 0. */
capture_function capture_enter(struct capture_call *c, uint32_t id, const union spec_arg *args,
                               const void *frame);

/* Runs the function's after hook, which may change *ret, and writes the leave record. ret is NULL for void
 * functions. */
void capture_leave(struct capture_call *c, const union spec_arg *args, union spec_arg *ret);

#endif
