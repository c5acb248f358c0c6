/* SPDX-License-Identifier: MIT
 * A system call that does not touch errno, for code that must leave the thread's variables alone.
 */
#ifndef PROCESS_KERNEL_CALL_H
#define PROCESS_KERNEL_CALL_H

/* a: six arguments. Returns what the kernel returns: a negative errno value after a failure. */
long call_kernel(long number, const long *a);

#endif
