/* SPDX-License-Identifier: MIT
 * The real functions that the stubs stand in for, by function id.
 */
#ifndef LOOKUP_REAL_FUNCTIONS_H
#define LOOKUP_REAL_FUNCTIONS_H

#include "lookup/stubs.h"

#include <stdbool.h>
#include <stdint.h>

/* The real function; one that does nothing and returns 0 when no library has it. */
capture_function real_function_find(uint32_t id);

/* The program's own lookup has found f: the stub calls it from now on. False when the stub already has
 * another function that must not be called in place of this one. */
bool real_function_set(uint32_t id, capture_function f);

/* To be called when libraries have been unloaded: forgets the functions that were in them. */
void real_functions_forget_unloaded(void);

#endif
