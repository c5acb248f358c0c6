/* SPDX-License-Identifier: MIT
 * write() that does not stop half-way.
 */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <stddef.h>

/* 0, or -1 with errno set. */
int write_all(int fd, const void *bytes, size_t count);

#endif
