/* SPDX-License-Identifier: MIT
 * A tree of all call stacks of a trace: a node for each different stack, with how many calls ended there, and
 * how long they took. Each thread has a tree of its own; call_tree_merge() makes one of all. Its memory
 * depends on how many different stacks there are, not on the length of the trace.
 */
#ifndef TRACE_CALL_TREE_H
#define TRACE_CALL_TREE_H

#include "trace/stacks/thread_stacks.h"

#define CALL_TREE_NONE UINT32_MAX

/* Stacks are cut at this depth: what is deeper counts as a call of what is there. */
#define CALL_TREE_DEPTH_MAX 4096u

/* Times are ticks or nanoseconds. Nodes know each other by their indexes. */
struct call_node {
    uint32_t function; /* number in the table; CALL_TREE_NONE: the node above a thread's outermost calls */
    uint32_t parent;
    uint32_t last;       /* the callee that occurred last, or CALL_TREE_NONE; likewise below */
    uint32_t previous;   /* the callee of the parent that occurred before this one */
    uint32_t recent;     /* a callee, private */
    uint32_t depth;      /* of the outermost calls: 1 */
    uint64_t leaf_count; /* calls that made none */
    uint64_t leaf_time;
    uint64_t inner_count; /* calls that made others */
    uint64_t inner_time;
    uint64_t self_time; /* of both, without the calls that they made */
};

/* has_ticks, wants, context: see struct stack_listener; has_groups: debug groups are in the stacks. */
struct call_tree_options {
    bool has_ticks;
    bool has_groups;
    bool (*wants)(void *context, const struct trace_event *event);
    void *context;
};

/* Initialise it with call_tree_init(). */
struct call_tree {
    struct thread_stacks stacks;
    struct call_tree_options options;
    struct call_node *nodes;
    size_t count;
    size_t room;
    uint32_t *threads; /* by index of the thread: the node above its outermost calls */
    size_t thread_room;
    size_t thread_count;
    struct int_map callees; /* (parent, function) to node */
    bool has_sums;          /* sums of calls are in the tree */
};

/* The tree must not be moved afterwards. */
void call_tree_init(struct call_tree *t, const struct call_tree_options *options);
void call_tree_fini(struct call_tree *t);

/* Sums of calls are added, too. All calls of a path that leads to others are counted as calls that made
 * others. Errors: TRACE_ERR_MEMORY. */
int call_tree_add(struct call_tree *t, const struct trace_event *event);
int call_tree_finish(struct call_tree *t);

/* Adds a callee that parent does not have yet, or, with parent and function CALL_TREE_NONE, a top node. */
int call_tree_add_node(struct call_tree *t, uint32_t parent, uint32_t function, uint32_t *out);

/* Adds the trees of the threads, in this order, to one, whose top node is *out. The order of its nodes is the
 * one in which llvm-xray merges. Call it once, after call_tree_finish(). */
int call_tree_merge(struct call_tree *t, const uint32_t *threads, uint32_t *out);

/* Returns the node after this one below top: its last callee, or the one before it, or before a node above
 * it. CALL_TREE_NONE: there is none. */
uint32_t call_tree_next(const struct call_tree *t, uint32_t top, uint32_t node);

/* Sets *out to the node's callees in the order of occurrence; the caller frees it. */
int call_tree_list_callees(const struct call_tree *t, uint32_t node, uint32_t **out, size_t *count);

static inline uint64_t call_node_count(const struct call_node *n)
{
    return n->leaf_count + n->inner_count;
}

static inline uint64_t call_node_time(const struct call_node *n)
{
    return n->leaf_time + n->inner_time;
}

#endif
