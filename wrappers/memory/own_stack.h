/* SPDX-License-Identifier: MIT
 * Runs work that needs more than a few hundred bytes of stack on a separate stack. A thread of the program
 * may only have 16 KB, and most of it may be in use.
 */
#ifndef MEMORY_OWN_STACK_H
#define MEMORY_OWN_STACK_H

#include <signal.h>
#include <stdbool.h>

/* Calls work(argument) on a new stack, or on the current one if there is no memory for another. Signals and
 * cancellation are blocked meanwhile, so that no handler runs on the new stack or while locks are held.
 * Preserves errno. */
void run_on_own_stack(void (*work)(void *argument), void *argument);

/* From now on, the process may have a seccomp filter that kills it for rt_sigprocmask(), so signals are not
 * blocked any more. */
void own_stack_expect_filter(void);

bool own_stack_blocks_signals(void);

/* Blocks signals and cancellation without another stack. The struct contains the thread's state before
 * quiet_begin(). */
struct quiet {
    sigset_t signals;
    int cancel, error;
    bool has_signals; /* they are blocked */
};
void quiet_begin(struct quiet *q);
void quiet_end(const struct quiet *q);

#endif
