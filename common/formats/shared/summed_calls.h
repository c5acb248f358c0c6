/* SPDX-License-Identifier: MIT
 * The sums of calls of a trace that does not have the single ones, as the time that was spent in each stack
 * without the calls within. For formats that have such stacks.
 */
#ifndef FORMATS_SUMMED_CALLS_H
#define FORMATS_SUMMED_CALLS_H

#include "trace/sink.h"
#include "trace/stacks/call_tree.h"

struct summed_calls {
    struct call_tree tree; /* a tree for each thread; its functions have numbers in tree.stacks.functions */
    bool has_times; /* values are nanoseconds; otherwise ticks, of which nobody knows how long they are */
    uint64_t frequency;
};

/* The structure must not be moved afterwards. */
void summed_calls_init(struct summed_calls *s, const struct trace_sink_options *options);
void summed_calls_fini(struct summed_calls *s);

/* Adds an event of the kind TRACE_EVENT_SUM. Errors: TRACE_ERR_MEMORY. */
int summed_calls_add(struct summed_calls *s, const struct trace_event *event);

/* Call it once, before what follows. Errors: TRACE_ERR_MEMORY. */
int summed_calls_finish(struct summed_calls *s);

/* Returns the time that was spent in the node's stack, without the calls within. */
uint64_t summed_calls_value(const struct summed_calls *s, const struct call_node *node);

/* Returns false for stacks that others show anyway: no time was spent in them, but others are within. */
static inline bool summed_calls_counts(const struct call_node *node)
{
    return node->self_time > 0 || node->last == CALL_TREE_NONE;
}

#endif
