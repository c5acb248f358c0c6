/* SPDX-License-Identifier: MIT
 * Which function called which, how often, and how long the calls took.
 */
#ifndef CLI_CALL_GRAPH_H
#define CLI_CALL_GRAPH_H

#include "profile/latencies.h"
#include "trace/stacks/thread_stacks.h"

#define GRAPH_ROOT SIZE_MAX /* who has called a thread's outermost functions */

struct graph_edge {
    size_t caller; /* number in the table of functions, or GRAPH_ROOT */
    size_t callee;
    struct latencies latencies;
};

/* Initialise it with call_graph_init(). */
struct call_graph {
    struct thread_stacks stacks;
    bool siblings;             /* the end of a call is that of the calls in it whose ends are missing */
    struct graph_edge **edges; /* in the order of occurrence */
    size_t edge_count;
    size_t edge_room;
    struct int_map indexes; /* (caller, callee) to index */
    uint64_t open; /* calls that are left out since their ends are missing, after call_graph_finish() */
};

/* wants: see struct stack_listener. The structure must not be moved afterwards. */
void call_graph_init(struct call_graph *g, bool has_ticks, bool siblings,
                     bool (*wants)(void *context, const struct trace_event *event), void *wants_context);
void call_graph_fini(struct call_graph *g);

/* graph is a struct call_graph. Errors: TRACE_ERR_MEMORY. */
int call_graph_add(void *graph, const struct trace_event *event);
int call_graph_finish(struct call_graph *g);

#endif
