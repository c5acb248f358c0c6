/* SPDX-License-Identifier: MIT
 * The functions that are recorded, by name, and the addresses that lookups of them return to the program.
 */
#ifndef LOOKUP_RECORDED_FUNCTIONS_H
#define LOOKUP_RECORDED_FUNCTIONS_H

#include "runtime/spec.h"

/* Returns the function with this name if it is recorded; otherwise NULL. */
const struct spec_function *recorded_function_find(const char *name);

/* Returns the function's stub. */
void *recorded_function_stub(const struct spec_function *f);

/* Returns what a lookup of f that found `real` should give to the program: the stub, a thunk that leads to
 * it, or real itself if there are no thunks left. */
void *recorded_function_wrap(const struct spec_function *f, void *real);

/* Does the same by name. Returns real for functions that are not recorded. */
void *recorded_name_wrap(const char *name, void *real);

#endif
