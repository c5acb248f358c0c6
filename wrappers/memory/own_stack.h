/* SPDX-License-Identifier: MIT
 * Work that needs more than a few hundred bytes of stack runs on a stack of its own: a thread of the
 * program's may have 16 KB, of which its own calls leave little.
 */
#ifndef MEMORY_OWN_STACK_H
#define MEMORY_OWN_STACK_H

#include <signal.h>

/* Calls work(argument) on a new stack, or on the present one if there is no memory for another. Meanwhile
 * signals and cancellation are held off, so that no handler runs on the foreign stack, or while work holds
 * locks. errno is kept. */
void run_on_own_stack(void (*work)(void *argument), void *argument);

/* Holding off signals and cancellation without another stack. Holds what the thread had before quiet_begin().
 */
struct quiet {
    sigset_t signals;
    int cancel, error;
};
void quiet_begin(struct quiet *q);
void quiet_end(const struct quiet *q);

#endif
