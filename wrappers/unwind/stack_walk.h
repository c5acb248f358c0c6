/* SPDX-License-Identifier: MIT
 * Who called: the addresses on the calling thread's stack, by call frame information, else by frame pointers.
 * It copes with any stack (a coroutine's, a signal handler's, 16 KB), allocates nothing, and reads no memory
 * before it is known to be readable. What it finds out about a place in the code it remembers, so that a
 * frame costs a few nanoseconds.
 */
#ifndef UNWIND_STACK_WALK_H
#define UNWIND_STACK_WALK_H

#include <stdint.h>

/* Writes the places that called to pcs, innermost first, at most limit of them, and returns how many there
 * are: from the function on whose stack pointer was `frame` when it called. A place is an address within the
 * instruction that calls; of a function that a signal interrupted, where it was.
 * The loaded objects that they lie in are in the list (loaded_modules.h). */
unsigned stack_walk(uint64_t *pcs, unsigned limit, const void *frame);

/* To be called when the program has loaded or unloaded a library: what was found out may be of another one.
 */
void stack_walk_forget(void);

/* A number that changes with each stack_walk_forget(): equal addresses mean the same only while it does not.
 */
uint32_t stack_walk_age(void);

#endif
