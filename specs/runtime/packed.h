/* SPDX-License-Identifier: MIT
 * Packed arguments: those of a call as the members of a C struct, a short array included. Calls that need
 * nothing but such arguments take a third of the memory, and one function makes many of them in a loop. If
 * the array is several ones in a row, whose number is an argument, only calls with one of them are packed.
 */
#ifndef RUNTIME_PACKED_H
#define RUNTIME_PACKED_H

#include "runtime/spec.h"

enum { SPEC_PACKED_PARAMS = 16, SPEC_PACKED_ELEMENTS = 16 };

/* The most bytes of a call's arguments: one of them may be an array. */
#define SPEC_PACKED_BYTES ((SPEC_PACKED_PARAMS + SPEC_PACKED_ELEMENTS) * sizeof(uint64_t))

struct spec_packed_param {
    uint16_t offset;
    uint8_t type;  /* enum spec_type of the value, or of an element */
    uint8_t count; /* of elements; 0: a value, which has 32 bits at least, or 64 if it may be a pointer's */
    bool is_one;   /* it is the number of arrays, which must be 1 */
};

struct spec_packed {
    unsigned size; /* bytes of a call's arguments; those of the next call follow */
    struct spec_packed_param params[SPEC_PACKED_PARAMS];
};

/* Says where the packed arguments of f are. Returns false if they cannot be packed: some are no numbers. */
bool spec_packed_layout(const struct spec_function *f, struct spec_packed *out);

/* Calls fn, an implementation of f, with each of `count` packed arguments, which begin at a multiple of 8
 * bytes. Return values are lost. */
typedef void (*spec_runner)(const struct spec_function *f, void (*fn)(void), const void *args, size_t count);

/* Returns the runner of f; NULL if its arguments cannot be packed. */
spec_runner spec_find_runner(const struct spec_function *f);

#endif
