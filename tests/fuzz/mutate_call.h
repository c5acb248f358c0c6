/* SPDX-License-Identifier: MIT
 * Changes calls as a damaged or hostile trace would: counts, enums, sizes, handles, types; arguments that are
 * missing; functions that the trace does not have.
 */
#ifndef TESTS_MUTATE_CALL_H
#define TESTS_MUTATE_CALL_H

#include "trace/model.h"

#include <stdbool.h>
#include <stddef.h>

enum { MUTATOR_POOL = 64, MUTATOR_DEPTH = 8 };

struct mutator {
    uint64_t random;             /* 0: calls are only copied */
    uint64_t pool[MUTATOR_POOL]; /* numbers of earlier calls */
    unsigned pool_count;
    void **memory; /* of the current call */
    size_t memory_count, memory_cap;
    struct trace_function_sig *signatures; /* one for each function of the tables */
};

/* seed 0: changes nothing. */
void mutator_init(struct mutator *m, uint64_t seed);
void mutator_fini(struct mutator *m);

/* Copies a call to memory of the exact size, and may change it. *out is valid until the next call of either
 * function. Both give it the number and thread of call. */
void mutator_copy(struct mutator *m, const struct trace_call *call, struct trace_call *out);

/* Invents a call of any function. */
void mutator_invent(struct mutator *m, const struct trace_call *call, struct trace_call *out);

/* Returns a number below limit, which is at least 1. */
uint64_t mutator_random(struct mutator *m, uint64_t limit);

#endif
