/* SPDX-License-Identifier: MIT
 * Shows the standard output in the program that the environment variable PAGER names, or else in `less`. Does
 * nothing if PAGER is empty or cat.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <sys/types.h>

/* Connects the standard output to a pager. Returns the pager's process id, or 0 if there is none; the output
 * is then unchanged. If the user leaves the pager before everything is written, the program exits with this
 * status. */
pid_t pager_start(int status);

/* Closes the standard output and waits until the user leaves the pager. */
void pager_finish(pid_t pager);

#endif
