/* SPDX-License-Identifier: MIT
 * Client arrays whose contents are not in the trace. A draw that reads one would crash the driver.
 */
#ifndef RETRACE_MISSING_ARRAYS_H
#define RETRACE_MISSING_ARRAYS_H

#include "replayer.h"

/* Returns a number for each array that GL distinguishes: by function, vertex array object and index. */
uint64_t client_array_slot(const struct replay_call *c, const struct replay_context *context, uint64_t index);

/* Notes that the contents of an array of the current context are missing, or are there. */
int missing_arrays_set(struct replayer *r, uint64_t slot, bool missing);

/* Returns true if an array that is enabled is missing. Between glBegin() and glEnd() it is what it was at
 * glBegin(). A context must be current. */
bool missing_arrays_enabled(struct replayer *r);

/* Sets the error of a draw from an array that is missing, and returns it. */
int missing_arrays_fail(const struct replay_call *c);

#endif
