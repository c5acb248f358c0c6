/* SPDX-License-Identifier: MIT
 * Time for intervals and timeouts.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds since some moment in the past; never goes back. Exact to a few milliseconds, and costs next to
 * nothing: no system call. */
int64_t clock_milliseconds(void);

#endif
