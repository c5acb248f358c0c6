/* SPDX-License-Identifier: MIT
 * The real functions that the stubs stand in for, by function id.
 */
#ifndef LOOKUP_REAL_FUNCTIONS_H
#define LOOKUP_REAL_FUNCTIONS_H

#include "lookup/stubs.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Those that are known. By function id; NULL: not looked up yet. */
extern __attribute__((visibility("hidden"))) _Atomic(capture_function) real_functions_known[];

/* The slow half of real_function_find(). */
capture_function real_function_look_up(uint32_t id);

/* The real function; one that does nothing and returns 0 when no library has it. */
static inline capture_function real_function_find(uint32_t id)
{
    capture_function f = atomic_load_explicit(&real_functions_known[id], memory_order_relaxed);
    return __builtin_expect(f != NULL, 1) ? f : real_function_look_up(id);
}

/* The program's own lookup has found f: the stub calls it from now on. False when the stub already has
 * another function that must not be called in place of this one. */
bool real_function_set(uint32_t id, capture_function f);

/* To be called when libraries have been unloaded: forgets the functions that were in them. */
void real_functions_forget_unloaded(void);

#endif
