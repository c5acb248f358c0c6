/* SPDX-License-Identifier: MIT
 * A clock for intervals and timeouts.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Returns milliseconds since some point in the past. The clock never goes back and is accurate to a few
 * milliseconds. Reading it needs no system call. */
int64_t clock_milliseconds(void);

/* The same in nanoseconds, and as exact as the machine can. Takes longer to read. */
int64_t clock_nanoseconds(void);

#endif
