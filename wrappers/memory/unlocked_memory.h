/* SPDX-License-Identifier: MIT
 * Mappings of our own in a program that locks its memory: mlockall(MCL_FUTURE) locks what is mapped later,
 * and so fills all of it at once.
 */
#ifndef MEMORY_UNLOCKED_MEMORY_H
#define MEMORY_UNLOCKED_MEMORY_H

#include <stddef.h>

/* Mappings are locked from here on. */
void expect_locked_mappings(void);

/* mmap() of readable and writable memory that is not locked, from the file's start; NULL with errno on error.
 */
void *map_unlocked(size_t size, int flags, int fd);

#endif
