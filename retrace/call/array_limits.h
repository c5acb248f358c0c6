/* SPDX-License-Identifier: MIT
 * How many vertices the client arrays of a context have, so that no draw reads beyond them. A slot is what
 * client_array_slot() returns (missing_arrays.h).
 */
#ifndef RETRACE_ARRAY_LIMITS_H
#define RETRACE_ARRAY_LIMITS_H

#include "replayer.h"

/* Notes how many bytes the array has that a call has just set; UINT64_MAX: it is not client memory. */
int array_limits_set(struct replayer *r, const struct replay_call *c, uint64_t slot, uint64_t bytes);

/* A call may have changed the buffers, the strides or the formats of attributes without their pointers, as
 * glBindVertexBuffer() does, or the bound array object: updates what is known of arrays. */
int client_arrays_update(struct replayer *r);

/* Asks before glBegin() what cannot be asked after it. */
void array_limits_begin(struct replayer *r);

/* Errors: TRACE_ERR_FORMAT if the call is a draw that would read more vertices than an enabled array has,
 * TRACE_ERR_UNSUPPORTED if it would read any of an array that is missing. Its arguments have been decoded. */
int array_limits_check(struct replayer *r, const struct replay_call *c);

#endif
