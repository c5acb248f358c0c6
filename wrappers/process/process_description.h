/* SPDX-License-Identifier: MIT
 * What /proc tells of a process.
 */
#ifndef PROCESS_PROCESS_DESCRIPTION_H
#define PROCESS_PROCESS_DESCRIPTION_H

#include "process/connection.h"

/* Fills hello's text about the process of that directory, as "/proc/self"; returns its bytes. */
uint32_t process_describe(struct connection_hello *hello, const char *directory);

/* Seccomp filters of this process; where the kernel does not count them, 1 for any. */
unsigned process_count_filters(void);

/* This process's id as /proc has it, which may be that of another namespace than getpid()'s. */
uint32_t process_own_id(void);

#endif
