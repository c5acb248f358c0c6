/* SPDX-License-Identifier: MIT
 * Reads calls straight from their bytes, for a replay. Most calls are entered and left at once and have only
 * numbers as arguments, and for those a struct trace_call costs more than the call itself.
 */
#ifndef TRACE_PLAIN_CALLS_H
#define TRACE_PLAIN_CALLS_H

#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/scan/leave_head.h"

enum { TRACE_PLAIN_ARGS = 16 };

/* A call whose arguments are all there, and are numbers: each is of a type from TRACE_NULL to TRACE_DOUBLE,
 * TRACE_ENUM, TRACE_BITMASK or TRACE_OPAQUE, with the payload of struct trace_value. A float is in the first
 * four bytes. What the call returned is not kept. */
struct trace_plain_call {
    uint64_t number;
    const struct trace_function_sig *sig;
    uint32_t thread;
    uint8_t types[TRACE_PLAIN_ARGS];
    uint64_t values[TRACE_PLAIN_ARGS];
};

/* Set reader, wants and context before use, and the rest to zero. */
struct trace_plain_calls {
    struct trace_reader *reader; /* borrowed */
    /* Returns true if calls of this function are wanted in this form. */
    bool (*wants)(void *context, const struct trace_function_sig *sig);
    void *context;
    struct trace_leave_head leave; /* private: of the next call */
};

/* Reads the next call of the reader, if it is a plain one: its function is wanted and known, nothing is
 * between its events, and it has no backtrace and no flags of its own. Otherwise, nothing is read, and the
 * function returns false; so it does if the reader has moved, or does not read all calls, or knows times. */
bool trace_plain_calls_next(struct trace_plain_calls *p, struct trace_plain_call *out);

#endif
