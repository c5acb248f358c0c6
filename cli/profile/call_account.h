/* SPDX-License-Identifier: MIT
 * How long the calls of each function took, from the ends of calls or from whole calls.
 */
#ifndef CLI_CALL_ACCOUNT_H
#define CLI_CALL_ACCOUNT_H

#include "profile/latencies.h"
#include "trace/stacks/thread_stacks.h"

struct account_function {
    uint32_t function; /* number in the table of functions */
    uint32_t group;    /* the innermost debug group, or STACK_NO_GROUP */
    struct latencies latencies;
};

/* Initialise it with call_account_init(). */
struct call_account {
    bool siblings;       /* the end of a call is that of the calls in it whose ends are missing */
    bool only_recursive; /* calls of functions that call themselves while they run */
    bool by_group;       /* functions are counted for each debug group */
    struct thread_stacks stacks;
    struct account_function **functions;
    size_t function_count;
    size_t function_room;
    struct account_function **of_function; /* outside of groups, by number; NULL: no call of it has ended */
    size_t of_function_room;
    struct int_map indexes;    /* (group, function) to index */
    struct int_map recursions; /* of functions that run, by thread and function */
    uint64_t open; /* calls that are left out since their ends are missing, after call_account_finish() */
};

/* Members before `stacks` are set before. wants: see struct stack_listener. The structure must not be moved
 * afterwards. */
void call_account_init(struct call_account *a, bool has_ticks,
                       bool (*wants)(void *context, const struct trace_event *event), void *wants_context);
void call_account_fini(struct call_account *a);

/* account is a struct call_account. Errors: TRACE_ERR_MEMORY. */
int call_account_add(void *account, const struct trace_event *event);
int call_account_finish(struct call_account *a);

#endif
