/* SPDX-License-Identifier: MIT
 * The calls that a trace needs to begin in the middle: those that made the contexts and made them current,
 * that made the names of the objects that exist, that bind what is bound, and that set the viewport. A call
 * is forgotten when all that it did is undone or replaced, so there are no more of them than there are
 * objects and bindings. What functions do is read from the tables of specs/.
 *
 * This is the place for more: what calls do to objects and to other state (docs/ARCHITECTURE.md, 10).
 */
#ifndef COLLECTOR_FLIGHT_STATE_H
#define COLLECTOR_FLIGHT_STATE_H

#include "base/buf.h"
#include "collector/flight/flight_store.h"
#include "runtime/spec.h"

struct flight_state;

/* The caller owns *out. Errors: TRACE_ERR_MEMORY. */
int flight_state_new(struct flight_state **out);
void flight_state_free(struct flight_state *s); /* s may be NULL */

/* Can calls of f matter? */
bool flight_state_wants(const struct spec_function *f);

/* The next call, in the order in which they return. Errors: TRACE_ERR_MEMORY. */
int flight_state_add(struct flight_state *s, const struct flight_call *call);

/* Appends the calls that are needed, in the order of their numbers, and adds to *count how many they are.
 * Errors: TRACE_ERR_MEMORY. */
int flight_state_copy(const struct flight_state *s, struct buf *out, uint64_t *count);

/* The number of calls that are kept. */
size_t flight_state_size(const struct flight_state *s);

#endif
