/* SPDX-License-Identifier: MIT
 * What is known about the functions of a trace.
 */
#ifndef RETRACE_REPLAY_FUNCTION_H
#define RETRACE_REPLAY_FUNCTION_H

#include "call/ready_call.h"
#include "formats/apitrace/read/plain_calls.h"
#include "replayer.h"

/* Returns what is known about the function with this signature; it is looked up at its first call. Returns
 * NULL, with the message set, if there is no memory. Only one thread may call this, the one that reads the
 * trace. */
struct replay_function *replay_function_find(struct replayer *r, const struct trace_function_sig *sig);

/* Returns how plain calls of the function are read, whose owner is its struct replay_function; NULL if its
 * calls need more than their numbers and the names of objects that exist: a handler, new names, or memory; or
 * if more of each call is asked of this replay. */
const struct trace_plain_function *replay_function_plain(struct replayer *r,
                                                         const struct trace_function_sig *sig);

#endif
