/* SPDX-License-Identifier: MIT
 * How the arguments of a function's plain calls are stored.
 */
#ifndef TRACE_PLAIN_FUNCTION_H
#define TRACE_PLAIN_FUNCTION_H

#include <stdint.h>

enum { TRACE_PLAIN_ARGS = 16 };

/* How a number is stored. Integers are cut to this width; those of fewer bits are then extended to 32, unless
 * they are elements of an array. */
enum trace_plain_kind {
    TRACE_PLAIN_I8,
    TRACE_PLAIN_U8,
    TRACE_PLAIN_I16,
    TRACE_PLAIN_U16,
    TRACE_PLAIN_32,
    TRACE_PLAIN_64,
    TRACE_PLAIN_F32,
    TRACE_PLAIN_F64,
    TRACE_PLAIN_ONE, /* an integer of 32 bits; if it is not 1, the call is no plain one */
};

struct trace_plain_param {
    uint8_t kind;    /* enum trace_plain_kind */
    uint8_t count;   /* of elements, below 128; 0: a number */
    uint16_t offset; /* bytes from the start of the call's arguments */
};

/* Where the arguments of a function's calls are stored. */
struct trace_plain_function {
    void *owner;                                       /* the caller's */
    uint32_t size;                                     /* bytes of a call's arguments */
    struct trace_plain_param params[TRACE_PLAIN_ARGS]; /* as many as its signature has */
};

#endif
