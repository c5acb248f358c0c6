/* SPDX-License-Identifier: MIT
 * How long the calls of each function took, from the ends of calls or from whole calls.
 */
#ifndef CLI_CALL_ACCOUNT_H
#define CLI_CALL_ACCOUNT_H

#include "base/hash_map.h"
#include "profile/latencies.h"
#include "trace/event.h"

struct account_function {
    const struct trace_function_sig *sig; /* lent by the source */
    struct latencies latencies;
};

struct account_thread;

/* Zero-initialise it, then set the members before `functions`. */
struct call_account {
    bool has_ticks;      /* durations are ticks; otherwise nanoseconds */
    bool siblings;       /* the end of a call is that of the calls in it whose ends are missing */
    bool only_recursive; /* calls of functions that call themselves while they run */
    struct account_function **functions;
    size_t function_count;
    size_t function_room;
    struct int_map function_indexes; /* by the function's number, or by the address of its signature */
    struct account_thread **threads;
    size_t thread_count;
    size_t thread_room;
    struct int_map thread_indexes;
    const struct trace_origin *last_origin;
    struct account_thread *last_thread;
    uint64_t unmatched; /* ends of calls whose beginning is missing */
    uint64_t open;      /* calls that never ended, after call_account_finish() */
};

void call_account_fini(struct call_account *a);

/* Errors: TRACE_ERR_MEMORY. */
int call_account_add(struct call_account *a, const struct trace_event *event);
void call_account_finish(struct call_account *a);

#endif
