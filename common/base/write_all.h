/* SPDX-License-Identifier: MIT
 * write(), repeated until everything is written.
 */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <stddef.h>

/* Writes all bytes with as few write() calls as possible, mostly one. If the process is killed, the file
 * therefore ends after a complete piece. Returns 0, or TRACE_ERR_IO with errno and the message set. */
int write_all(int fd, const void *bytes, size_t count);

/* Does the same for two pieces, one after the other. */
int write_all_both(int fd, const void *first, size_t first_count, const void *second, size_t second_count);

#endif
