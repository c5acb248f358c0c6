/* SPDX-License-Identifier: MIT
 * Thunks. A stub has only one real function. If a program has a function twice, a thunk leads to the stub and
 * makes it call the other one.
 */
#ifndef LOOKUP_THUNKS_H
#define LOOKUP_THUNKS_H

#include "lookup/stubs.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns a function that calls the stub of id, which then calls real. Returns the same thunk for the same
 * arguments, or NULL if there are none left. */
void *thunk_make(uint32_t id, capture_function real);

/* Returns true if there is a thunk at this address. */
bool thunk_is(const void *address);

/* Makes thunks for functions in unloaded libraries available again. Call it after libraries were unloaded. */
void thunks_forget_unloaded(void);

/* The real function of this thread's next call, for this call only. NULL: the one that real_function_find()
 * returns. Set by thunks. A before hook may set it if it is NULL. */
extern _Thread_local capture_function thunk_real __attribute__((tls_model("initial-exec")));

#endif
