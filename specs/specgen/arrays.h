/* SPDX-License-Identifier: MIT
 * Functions that take one array of numbers.
 */
#ifndef SPECGEN_ARRAYS_H
#define SPECGEN_ARRAYS_H

#include "specgen/specgen_model.h"

/* Returns true if p points at memory that is recorded. */
bool array_is_payload(const struct param *p);

/* Returns the index of the only payload if that is an input array of numbers, or -1. */
int array_only(const struct function *f);

/* Returns true if the length is `unit`, or an argument times `unit`. *count is the index of that argument, or
 * SPEC_NO_PARAM. */
bool array_length(const struct length *length, unsigned *unit, unsigned *count);

#endif
