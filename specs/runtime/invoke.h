/* SPDX-License-Identifier: MIT
 * Calls any function of the tables through a pointer, by its ABI shape.
 */
#ifndef RUNTIME_INVOKE_H
#define RUNTIME_INVOKE_H

#include "runtime/spec.h"

/* Calls fn, which must be f's implementation, with args (f->param_count of them); *ret gets the return value,
 * widened as in union spec_arg, or zero when there is none. */
void spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                 union spec_arg *ret);

#endif
