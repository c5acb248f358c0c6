/* SPDX-License-Identifier: MIT
 * What the generated stubs call: record the enter, find the real function, record the leave.
 * This and the tracer's process state are the one exception to "no global state": exported C symbols have no
 * context argument.
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "capture/capture_call.h"
#include "lookup/stubs.h"

#include "runtime/spec.h"

/* Runs the function's before hook and writes its enter record. frame: the stack pointer of the stub's caller;
 * all that the stub has on the stack lies below it, c included. */
void capture_enter(struct capture_call *c, uint32_t id, const union spec_arg *args, const void *frame);

/* The function of the real library; never NULL: a function that returns 0 stands in for a missing one. */
capture_function capture_real(struct capture_call *c, uint32_t id);

/* Runs the function's after hook, which may change *ret, and writes the leave record. ret: NULL for void. */
void capture_leave(struct capture_call *c, const union spec_arg *args, union spec_arg *ret);

#endif
