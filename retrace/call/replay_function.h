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

/* Returns true if calls of this function need nothing but their numbers: no handler, no names of objects, no
 * memory; and nothing is asked of this replay that needs more of a call. */
bool replay_function_is_plain(struct replayer *r, const struct trace_function_sig *sig);

/* Converts the arguments of a plain call to what the driver gets. args: one for each parameter. */
void replay_function_convert(const struct replay_function *fn, const struct trace_plain_call *call,
                             union spec_arg *args);

#endif
