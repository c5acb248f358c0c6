/* SPDX-License-Identifier: MIT
 * Names of objects in the packed arguments of plain calls (runtime/packed.h).
 */
#ifndef RETRACE_PLAIN_NAMES_H
#define RETRACE_PLAIN_NAMES_H

#include "replayer.h"
#include "runtime/packed.h"

/* Arguments of one call. */
struct plain_args {
    _Alignas(uint64_t) uint8_t bytes[SPEC_PACKED_BYTES];
};

/* Finds the arguments that are names, before it is said how the function's plain calls are read. Returns
 * false if its calls cannot be plain ones because of them. */
bool plain_names_find(struct replay_function *fn);

/* Returns the arguments with the names of this replay, in *memory if they differ from `args`. The context
 * must be current. */
const void *plain_names_map(struct replayer *r, const struct replay_function *fn, const void *args,
                            struct plain_args *memory);

#endif
