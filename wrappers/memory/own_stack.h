/* SPDX-License-Identifier: MIT
 * A program's thread may have a stack of 16 KB, of which its own calls leave little. What needs more than a
 * few hundred bytes there runs on a stack of its own.
 */
#ifndef MEMORY_OWN_STACK_H
#define MEMORY_OWN_STACK_H

#include <signal.h>

/* Calls work(argument), on a stack made for the purpose where there is memory for one. No signal is delivered
 * and no cancellation acted upon meanwhile: neither a handler nor a cleanup finds itself on a foreign stack
 * or in the middle of work that holds locks. errno is kept. */
void run_on_own_stack(void (*work)(void *argument), void *argument);

/* The same without the stack: what a thread had before quiet_begin(). */
struct quiet {
    sigset_t signals;
    int cancel, error;
};
void quiet_begin(struct quiet *q);
void quiet_end(const struct quiet *q);

#endif
