/* SPDX-License-Identifier: MIT
 * Converts arguments from the values of a trace to what the ABI passes. The trace is not trusted: a value of
 * a wrong type is an error, and an array that is too short is padded.
 */
#ifndef RETRACE_REPLAY_ARGS_H
#define RETRACE_REPLAY_ARGS_H

#include "replayer.h"

/* Fills c->args from c->call. Pointers refer to the trace's memory or r->scratch, and are valid until the
 * next call. Errors: TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED (the message names the argument),
 * TRACE_ERR_MEMORY. */
int replay_decode_args(struct replayer *r, struct replay_call *c);

/* Fills the first count arguments, which must be scalars, for handlers that set the others themselves. */
int replay_decode_scalars(struct replayer *r, struct replay_call *c, unsigned count);

#endif
