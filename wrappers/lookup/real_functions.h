/* SPDX-License-Identifier: MIT
 * The real functions behind the stubs, by function id.
 */
#ifndef LOOKUP_REAL_FUNCTIONS_H
#define LOOKUP_REAL_FUNCTIONS_H

#include "lookup/stubs.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The real functions that have been looked up, by function id. NULL: not looked up yet. */
extern __attribute__((visibility("hidden"))) _Atomic(capture_function) real_functions_known[];

/* The slow path of real_function_find(). */
capture_function real_function_look_up(uint32_t id);

/* Returns the real function, or a function that does nothing and returns 0 if no library has it. */
static inline capture_function real_function_find(uint32_t id)
{
    capture_function f = atomic_load_explicit(&real_functions_known[id], memory_order_relaxed);
    return __builtin_expect(f != NULL, 1) ? f : real_function_look_up(id);
}

/* Makes f, which the program has looked up itself, the function that the stub calls. Returns false if the
 * stub already has another function that f must not replace. */
bool real_function_set(uint32_t id, capture_function f);

/* Forgets functions of libraries that have been unloaded. Call it after libraries were unloaded. */
void real_functions_forget_unloaded(void);

/* Returns how often libEGL was unloaded while its functions were known: its handles from before are worth
 * nothing. */
unsigned real_functions_egl_unloads(void);

#endif
