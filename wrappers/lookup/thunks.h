/* SPDX-License-Identifier: MIT
 * Thunks: a stub knows one real function. Where a program has the function twice, a thunk leads to the stub
 * and tells it to call the other one.
 */
#ifndef LOOKUP_THUNKS_H
#define LOOKUP_THUNKS_H

#include "lookup/stubs.h"

#include <stdbool.h>
#include <stdint.h>

/* A function for the program to call: the stub of id, which then calls real once. The same for the same
 * arguments. NULL when there can be no more of them. */
void *thunk_make(uint32_t id, capture_function real);

/* Is there a thunk at this address? */
bool thunk_is(const void *address);

/* To be called when libraries have been unloaded: thunks that lead to their functions can be made anew. */
void thunks_forget_unloaded(void);

/* The function that this thread's next call goes to, for that one call; NULL: the one that
 * real_function_find() finds. Thunks set it. A before hook may set it, too, unless it is set already. */
extern _Thread_local capture_function thunk_real __attribute__((tls_model("initial-exec")));

#endif
