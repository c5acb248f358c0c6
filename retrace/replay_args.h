/* SPDX-License-Identifier: MIT
 * Arguments: from the values of a trace to what the ABI passes, and from what the driver wrote to new names.
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

/* After the call: remembers the names of created objects, forgets deleted ones. */
int replay_learn_names(struct replayer *r, struct replay_call *c);

/* The value of an argument, a REPR's machine value; one of type TRACE_NONE when the trace lacks it. */
const struct trace_value *replay_arg(const struct replay_call *c, unsigned index);

/* The integer of an argument; fallback for what is none. */
uint64_t replay_arg_uint(const struct replay_call *c, unsigned index, uint64_t fallback);
int64_t replay_arg_sint(const struct replay_call *c, unsigned index, int64_t fallback);

/* The value after key in an attribute list (key, value, …, terminator); fallback when it is not there. */
int64_t replay_attrib(const struct trace_value *list, int64_t key, int64_t fallback);

/* The real name of an object of this kind in the current context. program is the traced name of the program
 * that scopes it, where one does. */
uint64_t replay_map_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t program);

/* Was the object made in this replay? */
bool replay_knows_name(struct replayer *r, unsigned kind, uint64_t traced);

/* Remembers, or forgets, a name of the current context. */
int replay_add_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t real, uint64_t program);
void replay_remove_name(struct replayer *r, unsigned kind, uint64_t traced);

#endif
