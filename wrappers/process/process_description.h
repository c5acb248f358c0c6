/* SPDX-License-Identifier: MIT
 * What /proc says about a process.
 */
#ifndef PROCESS_PROCESS_DESCRIPTION_H
#define PROCESS_PROCESS_DESCRIPTION_H

#include "process/connection.h"

/* Fills in hello's text for the process with this directory, like "/proc/self". Returns the bytes of the
 * text. */
uint32_t process_describe(struct connection_hello *hello, const char *directory);

/* How many seccomp filters this process runs under. A kernel that does not count them says 1 for any number.
 */
unsigned process_count_filters(void);

/* This process's id according to /proc. It may differ from getpid()'s when that is of another namespace. */
uint32_t process_own_id(void);

#endif
