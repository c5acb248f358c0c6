/* SPDX-License-Identifier: MIT
 * The values that a call of the trace has as its arguments. What is missing or of a wrong type gives a
 * fallback.
 */
#ifndef RETRACE_REPLAY_VALUES_H
#define RETRACE_REPLAY_VALUES_H

#include "replayer.h"

/* The value of an argument, a REPR's machine value; one of type TRACE_NONE when the trace lacks it. */
const struct trace_value *replay_arg(const struct replay_call *c, unsigned index);

/* The integer of an argument; fallback for what is none. */
uint64_t replay_arg_uint(const struct replay_call *c, unsigned index, uint64_t fallback);
int64_t replay_arg_sint(const struct replay_call *c, unsigned index, int64_t fallback);

/* The value after key in an attribute list (key, value, …, terminator); fallback when it is not there. */
int64_t replay_attrib(const struct trace_value *list, int64_t key, int64_t fallback);

/* Cuts an integer to the type's width and widens it again, as the ABI wants it. */
uint64_t replay_fit_integer(enum spec_type type, uint64_t value);

#endif
