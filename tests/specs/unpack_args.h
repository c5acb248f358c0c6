/* SPDX-License-Identifier: MIT
 * Packed arguments as separate ones, for tests.
 */
#ifndef TESTS_UNPACK_ARGS_H
#define TESTS_UNPACK_ARGS_H

#include "runtime/packed.h"

/* Sets one of args for each parameter of f. A pointer gets memory of exactly the size of its array, which is
 * returned, and which the caller frees; NULL: there is no array. */
void *unpack_args(const struct spec_function *f, const void *packed, union spec_arg *args);

#endif
