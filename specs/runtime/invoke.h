/* SPDX-License-Identifier: MIT
 * Calls a function of the tables through a pointer. The function's ABI shape says how to pass its arguments.
 */
#ifndef RUNTIME_INVOKE_H
#define RUNTIME_INVOKE_H

#include "runtime/spec.h"

/* Calls fn, an implementation of f, with f->param_count arguments. *ret receives the return value, widened as
 * union spec_arg describes, or zero if f returns nothing. */
void spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                 union spec_arg *ret);

#endif
