/* SPDX-License-Identifier: MIT
 * Mappings of the recorder in a program that locks its memory. mlockall(MCL_FUTURE) locks later mappings, so
 * all their pages would be populated at once.
 */
#ifndef MEMORY_UNLOCKED_MEMORY_H
#define MEMORY_UNLOCKED_MEMORY_H

#include <stddef.h>
#include <sys/types.h>

/* Call this when later mappings will be locked. */
void expect_locked_mappings(void);

/* Does the same as mmap() for readable and writable memory, but does not lock it. Returns NULL and sets errno
 * on error. */
void *map_unlocked(size_t size, int flags, int fd, off_t offset);

#endif
