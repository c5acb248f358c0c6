/* SPDX-License-Identifier: MIT
 * Calls that are kept to be replayed again, as they are given to the driver: nothing of them is read or
 * decoded a second time.
 */
#ifndef RETRACE_LOOP_CALLS_H
#define RETRACE_LOOP_CALLS_H

#include "base/arena.h"
#include "call/ready_call.h"

/* Zero-initialise it before use. */
struct loop_calls {
    struct ready_call *calls;
    size_t count, cap;
    struct arena memory; /* of the calls, and of runs of plain ones, in the order of the replay */
};

/* Adds a copy of a call. Errors: TRACE_ERR_MEMORY. */
int loop_calls_add(struct loop_calls *k, const struct ready_call *call);

/* Removes all calls. */
void loop_calls_clear(struct loop_calls *k);
void loop_calls_fini(struct loop_calls *k);

#endif
