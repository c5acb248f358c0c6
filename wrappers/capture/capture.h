/* SPDX-License-Identifier: MIT
 * What the generated stubs call: record the enter, find the real function, record the leave.
 * This and the tracer's process state are the one exception to "no global state": exported C symbols have no
 * context argument.
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "runtime/spec.h"

#define CAPTURE_EXPORT __attribute__((visibility("default")))

struct capture_thread;

struct capture_call {
    struct capture_thread *thread; /* NULL: this call is not recorded, or is being recorded just now */
    const struct spec_function *function;
};

typedef void (*capture_function)(void);

/* Runs the function's before hook and publishes its enter record. frame: the stack pointer of the stub's
 * caller, above all that the stub has on the stack, c included. */
void capture_enter(struct capture_call *c, uint32_t id, const union spec_arg *args, const void *frame);

/* The function of the real library; never NULL: a function that returns 0 stands in for a missing one. */
capture_function capture_real(struct capture_call *c, uint32_t id);

/* Runs the function's after hook, which may change *ret, and publishes the leave record. ret: NULL for void.
 */
void capture_leave(struct capture_call *c, const union spec_arg *args, union spec_arg *ret);

/* The exported stubs by function id; NULL for plain C functions. Generated. */
extern void (*const capture_stubs[])(void);

#endif
