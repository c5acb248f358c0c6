/* SPDX-License-Identifier: MIT
 * The functions that are recorded, by name, and what the program gets when it looks one up.
 */
#ifndef LOOKUP_RECORDED_FUNCTIONS_H
#define LOOKUP_RECORDED_FUNCTIONS_H

#include "runtime/spec.h"

/* The function called name, if it is one that is recorded; else NULL. */
const struct spec_function *recorded_function_find(const char *name);

/* The function's stub. */
void *recorded_function_stub(const struct spec_function *f);

/* A lookup of f found `real`. Returns what to give to the program: the stub, a thunk that leads to it, or
 * real itself when there can be no more thunks. */
void *recorded_function_wrap(const struct spec_function *f, void *real);

/* The same by name. Returns real for functions that are not recorded. */
void *recorded_name_wrap(const char *name, void *real);

#endif
