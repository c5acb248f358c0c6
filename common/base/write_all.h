/* SPDX-License-Identifier: MIT
 * write() that does not stop half-way.
 */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <stddef.h>

/* With one write() as long as the file takes them, so that what is there of a killed writer are whole pieces.
 * Returns 0, or TRACE_ERR_IO with errno set, too. */
int write_all(int fd, const void *bytes, size_t count);

/* The same of two pieces, one behind the other, as if they were one. */
int write_all_both(int fd, const void *first, size_t first_count, const void *second, size_t second_count);

#endif
