/* SPDX-License-Identifier: MIT
 * Shows the standard output through the program in the environment's PAGER, or `less`; not if PAGER is empty
 * or cat.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <sys/types.h>

/* Connects the standard output to a pager; 0 if there is none to be had, and the output stays as it is. When
 * the pager is left before all is written, the program ends with this status. */
pid_t pager_start(int status);

/* Closes the standard output and waits until the reader has seen enough. */
void pager_finish(pid_t pager);

#endif
