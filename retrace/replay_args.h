/* SPDX-License-Identifier: MIT
 * Arguments: from the values of a trace to what the ABI passes.
 * Nothing here trusts the trace: a value of a wrong type is an error, and an array that is too short is
 * padded.
 */
#ifndef RETRACE_REPLAY_ARGS_H
#define RETRACE_REPLAY_ARGS_H

#include "replayer.h"

/* Fills c->args from c->call. Pointers lead into the trace's memory or r->scratch and stay valid until the
 * next call. TRACE_ERR_FORMAT, TRACE_ERR_UNSUPPORTED: the message names the argument. */
int replay_decode_args(struct replayer *r, struct replay_call *c);

/* Fills the first count arguments, which must be scalars: for handlers that make the others themselves. */
int replay_decode_scalars(struct replayer *r, struct replay_call *c, unsigned count);

#endif
