/* SPDX-License-Identifier: MIT
 * Gets the values of a traced call's arguments. If a value is missing or has a wrong type, the fallback is
 * returned.
 */
#ifndef RETRACE_REPLAY_VALUES_H
#define RETRACE_REPLAY_VALUES_H

#include "replayer.h"

/* Returns the value of an argument; for a REPR, its machine-readable value. Its type is TRACE_NONE if the
 * trace does not contain it. */
const struct trace_value *replay_arg(const struct replay_call *c, unsigned index);

/* Returns the integer of an argument, or fallback if it is not an integer. Signed ones are cut to 32 bits, so
 * that sums of some cannot overflow; likewise below. */
uint64_t replay_arg_uint(const struct replay_call *c, unsigned index, uint64_t fallback);
int64_t replay_arg_sint(const struct replay_call *c, unsigned index, int64_t fallback);

/* Returns the integer that the call stored through a pointer argument, or fallback if there is none. */
int64_t replay_output(const struct replay_call *c, unsigned index, int64_t fallback);

/* Returns the value after key in an attribute list (key, value, …, terminator), or fallback if the list does
 * not have the key. */
int64_t replay_attrib(const struct trace_value *list, int64_t key, int64_t fallback);

/* The same for a part of a version number, which is from 0 to 99. */
int replay_attrib_version(const struct trace_value *list, int64_t key, int64_t fallback);

/* Truncates an integer to the type's width and extends it again, as the ABI requires. */
static inline uint64_t replay_fit_integer(enum spec_type type, uint64_t value)
{
    switch (type) {
    case SPEC_I8:
        return (uint64_t)(int8_t)value;
    case SPEC_U8:
        return (uint8_t)value;
    case SPEC_I16:
        return (uint64_t)(int16_t)value;
    case SPEC_U16:
        return (uint16_t)value;
    case SPEC_I32:
        return (uint64_t)(int32_t)value;
    case SPEC_U32:
        return (uint32_t)value;
    default:
        return value;
    }
}

/* Converts a number to the type of a parameter. Returns false if v is something else. */
bool replay_number(enum spec_type type, const struct trace_value *v, union spec_arg *out);

#endif
