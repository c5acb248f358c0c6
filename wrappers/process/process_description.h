/* SPDX-License-Identifier: MIT
 * Reads the description of a process from /proc.
 */
#ifndef PROCESS_PROCESS_DESCRIPTION_H
#define PROCESS_PROCESS_DESCRIPTION_H

#include "process/connection.h"

/* Fills in hello's text for the process with this directory, such as "/proc/self". Returns the size of the
 * text in bytes. */
uint32_t process_describe(struct connection_hello *hello, const char *directory);

/* Returns the number of seccomp filters of this process. Kernels that do not count them report 1 for any
 * number. */
unsigned process_count_filters(void);

/* Returns this process's id according to /proc. It may differ from getpid(), which may be in another
 * namespace. */
uint32_t process_own_id(void);

#endif
