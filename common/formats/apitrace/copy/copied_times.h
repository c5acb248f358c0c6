/* SPDX-License-Identifier: MIT
 * The times of the events that were copied to another trace, until its index is made. They are in a temporary
 * file, so that memory is bounded.
 */
#ifndef TRACE_COPIED_TIMES_H
#define TRACE_COPIED_TIMES_H

#include <stdint.h>

struct trace_copied_times;

/* The caller owns *out. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int trace_copied_times_open(struct trace_copied_times **out);
void trace_copied_times_close(struct trace_copied_times *t); /* t may be NULL */

/* Adds the time of the next event of the copy, in nanoseconds, or TRACE_NO_TIME. Errors: TRACE_ERR_IO. */
int trace_copied_times_add(struct trace_copied_times *t, int64_t time);

/* Goes back to the first event. Nothing may be added after that. Errors: TRACE_ERR_IO. */
int trace_copied_times_rewind(struct trace_copied_times *t);

/* Returns the time of the next event, or TRACE_NO_TIME: it is not known, or there are no more events. */
int64_t trace_copied_times_next(struct trace_copied_times *t);

#endif
